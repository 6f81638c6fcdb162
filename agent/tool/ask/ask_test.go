package ask_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	"hermes/agent/tool/ask"
)

func call(args string) tool.Call { return tool.Call{Args: json.RawMessage(args)} }

// A question has buttons where the model offers answers, and none where any words
// will do. Nothing is done before the answer.
func TestAQuestionHasTheButtonsThatItOffers(t *testing.T) {
	for name, tt := range map[string]struct {
		args string
		want *tool.Ask
	}{
		"choices": {`{"question":"Which region?","choices":["Asia","欧洲"]}`, &tool.Ask{
			Text: "Which region?", Words: true, Choices: []tool.Choice{{ID: "c1", Label: "Asia"}, {ID: "c2", Label: "欧洲"}},
		}},
		"words": {`{"question":"哪个频道？"}`, &tool.Ask{Text: "哪个频道？"}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := ask.Tool{}.Run(t.Context(), call(tt.args))
			if err != nil || res.Failed {
				t.Fatalf("result = %+v, %v", res, err)
			}
			if d := cmp.Diff(tt.want, res.Ask); d != "" {
				t.Errorf("ask (-want +got):\n%s", d)
			}
		})
	}
}

// What cannot be asked is told to the model, and nobody is bothered with it.
func TestWhatCannotBeAskedIsToldToTheModel(t *testing.T) {
	for args, want := range map[string]string{
		`{"question":" "}`: "question is empty",
		`{"question":"?","choices":["1","2","3","4","5","6"]}`: "at most 5 fit",
		`{"question":"?","choices":["a"," "]}`:                 "choice 2 is empty",
		`{"text":"?"}`:                                         "unknown field",
		`[]`:                                                   "arguments of ask",
	} {
		res, err := ask.Tool{}.Run(t.Context(), call(args))
		if err != nil || !res.Failed || res.Ask != nil || !strings.Contains(res.Text, want) {
			t.Errorf("ask of %s = %+v, %v; want it to fail with %q", args, res, err, want)
		}
	}
}

// The model hears the label that was chosen, or the words that were said; the same
// again if it is asked again.
func TestTheModelHearsWhatWasChosen(t *testing.T) {
	for name, tt := range map[string]struct {
		args string
		pick tool.Pick
		want string
	}{
		"a button":      {`{"question":"?","choices":["Asia","Europe"]}`, tool.Pick{Choice: "c2", Words: "2"}, `{"answer":"Europe"}`},
		"words":         {`{"question":"?"}`, tool.Pick{Words: "#sales \"x\""}, `{"answer":"#sales \"x\""}`},
		"no such label": {`{"question":"?","choices":["Asia"]}`, tool.Pick{Choice: "c9", Words: "both"}, `{"answer":"both"}`},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				res, err := ask.Tool{}.Choose(t.Context(), call(tt.args), tt.pick)
				if err != nil || res.Text != tt.want || res.Failed {
					t.Errorf("Choose = %+v, %v; want %s", res, err, tt.want)
				}
				if _, err := tool.CheckOutput(ask.Tool{}, res); err != nil {
					t.Errorf("Choose returns what it does not promise: %v", err)
				}
			}
		})
	}
}

// C30: nobody is there to be asked in a scheduled run.
func TestC30AskIsNotForScheduledRuns(t *testing.T) {
	if s := (ask.Tool{}).Spec(); s.Unattended || s.Effect != tool.Read {
		t.Errorf("spec = %+v", s)
	}
}
