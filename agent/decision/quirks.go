package decision

import (
	"strings"
	"sync"
)

// Quirks are the habits of a model, on top of what all may do.
type Quirks struct {
	Aliases []string // more keys under which the arguments may stand
	Names   []string // more keys under which the name of the tool may stand
	Finish  []string // more names of the action that ends the work
	Marks   []Mark   // marks in the text around calls
}

// A Mark is how a model writes a call in its text where the server did not take it
// out: Open, the name of the tool, Split, the arguments as JSON, Close.
type Mark struct{ Open, Split, Close string }

// habits are the Quirks of families of models, by the beginning of their name.
var habits = []struct {
	prefix string
	Quirks
}{
	{"command", Quirks{Names: []string{"tool_name"}, Finish: []string{"directly_answer", "directly-answer"}}},
	{"deepseek", Quirks{Marks: []Mark{
		{"<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n", "<｜tool▁call▁end｜>"},
		{"<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"},
	}}},
	{"gpt-oss", Quirks{Marks: []Mark{{" to=functions.", "<|message|>", "<|call|>"}}}},
	{"kimi", Quirks{Marks: []Mark{{"<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"}}}},
	{"llama", Quirks{Marks: []Mark{{"<function=", ">", "</function>"}}}},
	{"mistral", Quirks{Marks: []Mark{{"[TOOL_CALLS]", "[ARGS]", "[TOOL_CALLS]"}}}},
	{"qwen", Quirks{Marks: []Mark{{"✿FUNCTION✿:", "✿ARGS✿:", "✿RESULT✿"}}}},
	{"yi", Quirks{Aliases: []string{"tool_input", "tool_args"}}},
}

// QuirksOf returns the habits of a model by its name, "provider/model" or "model".
// One that nobody knows has none.
func QuirksOf(model string) Quirks {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, h := range habits {
		if strings.HasPrefix(name, h.prefix) {
			return h.Quirks
		}
	}
	return Quirks{}
}

// everyMark are the Marks of all families: a server may call a model as it likes.
var everyMark = sync.OnceValue(func() (all []Mark) {
	for _, h := range habits {
		all = append(all, h.Marks...)
	}
	return all
})

// marked picks the calls out of a text that has marks around them.
func (r *reader) marked(text string) (Decision, bool) {
	d := Decision{Form: Call, Mended: true}
	for i, m := range append(r.quirks.Marks[:len(r.quirks.Marks):len(r.quirks.Marks)], everyMark()...) {
		before, rest, ok := strings.Cut(text, m.Open)
		if !ok {
			continue
		}
		// Of another family, or of a model that nobody knows: around a tool that there is.
		foreign := i >= len(r.quirks.Marks)
		d.Thought, _, _ = strings.Cut(before, "<")
		for ok {
			var name, args string
			name, rest, ok = strings.Cut(rest, m.Split)
			if !ok {
				break
			}
			if _, known := r.known(tidy(name)); foreign && !known {
				return d, false
			}
			args, _, _ = strings.Cut(rest, m.Close)
			call, cut := r.given(tidy(name), args)
			d.Calls, d.Scraped = append(d.Calls, call), d.Scraped || cut
			_, rest, ok = strings.Cut(rest, m.Open)
		}
		if len(d.Calls) > 0 {
			d.Thought = strings.TrimSpace(d.Thought)
			return d, true
		}
	}
	return d, false
}

// tidy takes what servers put around the name of a tool from it: "functions.x:0".
func tidy(name string) string {
	name = strings.TrimSpace(name)
	if i := strings.IndexAny(name, " \t\n<"); i >= 0 {
		name = name[:i]
	}
	if i := strings.LastIndexByte(name, ':'); i > 0 && digits(name, i+1) == len(name) {
		name = name[:i]
	}
	return name
}
