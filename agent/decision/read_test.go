package decision

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hermes/agent/llm"
)

func said(text string) llm.Message { return llm.Message{Role: llm.Assistant, Text: text} }

func call(name, args string) llm.Call { return llm.Call{Name: name, Args: json.RawMessage(args)} }

// sameArgs compares arguments by what they mean.
var sameArgs = cmp.Transformer("args", func(raw json.RawMessage) any {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return string(raw)
	}
	return v
})

func query(args string) []llm.Call { return []llm.Call{call("query_metric", args)} }

// Every shape of a decision, and every way in which one can be none.
func TestRead(t *testing.T) {
	sales := query(`{"metric":"sales"}`)
	for name, tt := range map[string]struct {
		said llm.Message
		want Decision
	}{
		"DEC-01 nested": {
			said(`{"thought":"look","action":{"name":"query_metric","args":{"metric":"sales"}}}`),
			Decision{Thought: "look", Calls: sales, Form: Nested},
		},
		"DEC-01 flat": {
			said(`{"thought":"look","action":"query_metric","action_input":{"metric":"sales"},"is_finished":false}`),
			Decision{Thought: "look", Calls: sales, Form: Flat},
		},
		"DEC-01 native": {
			llm.Message{Text: "look", Calls: []llm.Call{{ID: "x", Name: "query_metric", Args: json.RawMessage(`{"metric":"sales"}`)}}},
			Decision{Thought: "look", Calls: []llm.Call{{ID: "x", Name: "query_metric", Args: json.RawMessage(`{"metric":"sales"}`)}}, Form: Native},
		},
		"DEC-01 tagged": {
			said(`[THOUGHT] look [ACTION] query_metric {"metric":"sales"}`),
			Decision{Thought: "look", Calls: sales, Form: Tagged},
		},
		"DEC-03 text around a decision is ignored": {
			said(`I will post it at once. {"thought":"look","action":{"name":"query_metric","args":{"metric":"sales"}}} Posted!`),
			Decision{Thought: "look", Calls: sales, Form: Nested, Mended: true},
		},
		"DEC-03 prose alone is the answer": {
			said(" Sales were 5. "), Decision{Finished: true, Result: "Sales were 5.", Form: Text},
		},
		"DEC-03 so is prose with a sample": {
			said("Send `{\"a\": 1}` to it."), Decision{Finished: true, Result: "Send `{\"a\": 1}` to it.", Form: Text},
		},
		"DEC-04 a name that is not registered is kept": {
			said(`{"thought":"x","action":{"name":"fetch_all","args":{"n":1}}}`),
			Decision{Thought: "x", Calls: []llm.Call{call("fetch_all", `{"n":1}`)}, Form: Nested},
		},
		"DEC-04 arguments are an object, or shown to the model as they are": {
			said(`{"thought":"x","action":{"name":"query_metric","args":"the sales"}}`),
			Decision{Thought: "x", Calls: query(`{"` + llm.Unreadable + `":"the sales"}`), Form: Nested, Mended: true},
		},
		"DEC-04 no arguments are an empty object": {
			said(`{"thought":"x","action":{"name":"list_jobs","args":null}}`),
			Decision{Thought: "x", Calls: []llm.Call{call("list_jobs", `{}`)}, Form: Nested},
		},
		"DEC-05 without is_finished the work goes on": {
			said(`{"thought":"x","action":"query_metric","action_input":{"metric":"sales"}}`),
			Decision{Thought: "x", Calls: sales, Form: Flat},
		},
		"DEC-06 finish with a result beside it": {
			said(`{"thought":"x","action":{"name":"finish","args":{}},"result":"five"}`),
			Decision{Thought: "x", Finished: true, Result: "five", Form: Nested},
		},
		"DEC-06 is_finished with a final answer": {
			said(`{"thought":"x","action":"","action_input":{},"is_finished":true,"final_answer":"five"}`),
			Decision{Thought: "x", Finished: true, Result: "five", Form: Flat},
		},
		"DEC-06 final text":                            {said("five"), Decision{Finished: true, Result: "five", Form: Text}},
		"DEC-06 finish without a result stays empty":   {said(`{"thought":"x","action":"finish"}`), Decision{Thought: "x", Finished: true, Form: Flat}},
		"DEC-06 finish and nothing else":               {said(`{"action":"finish"}`), Decision{Finished: true, Form: Flat}},
		"DEC-06 a nested finish and nothing else":      {said(`{"action":{"name":"finish"}}`), Decision{Finished: true, Form: Nested}},
		"DEC-06 is_finished without an answer as well": {said(`{"thought":"x","is_finished":true}`), Decision{Thought: "x", Finished: true, Form: Flat}},
		"DEC-06 a native call of finish": {
			llm.Message{Calls: []llm.Call{call("finish", `{"result":"five"}`)}},
			Decision{Finished: true, Result: "five", Form: Native},
		},
		"DEC-06 an answer and a call in one breath": {
			said(`{"thought":"x","action":"query_metric","action_input":{"metric":"sales"},"is_finished":true,"final_answer":"five"}`),
			Decision{Thought: "x", Calls: sales, Finished: true, Result: "five", Form: Flat},
		},
		"DEC-06 an end that is made up after a call": {
			said("{\"thought\":\"x\",\"action\":{\"name\":\"query_metric\",\"args\":{\"metric\":\"sales\"}}}\n{\"action\":\"finish\",\"result\":\"five\"}"),
			Decision{Thought: "x", Calls: sales, Form: Nested, Mended: true},
		},
		"DEC-06 an answer that is an object": {
			said(`{"thought":"x","action":"finish","result":{"sales":5}}`),
			Decision{Thought: "x", Finished: true, Result: `{"sales":5}`, Form: Flat},
		},
		"DEC-12 cut off in the arguments": {
			said(`{"thought":"x","action":{"name":"query_metric","args":{"metric":"sales`),
			Decision{Thought: "x", Calls: sales, Form: Nested, Mended: true, Scraped: true},
		},
		"DEC-12 cut off after the arguments": {
			said(`{"thought":"x","action":{"name":"query_metric","args":{"metric":"sales"}}`),
			Decision{Thought: "x", Calls: sales, Form: Nested, Mended: true},
		},
		"DEC-12 cut off in a flat input": {
			said(`{"thought":"x","action":"query_metric","action_input":{"metric":"sales"`),
			Decision{Thought: "x", Calls: sales, Form: Flat, Mended: true, Scraped: true},
		},
		"DEC-12 cut off in a string of arguments": {
			said(`{"name":"query_metric","arguments":"{\"metric\": \"sales\""}`),
			Decision{Calls: sales, Form: Call, Mended: true, Scraped: true},
		},
		"DEC-12 cut off in native arguments": {
			llm.Message{Calls: query(`{"` + llm.Unreadable + `":"{\"metric\": \"sales"}`)},
			Decision{Calls: sales, Form: Native, Mended: true, Scraped: true},
		},
		"DEC-12 broken native arguments are mended": {
			llm.Message{Calls: query(`{"` + llm.Unreadable + `":"{metric: 'sales',}"}`)},
			Decision{Calls: sales, Form: Native, Mended: true},
		},
		"DEC-12 native arguments that are no JSON stay": {
			llm.Message{Calls: query(`{"` + llm.Unreadable + `":"the sales"}`)},
			Decision{Calls: query(`{"` + llm.Unreadable + `":"the sales"}`), Form: Native, Mended: true},
		},
		"DEC-12 cut off in the answer": {
			said(`{"thought":"x","action":{"name":"finish","args":{}},"result":"five and`),
			Decision{Thought: "x", Finished: true, Result: "five and", Form: Nested, Mended: true, Scraped: true},
		},
		"DEC-12 picked out of what cannot be read": {
			said("action: query_metric\nparameters => {'metric': 'sales'}"),
			Decision{Calls: sales, Form: Call, Mended: true, Scraped: true},
		},
		"OBS-11 DEC-24 candidates": {
			said(`{"thought":"x","candidates":[{"name":"query_metric","weight":0.9,"why":"exact"},{"name":"ask","weight":"0.6"}],"action":{"name":"query_metric","args":{"metric":"sales"}}}`),
			Decision{Thought: "x", Calls: sales, Candidates: []Candidate{{"query_metric", 0.9, "exact"}, {"ask", 0.6, ""}}, Form: Nested},
		},
		"OBS-11 candidates as names with weights": {
			said(`{"thought":"x","candidates":{"query_metric":0.9,"ask":0.6},"action":{"name":"query_metric","args":{"metric":"sales"}}}`),
			Decision{Thought: "x", Calls: sales, Candidates: []Candidate{{"query_metric", 0.9, ""}, {"ask", 0.6, ""}}, Form: Nested},
		},
		"C-41 evidence": {
			said(`{"thought":"x","evidence":["round 2","query_metric"],"action":"finish","result":"five"}`),
			Decision{Thought: "x", Evidence: []string{"round 2", "query_metric"}, Finished: true, Result: "five", Form: Flat},
		},
		"DEC-24 a line of intent beside native calls": {
			llm.Message{Text: "# intent: need the figure\nI look.", Calls: sales},
			Decision{Intent: "need the figure", Thought: "I look.", Calls: sales, Form: Native},
		},
		"DEC-24 a line of intent in Chinese": {
			llm.Message{Text: "# 意图：需要数据", Calls: sales}, Decision{Intent: "需要数据", Calls: sales, Form: Native},
		},
		"what was thought aloud is the thought": {
			said("<think>Hm.</think>{\"action\":{\"name\":\"query_metric\",\"args\":{\"metric\":\"sales\"}}}"),
			Decision{Thought: "Hm.", Calls: sales, Form: Nested},
		},
		"and is no part of an answer": {
			said("<think>Hm.</think>\nFive."), Decision{Thought: "Hm.", Finished: true, Result: "Five.", Form: Text},
		},
		"JSON that was asked for is the answer": {
			said(`{"name":"Ada","arguments":["a"]}`), Decision{Finished: true, Result: `{"name":"Ada","arguments":["a"]}`, Form: Text},
		},
		"a list that was asked for as well": {said(`["a","b"]`), Decision{Finished: true, Result: `["a","b"]`, Form: Text}},
		"a quoted call of an unknown tool is a sample": {
			said(`The model writes {"name": "get_weather", "arguments": {"city": "Rome"}} then.`),
			Decision{Finished: true, Result: `The model writes {"name": "get_weather", "arguments": {"city": "Rome"}} then.`, Form: Text},
		},
		"PRIN-02 a call in the middle of a sentence is quoted, not made": {
			said(`The page says: send {"name": "post_message", "arguments": {"text": "hi"}} to everybody.`),
			Decision{Finished: true, Result: `The page says: send {"name": "post_message", "arguments": {"text": "hi"}} to everybody.`, Form: Text},
		},
		"a call on a line of its own is made": {
			said("I look.\n{\"name\": \"query_metric\", \"arguments\": {\"metric\": \"sales\"}}"),
			Decision{Calls: sales, Form: Call, Mended: true},
		},
		"ids of calls are kept": {
			said(`{"tool_calls":[{"id":"c7","function":{"name":"query_metric","arguments":{"metric":"sales"}}}]}`),
			Decision{Calls: []llm.Call{{ID: "c7", Name: "query_metric", Args: json.RawMessage(`{"metric":"sales"}`)}}, Form: Call},
		},
		"a call in another spelling": {
			llm.Message{Calls: []llm.Call{call("functions.Query-Metric", `{"metric":"sales"}`)}}, Decision{Calls: sales, Form: Native},
		},
		"nothing after a made-up observation is read": {
			said("Thought: x\nAction: query_metric\nAction Input: {\"metric\": \"sales\"}\nObservation: 5\nAction: post_message\nAction Input: {\"text\": \"5\"}"),
			Decision{Thought: "x", Calls: sales, Form: Tagged},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(tt.said, Options{Tools: tools})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, sameArgs, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
}
