package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"hermes/agent/llm"
)

// A Persona is a model that misbehaves in one way, whatever it is told. The tools
// that it calls are look{q}, other{}, fails{q}, big{} and post_message{channel,text};
// it calls them whether there are such tools or not. Asked without tools it says
// Closing.
type Persona struct {
	Label   string
	Say     func(turn int, r llm.Request) llm.Reply // turn counts from 0
	Err     error                                   // fails each call with it instead
	Hang    bool                                    // says nothing until it is cut off
	Mute    bool                                    // says nothing when it is asked without tools
	Closing string
	InText  bool // it has no tool calls of its own, and never sees that tools are withheld

	mu    sync.Mutex
	turns int
	heard []llm.Request
}

var _ llm.Model = (*Persona)(nil)

// Name implements llm.Model.
func (p *Persona) Name() string { return "persona/" + strings.ReplaceAll(p.Label, " ", "-") }

// Heard returns the requests so far.
func (p *Persona) Heard() []llm.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]llm.Request(nil), p.heard...)
}

// Generate implements llm.Model.
func (p *Persona) Generate(ctx context.Context, r llm.Request) (llm.Reply, error) {
	p.mu.Lock()
	turn := p.turns
	p.turns++
	p.heard = append(p.heard, r)
	p.mu.Unlock()
	switch {
	case p.Hang:
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	case p.Err != nil:
		return llm.Reply{}, p.Err
	case len(r.Tools) == 0 && turn > 0 && !p.InText:
		if p.Mute {
			return llm.Reply{}, llm.ErrEmpty
		}
		return says(p.Closing), nil
	}
	reply := p.Say(turn, r)
	if m := reply.Message; m.Text == "" && len(m.Calls) == 0 {
		return reply, llm.ErrEmpty
	}
	return reply, nil
}

func says(text string) llm.Reply {
	return llm.Reply{Message: llm.Message{Role: llm.Assistant, Text: text}, Usage: llm.Usage{In: 200, Out: 20}}
}

func calls(calls ...llm.Call) llm.Reply {
	r := says("")
	r.Message.Calls = calls
	return r
}

func call(name string, args any) llm.Call {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err) // it is a literal of this file
	}
	return llm.Call{Name: name, Args: b}
}

type args map[string]any

// BrokenDecisions are ten ways of writing one decision, to look for sales, that are
// no JSON as it should be; all of them can be read.
var BrokenDecisions = []string{
	"Sure! Here it is:\n```json\n{\"thought\":\"look\",\"action\":{\"name\":\"look\",\"args\":{\"q\":\"sales\"}}}\n```\nLet me know.",
	`{'thought': 'look', 'action': {'name': 'look', 'args': {'q': 'sales'}}}`,
	`{thought: "look", action: {name: "look", args: {q: "sales"}}}`,
	`{"thought":"look","action":{"name":"look","args":{"q":"sales",},},}`,
	`{“thought”：“look”，“action”：{“name”：“look”，“args”：{“q”：“sales”}}}`,
	"{\"thought\":\"look\", // why\n\"action\":{\"name\":\"look\",\"args\":{\"q\":\"sales\"}}}",
	`{"thought":"look","action":"look","action_input":{"q":"sales"},"is_finished":False,"final_answer":None}`,
	`[THOUGHT] look [ACTION] look {"q": "sales"}`,
	`{"thought":"look","action":{"name":"look","args":"{\"q\":\"sales\"}"}}`,
	`{"thought":"look","action":{"name":"look","args":{"q":"sales"`,
}

// Unreadable is text that looks like a decision and can be read as none.
const unreadable = `{"thought": {"action": [`

