package router

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// One wish is one Kind, in whichever language it comes. Without a Classifier the
// rules have the last word, however unsure they are.
func TestRoute(t *testing.T) {
	r := New(Config{Sure: 2}, nil)
	for text, want := range map[string]Kind{
		"/status now":                        Command,
		"帮助":                                 Command,
		" ":                                  Command,
		"Good morning!":                      Chitchat,
		"早上好！":                               Chitchat,
		"good morning 😀":                     Chitchat,
		"👍":                                  Chitchat,
		"thanks, that's great":               Chitchat,
		"what can you do?":                   Chitchat,
		"你能做什么？":                             Chitchat,
		"who are you":                        Chitchat,
		"tell me a joke":                     Chitchat,
		"hi, export the customers":           Task,
		"Send the report and remind me":      Task,
		"把客户导出":                              Task,
		"把 CRM 里的客户 export 一下":               Task,
		"could you export it?":               Task,
		"how do I export it?":                Question,
		"为什么导出失败了":                           Question,
		"what were last month's sales?":      Question,
		"上个月亚洲的销售额是多少？":                      Question,
		"how many orders did we get":         Question,
		"the weekly one again":               Task,
		"now by product":                     Task,
		"and the month before?":              Question,
		"换成上上个月":                             Task,
		"forget that":                        Task,
		"忘掉刚才说的":                             Task,
		"what do you remember about me?":     Question,
		"你记得我什么？":                            Question,
		"你都记住了什么":                            Question,
		"I like Excel reports":               Task,
		"我喜欢 Excel":                          Task,
		"my manager is Lee":                  Task,
		"以后都用中文回答我":                          Task,
		"please answer in English":           Task,
		"pause it":                           Task,
		"who is my manager?":                 Question,
		"what is scheduled?":                 Question,
		"有哪些定时任务":                            Question,
		"你把上个月的销售汇总一下":                       Task,
		"good morning, what were the sales?": Question,
		"make that the first Monday instead": Task,
		"every month please":                 Task,
		"summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00": Task,
		"把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次":                                                                                 Task,
	} {
		got := r.Route(t.Context(), Message{Text: text, Direct: true})
		if got.Kind != want {
			t.Errorf("Route(%q) = %+v, want %s", text, got, want)
		}
		if got.Reason == "" {
			t.Errorf("Route(%q) gives no reason", text)
		}
	}
}

// The terms are those words that decided, be it in a rule or in the classifier.
func TestTerms(t *testing.T) {
	r := New(Config{}, nil)
	for text, want := range map[string]Decision{
		"Good MORNING!": {Kind: Chitchat, Reason: "rule small talk", Terms: []string{"good morning"}, Lang: "en"},
		"EXPORT it":     {Kind: Task, Reason: "classifier", Terms: []string{"export", "it"}, Lang: "en"},
		"把客户导出":         {Kind: Task, Reason: "classifier", Terms: []string{"把", "导"}, Lang: "zh"},
	} {
		got := r.Route(t.Context(), Message{Text: text, Addressed: true})
		if got.Confidence < 0.7 || got.Confidence > 1 {
			t.Errorf("Route(%q) is sure to %v, want 0.7 to 1", text, got.Confidence)
		}
		if got.Reason == "classifier" { // which of several words weigh most is a matter of training
			for _, term := range got.Terms {
				if !strings.Contains(strings.ToLower(text), term) {
					t.Errorf("Route(%q): %q is no word of it", text, term)
				}
			}
			if len(got.Terms) == 0 {
				t.Errorf("Route(%q) names no words", text)
			}
			want.Terms = got.Terms
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Decision{}, "Confidence")); diff != "" {
			t.Errorf("Route(%q): %s", text, diff)
		}
	}
}

// What the built-in rules would work on is never taken for small talk, for a
// command or for somebody else's: it would be lost.
func TestNothingOfTheAbilitiesIsLost(t *testing.T) {
	var all []byte
	for _, name := range []string{"ask.jsonl", "ask_blind.jsonl"} {
		b, err := os.ReadFile("../agent/llm/rules/testdata/" + name)
		if err != nil {
			t.Logf("no requests: %v", err)
		}
		all = append(all, b...)
	}
	r := New(Config{}, nil)
	for s := bufio.NewScanner(bytes.NewReader(all)); s.Scan(); {
		var row struct {
			Text      string
			Calls     []json.RawMessage
			Missing   []string
			Unclaimed bool
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		d := r.Route(t.Context(), Message{Text: row.Text, Addressed: true})
		work := len(row.Calls) > 0 || len(row.Missing) > 0 || row.Unclaimed
		if work && d.Kind != Question && d.Kind != Task {
			t.Errorf("Route(%q) = %+v, want a question or a task", row.Text, d)
		}
	}
}

// What is said to others is left alone, whatever it says.
func TestRouteNotAddressed(t *testing.T) {
	r := New(Config{Sure: 0.75}, fixed{d: Decision{Kind: Task, Confidence: 0.7}})
	for name, tt := range map[string]struct {
		m    Message
		want Kind
	}{
		"in a channel":                       {Message{Text: "export it"}, Ignore},
		"in a channel by name":               {Message{Text: "export it", Addressed: true}, Task},
		"in the bot's thread":                {Message{Text: "export it", InThread: true}, Task},
		"in the bot's thread to another":     {Message{Text: "@lee export it", InThread: true}, Ignore},
		"to another, as Slack writes it":     {Message{Text: "<@U42> export it", InThread: true}, Ignore},
		"to the bot, beginning with another": {Message{Text: "@lee wants it exported", Addressed: true}, Task},
		"in private":                         {Message{Text: "export it", Direct: true}, Task},
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.Route(t.Context(), tt.m); got.Kind != tt.want {
				t.Errorf("Route = %+v, want %s", got, tt.want)
			}
		})
	}
}

