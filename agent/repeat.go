package agent

import (
	"fmt"
	"regexp"

	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// done is the result of a write that this Run has done already under other words: what
// it comes to is the same. A person who wants a thing twice gets it twice.
func (a *Agent) done(r run.Run, call llm.Call, p tool.Plan) (*run.Result, error) {
	if twice(r.Wish()) {
		return nil, nil
	}
	hash, err := run.HashArgs(call.Name, p.Args)
	if err != nil {
		return nil, fmt.Errorf("hash %s: %w", call.Name, err)
	}
	old, ok := r.Did(hash)
	if !ok {
		return nil, nil
	}
	return cached(call, old), nil
}

// cached is the result of a write that is not done again.
func cached(call llm.Call, old run.Result) *run.Result {
	return &run.Result{Result: llm.Result{
		ID: call.ID, Text: old.Text, Note: "[cached: this run has done it already; it was not done again]", Mark: result.MarkOf(call.Name, call.ID),
	}, Unrun: run.Cached}
}

var (
	// several is how people ask for the same thing more than once; how often in a time
	// belongs to a schedule.
	several = regexp.MustCompile(`(?i)(?:\b(?:twice|thrice|(?:two|three|four|five|[2-9]) (?:times|copies))\b|\b(?:post|send|say|do) (?:it |that |this |them )?again\b|[两二三四五2-5][次遍份]|再[发来做]一)(\s+(?:a|an|per|each|every|daily|weekly)\b)?`)
	// only is what stands before it where they do not.
	only = regexp.MustCompile(`(?i)(?:\bnot|n't|\bnever|\bevery|\beach|每|别|不要|不用)[^.;,。；，]{0,24}$`)
)

// twice reports whether a person asks for the same thing more than once.
func twice(wish string) bool {
	for _, m := range several.FindAllStringSubmatchIndex(wish, -1) {
		if m[2] < 0 && !only.MatchString(wish[:m[0]]) {
			return true
		}
	}
	return false
}