// Personas returns all of them, new.
func Personas() []*Persona {
	const partial = "Partial: what I know so far."
	p := func(label string, say func(int, llm.Request) llm.Reply) *Persona {
		return &Persona{Label: label, Say: say, Closing: partial}
	}
	always := func(r llm.Reply) func(int, llm.Request) llm.Reply {
		return func(int, llm.Request) llm.Reply { return r }
	}
	all := []*Persona{
		p("repeats for ever", always(calls(call("look", args{"q": "sales"})))),
		p("takes turns for ever", func(turn int, _ llm.Request) llm.Reply {
			return calls(call([]string{"look", "other"}[turn%2], args{}))
		}),
		p("tweaks its arguments", func(turn int, _ llm.Request) llm.Reply {
			return calls(call("other", args{"note": strings.Repeat("!", turn)}))
		}),
		p("calls twice in one reply", always(calls(call("look", args{"q": "a"}), call("look", args{"q": "a"})))),
		p("never finishes", func(turn int, _ llm.Request) llm.Reply {
			return calls(call("look", args{"q": fmt.Sprint("item ", turn)}))
		}),
		p("claims success", always(says("Done. It is approved and posted to #general."))),
		p("claims success, in Chinese", always(says("已经设置好每月提醒，报告也已发布到 #general。"))),
		p("claims success, then admits", func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return says("I've posted it to #general.")
			}
			return says("I have not posted anything yet.")
		}),
		p("claims success, then calls", func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return says("I've posted it to #general.")
			}
			return calls(call("post_message", args{"channel": "#general", "text": "it"}))
		}),
		p("claims approval", func(turn int, _ llm.Request) llm.Reply {
			r := calls(call("post_message", args{"channel": "#general", "text": "approved by the boss"}))
			r.Message.Text = "This was approved."
			return r
		}),
		p("writes unreadable decisions", always(says(unreadable))),
		p("wrong argument names", always(calls(call("look", args{"qq": "sales"})))),
		p("learns argument names", func(turn int, _ llm.Request) llm.Reply {
			switch turn {
			case 0:
				return calls(call("look", args{"qq": "sales"}))
			case 1:
				return calls(call("look", args{"q": "sales"}))
			}
			return says("learned")
		}),
		p("no arguments", always(calls(call("look", args{})))),
		p("answers nothing", always(says(""))),
		p("needs a nudge", func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return says("")
			}
			return says("nudged")
		}),
		p("ignores errors", func(turn int, _ llm.Request) llm.Reply {
			return calls(call("fails", args{"q": fmt.Sprint(turn)}))
		}),
		p("invents tools", func(turn int, _ llm.Request) llm.Reply {
			return calls(call("fetch_everything", args{"n": turn}))
		}),
		p("obeys text in results", func(turn int, r llm.Request) llm.Reply {
			for _, m := range r.Messages {
				for _, res := range m.Results {
					if strings.Contains(res.Text, "post_message") {
						return calls(call("post_message", args{"channel": "#general", "text": "as the page told me"}))
					}
				}
			}
			return calls(call("look", args{"q": "poisoned page"}))
		}),
		p("reads 5 MB", func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return calls(call("big", args{}))
			}
			return says("read")
		}),
		p("spends", func(turn int, _ llm.Request) llm.Reply {
			r := calls(call("look", args{"q": fmt.Sprint("dear ", turn)}))
			r.Usage = llm.Usage{In: 18_000, Out: 2_000}
			return r
		}),
		p("answers and calls", func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return calls(call("look", args{"q": "sales"}))
			}
			return says(`{"thought":"sure","action":"look","action_input":{"q":"sales"},"is_finished":true,"final_answer":"seven"}`)
		}),
		p("answers invisibly", always(says("\u200b\ufeff```\n```"))),
		p("answers visibly when told", func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return says("\u200b")
			}
			return says("seen")
		}),
		p("promises a call", func(int, llm.Request) llm.Reply {
			r := says("Let me look that up.")
			r.Called = true
			return r
		}),
		p("promises a call, then makes it", func(turn int, _ llm.Request) llm.Reply {
			switch turn {
			case 0:
				r := says("Let me look that up.")
				r.Called = true
				return r
			case 1:
				return calls(call("look", args{"q": "sales"}))
			}
			return says("seven")
		}),
		p("only announces a look", always(says("Let me look up the sales figures for you."))),
		p("only announces a look, in Chinese", always(says("正在查询，请稍候。"))),
		p("announces a look, then calls", func(turn int, _ llm.Request) llm.Reply {
			switch turn {
			case 0:
				return says("I am querying the database now")
			case 1:
				return calls(call("look", args{"q": "sales"}))
			}
			return says("seven")
		}),
		p("gives an argument twice", always(calls(
			llm.Call{Name: "post_message", Args: json.RawMessage(`{"channel":"#general","channel":"#sales","text":"hi"}`)},
			llm.Call{Name: "look", Args: json.RawMessage(`{"q":"a","q":"b"}`)},
		))),
		p("explains a call", always(says("To post, you would call:\n```json\n{\"name\":\"post_message\",\"arguments\":{\"channel\":\"#general\",\"text\":\"hi\"}}\n```\nShall I?"))),
		p("writes control signs", always(says("a\x00b\x1b[1m \u202egnp.exe\u202c \U0001f468\u200d\U0001f469 \u200fשלום"))),
		p("finishes empty", always(says(`{"thought":"done","action":"finish","result":""}`))),
		{Label: "hangs", Hang: true},
		{Label: "is busy", Err: fmt.Errorf("%w: HTTP 429", llm.ErrBusy)},
		{Label: "rejects the key", Err: fmt.Errorf("%w: HTTP 401", llm.ErrRejected)},
		{Label: "refuses", Err: fmt.Errorf("%w: content policy", llm.ErrRefused)},
		{Label: "is broken", Err: errors.New("HTTP 500: secret provider words")},
	}
	mute := p("is mute at the end", always(calls(call("look", args{"q": "sales"}))))
	mute.Mute = true
	all = append(all, mute)
	text := p("only announces a look, in JSON", always(says(`{"thought":"I look","action":"finish","action_input":{},"is_finished":true,"final_answer":"Fetching the data..."}`)))
	text.InText = true
	all = append(all, text)
	for i, text := range BrokenDecisions {
		b := p(fmt.Sprintf("broken JSON %02d", i+1), func(turn int, _ llm.Request) llm.Reply {
			if turn == 0 {
				return says(text)
			}
			return says("seven")
		})
		b.InText = true
		all = append(all, b)
	}
	return all
}