// The Classifier is asked only where the rules are not sure, and counts only
// where it is surer than they are.
func TestClassifier(t *testing.T) {
	down := errors.New("model is busy")
	for name, tt := range map[string]struct {
		text   string
		says   fixed
		want   Kind
		reason string
	}{
		"sure rules do not ask":       {"hi", fixed{err: down}, Chitchat, "rule small talk"},
		"unsure rules do":             {"xyzzy?", fixed{d: Decision{Kind: Chitchat, Reason: "model", Confidence: 0.9}}, Chitchat, "model"},
		"a worse guess changes none":  {"xyzzy?", fixed{d: Decision{Kind: Chitchat, Reason: "model", Confidence: 0.5}}, Question, "rule half"},
		"a failure is told and borne": {"xyzzy?", fixed{err: down}, Question, "rule half; classifier: model is busy"},
	} {
		t.Run(name, func(t *testing.T) {
			half := Rule{Name: "half", Kind: Question, Confidence: 0.6, Any: []string{"=xyzzy"}}
			r := New(Config{Sure: 0.75, Rules: append(DefaultRules(), half)}, tt.says)
			got := r.Route(t.Context(), Message{Text: tt.text, Direct: true})
			if got.Kind != tt.want || got.Reason != tt.reason {
				t.Errorf("Route(%q) = %+v, want %s because %q", tt.text, got, tt.want, tt.reason)
			}
		})
	}
}

// fixed is a Classifier that says one thing.
type fixed struct {
	d   Decision
	err error
}

func (f fixed) Classify(context.Context, Message) (Decision, error) { return f.d, f.err }

// A text with one Han character is Chinese.
func TestLang(t *testing.T) {
	for text, want := range map[string]string{
		"": "en", "sales": "en", "销售": "zh", "帮我看下 last month 的 sales": "zh", "café": "en", "#": "en",
	} {
		if got := Lang(text); got != want {
			t.Errorf("Lang(%q) = %q, want %q", text, got, want)
		}
	}
}

// A line without a word on where it was said was said to the bot.
func TestTry(t *testing.T) {
	r := New(Config{}, nil)
	no := false
	if got := r.Try(t.Context(), TrialInput{Text: "hi"}); got.Kind != Chitchat || len(got.Terms) != 1 {
		t.Errorf("Try = %+v, want chitchat with its term", got)
	}
	if got := r.Try(t.Context(), TrialInput{Text: "hi", Addressed: &no}); got.Kind != Ignore || got.Terms == nil {
		t.Errorf("Try = %+v, want ignore with no terms", got)
	}
}

func FuzzRoute(f *testing.F) {
	for _, s := range []string{"", "good morning", "把 CRM 里的客户 export 一下", "/x", "?", "''", "\xff\xfe", "<@U1> hi", "不"} {
		f.Add(s)
	}
	r := New(Config{}, nil)
	f.Fuzz(func(t *testing.T, text string) {
		d := r.Route(t.Context(), Message{Text: text, Addressed: true})
		if d.Reason == "" || d.Confidence < 0 || d.Confidence > 1 {
			t.Errorf("Route(%q) = %+v", text, d)
		}
		if l := Lang(text); l != "en" && l != "zh" {
			t.Errorf("Lang(%q) = %q", text, l)
		}
	})
}

func BenchmarkRoute(b *testing.B) {
	r := New(Config{}, nil)
	texts := []string{
		"good morning", "what were last month's sales in Asia?", "把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次",
		"summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00",
	}
	for i := 0; b.Loop(); i++ {
		r.Route(b.Context(), Message{Text: texts[i%len(texts)], Addressed: true})
	}
}

// A text of a megabyte costs no more than one of a page.
func BenchmarkRouteLong(b *testing.B) {
	r := New(Config{}, nil)
	long := strings.Repeat("把上个月的销售数据 by region ", 40_000)
	for b.Loop() {
		r.Route(b.Context(), Message{Text: long, Addressed: true})
	}
}

// S18: what somebody waits for with an acknowledgement asks no model.
func TestS18AGuessAsksNobody(t *testing.T) {
	r := New(Config{Sure: 1.1}, asked(func() { t.Error("the classifier is asked") }))
	for _, text := range []string{"Berlin?", "周报模板", "and?"} {
		if d := r.Guess(Message{Text: text, Addressed: true}); d.Kind == "" || d.Lang == "" {
			t.Errorf("%q is %+v", text, d)
		}
	}
}

type asked func()

func (a asked) Classify(context.Context, Message) (Decision, error) {
	a()
	return Decision{}, nil
}
