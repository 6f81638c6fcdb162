package llmtest

import (
	"encoding/json"

	"hermes/agent/llm"
)

// Conversation is one in the middle of a run: an earlier turn, a question, two calls
// in one step of which one has failed, a note, and one more call. It has all that a
// vendor's protocol has a place for.
func Conversation() llm.Request {
	const fixed, rest = "You are Hermes.\n\nAnswer briefly.\n\n", "Answer in Chinese. Now: Monday 2026-11-02 09:30 (Asia/Shanghai)."
	return llm.Request{
		System: fixed + rest,
		Fixed:  len(fixed),
		Tools: []llm.Tool{
			{Name: "query_metric", Description: "Figures of a declared measure.", Schema: json.RawMessage(`{"type":"object","properties":{"measure":{"type":"string"}},"required":["measure"]}`)},
			{Name: "memory_list", Description: "What is remembered."},
		},
		Messages: []llm.Message{
			{Role: llm.User, Text: "hi"},
			{Role: llm.Assistant, Text: "Hello!"},
			{Role: llm.User, Text: "上个月各地区的销售额"},
			{Role: llm.Assistant, Text: "Let me look.", Calls: []llm.Call{
				{ID: "call_1", Name: "query_metric", Args: json.RawMessage(`{"measure":"sales","by":["region"]}`)},
				{ID: "call_2", Name: "memory_list", Args: json.RawMessage(`{}`)},
			}},
			{Role: llm.User, Results: []llm.Result{
				{ID: "call_1", Text: `{"table":"t1","rows":[["华东",12],["华北",7]]}`, Mark: "[query_metric call_1]"},
				{ID: "call_2", Text: "the store is locked", Failed: true},
			}},
			{Role: llm.User, Text: "Only the first region, please."},
			{Role: llm.Assistant, Calls: []llm.Call{
				{ID: "call_3", Name: "query_metric", Args: json.RawMessage(`{"measure":"sales","where":{"region":"华东"}}`)},
			}},
			{Role: llm.User, Results: []llm.Result{{ID: "call_3", Text: "12"}}},
		},
	}
}
