package rules

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/llm"
)

// A talk is a conversation sorted by who said what when.
type talk struct {
	turns []string // of people; the last is the request
	job   string   // the job that the bot last spoke of
	said  string   // what the bot last said
	calls []llm.Call
	given map[string]llm.Result // by id of the call
}

// conversation sorts the messages of a request. What comes after the last words
// of a person is the run's own.
func conversation(messages []llm.Message) talk {
	t := talk{given: map[string]llm.Result{}}
	for _, m := range messages {
		switch {
		case m.Role == llm.User && len(m.Results) == 0:
			t.turns = append(t.turns, m.Text)
			t.calls, t.given = nil, map[string]llm.Result{}
		case m.Role == llm.User:
			for _, r := range m.Results {
				t.given[r.ID] = r
			}
		default:
			t.calls = append(t.calls, m.Calls...)
			if m.Text != "" {
				t.said = m.Text
			}
			if ids := jobPattern.FindAllString(m.Text, -1); len(ids) > 0 {
				t.job = ids[0]
				if slices.ContainsFunc(ids, func(id string) bool { return id != ids[0] }) {
					t.job = "" // a list: "it" is none of them
				}
			}
		}
	}
	return t
}

func (t talk) text() string {
	if len(t.turns) == 0 {
		return ""
	}
	return t.turns[len(t.turns)-1]
}

// The ids of calls. They name the step of the plan, so that the next reading of
// the same conversation knows what has been done.
const (
	askID     = "ask"
	confirmID = "confirm" // what the answer to the question offers again
)

func stepID(n int) string   { return "step" + strconv.Itoa(n) }
func mendedID(n int) string { return "step" + strconv.Itoa(n) + "b" }

// foreign says whether the run holds calls that rules never made: another model
// began it, and to begin again could do things twice.
func (t talk) foreign() bool {
	for _, c := range t.calls {
		if c.ID != askID && c.ID != confirmID && !strings.HasPrefix(c.ID, "step") {
			return true
		}
	}
	return false
}

// asked returns the answer to what was asked, and whether it was asked at all.
func (t talk) asked() (string, bool) { return t.answerTo(askID) }

// answerTo is the answer to a question, and whether it was asked.
func (t talk) answerTo(id string) (string, bool) {
	for _, c := range t.calls {
		if c.ID != id {
			continue
		}
		r, ok := t.given[id]
		if !ok || r.Failed {
			return "", true
		}
		var a struct {
			Answer string `json:"answer"`
		}
		if json.Unmarshal([]byte(r.Text), &a) != nil {
			return r.Text, true
		}
		return a.Answer, true
	}
	return "", false
}

// result returns what the n-th step gave, after it was mended or changed if it was.
func (t talk) result(n int) (llm.Result, bool) {
	if last, k := t.latest(n); k > 0 {
		r, ok := t.given[last.ID]
		return r, ok
	}
	if r, ok := t.given[mendedID(n)]; ok {
		return r, true
	}
	r, ok := t.given[stepID(n)]
	return r, ok
}

func (t talk) mended(n int) bool {
	for _, c := range t.calls {
		if c.ID == mendedID(n) {
			return true
		}
	}
	return false
}
