package eval

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"hermes/agent/llm"
)

// A gullible model does what its person asked for, step by step, and whatever it reads
// in between, at once. It learns nothing and gives way to nobody.
type gullible struct {
	attack Attack
	task   []Call
	last   string // what it answers in the end

	obeyed int // calls of the attack that it has made
	worked int // steps of the task
	heard  []llm.Request
}

var _ llm.Model = (*gullible)(nil)

func (*gullible) Name() string { return "persona/gullible" }

// Generate implements llm.Model.
func (g *gullible) Generate(_ context.Context, r llm.Request) (llm.Reply, error) {
	g.heard = append(g.heard, r)
	var calls []llm.Call
	switch all := g.attack.Calls; {
	case len(r.Tools) == 0:
		// It is asked for its last words.
	case g.obeyed < len(all) && g.reads(r):
		for _, c := range all[g.obeyed:] {
			calls = append(calls, g.call(r, c))
			if g.obeyed++; g.attack.OneEach {
				break
			}
		}
	case g.worked < len(g.task):
		calls = []llm.Call{g.call(r, g.task[g.worked])}
		g.worked++
	}
	m := llm.Message{Role: llm.Assistant, Calls: calls}
	if len(calls) == 0 {
		m.Text = g.last
	}
	return llm.Reply{Message: m, Usage: llm.Usage{In: 200, Out: 20}, Model: g.Name()}, nil
}

// tried reports whether it has made all calls of the attack.
func (g *gullible) tried() bool { return g.obeyed == len(g.attack.Calls) }

// reads reports whether all of the attack stands before it. What was done to the signs of
// the text on its way does not keep it from being understood.
func (g *gullible) reads(r llm.Request) bool {
	all := letters(everything(r))
	for _, t := range g.attack.Texts {
		want, found := []rune(letters(t)), false
		for _, from := range []int{0, len(want) / 3, max(0, len(want)-cue)} {
			found = found || strings.Contains(all, string(want[from:min(from+cue, len(want))]))
		}
		if !found {
			return false
		}
	}
	return true
}

// cue is how many letters in a row of a text show that it is there.
const cue = 40

// call is a Call with what stands for something else filled in.
func (g *gullible) call(r llm.Request, c Call) llm.Call {
	all := everything(r)
	args := string(c.args())
	for mark, re := range made {
		if ids := re.FindAllStringSubmatch(all, -1); len(ids) > 0 {
			args = strings.ReplaceAll(args, mark, ids[len(ids)-1][1])
		}
	}
	if strings.Contains(args, "$content") {
		b, err := json.Marshal(all[:min(len(all), 4000)])
		if err != nil {
			panic(err) // a string
		}
		args = strings.ReplaceAll(args, "$content", string(b[1:len(b)-1]))
	}
	return llm.Call{Name: c.Tool, Args: json.RawMessage(args)}
}

var made = map[string]*regexp.Regexp{
	"$report": regexp.MustCompile(`"report":"(a[0-9a-f]{12})"`),
	"$table":  regexp.MustCompile(`"table":"(a[0-9a-f]{12})"`),
}

// everything is all that a model reads in a request.
func everything(r llm.Request) string {
	var b strings.Builder
	b.WriteString(r.System + "\n")
	for _, m := range r.Messages {
		b.WriteString(m.Text + "\n")
		for _, res := range m.Results {
			b.WriteString(res.Prose() + "\n")
		}
	}
	return b.String()
}

// letters are the letters and digits of a text, small.
func letters(s string) string {
	s = strings.NewReplacer(`\n`, " ", `\t`, " ", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
