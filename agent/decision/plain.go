package decision

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"hermes/agent/llm"
)

//go:embed *.md
var files embed.FS

var contracts = template.Must(template.ParseFS(files, "*.md"))

// Plain makes a request for a model without tool calls of its own: the tools and
// the form of a decision become part of the system prompt, the calls and results of
// the conversation become text in that form. Without tools it asks for an answer in
// words and tells no form. Native, and a form that cannot be asked for, change
// nothing. A decision is not streamed: nobody should see it come.
func Plain(r llm.Request, f Form) llm.Request {
	if f != Nested && f != Flat && f != Tagged {
		return r
	}
	if len(r.Tools) > 0 {
		text := contract(r.Tools, f)
		// Behind what never changes, so that a provider can go on keeping that.
		head, tail := r.System, ""
		if r.Fixed > 0 && r.Fixed <= len(r.System) {
			head, tail = r.System[:r.Fixed], r.System[r.Fixed:]
		}
		r.System = strings.TrimLeft(strings.TrimRight(head, "\n")+"\n\n"+text, "\n")
		if tail != "" {
			r.System += "\n\n" + strings.TrimLeft(tail, "\n")
		}
		if r.Fixed > len(strings.TrimRight(head, "\n")) {
			r.Fixed = len(strings.TrimRight(head, "\n"))
		}
		r.Stream = nil
	}
	r.Messages = told(r.Messages, f, len(r.Tools) > 0)
	r.Tools = nil
	return r
}

func contract(tools []llm.Tool, f Form) string {
	var b strings.Builder
	err := contracts.ExecuteTemplate(&b, string(f)+".md", struct {
		Sample, End string
		Tools       []llm.Tool
	}{sample(f), end(f), compact(tools)})
	if err != nil {
		panic(fmt.Sprintf("write contract %s: %v", f, err)) // the templates are ours
	}
	return strings.TrimSpace(b.String())
}

// compact takes the white space out of the schemas. A tool without one takes no
// arguments.
func compact(tools []llm.Tool) []llm.Tool {
	out := make([]llm.Tool, len(tools))
	for i, t := range tools {
		var b bytes.Buffer
		if json.Compact(&b, t.Schema) != nil || b.Len() == 0 {
			b.Reset()
			b.WriteString(`{"type":"object","properties":{}}`)
		}
		out[i] = llm.Tool{Name: t.Name, Description: strings.TrimSpace(t.Description), Schema: b.Bytes()}
	}
	return out
}

// told turns a conversation into text.
func told(messages []llm.Message, f Form, tools bool) []llm.Message {
	names := map[string]string{} // of tools, by the id of a call
	var out []llm.Message
	for i, m := range messages {
		text := m.Text
		switch {
		case m.Role == llm.Assistant && len(m.Calls) > 0:
			for _, c := range m.Calls {
				names[c.ID] = c.Name
			}
			text = calling(m, f)
		case m.Role == llm.Assistant && tools && text != "" && !refused(messages, i):
			text = ending(text, f)
		}
		var parts []string
		for _, res := range m.Results {
			parts = append(parts, heard(names[res.ID], res, f))
		}
		if text != "" {
			parts = append(parts, text)
		}
		if len(parts) > 0 {
			out = append(out, llm.Message{Role: m.Role, Text: strings.Join(parts, "\n\n")})
		}
	}
	return out
}

// refused reports whether the message at i is one that could not be read.
func refused(messages []llm.Message, i int) bool {
	return i+1 < len(messages) && strings.HasPrefix(messages[i+1].Text, notUsed)
}

// calling is a message with calls in a form of text.
func calling(m llm.Message, f Form) string {
	thought := Brief(m.Text)
	type action struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	}
	var lines []string
	var actions []action
	for i, c := range m.Calls {
		args, _, _ := arguments(c.Args)
		switch f {
		case Flat:
			if i > 0 {
				thought = ""
			}
			lines = append(lines, encode(struct {
				Thought  string          `json:"thought"`
				Action   string          `json:"action"`
				Input    json.RawMessage `json:"action_input"`
				Finished bool            `json:"is_finished"`
				Final    string          `json:"final_answer"`
			}{thought, c.Name, args, false, ""}))
		case Tagged:
			lines = append(lines, "[ACTION] "+c.Name+" "+encode(args))
		default:
			actions = append(actions, action{c.Name, args})
		}
	}
	switch {
	case f == Tagged:
		return "[THOUGHT] " + thought + "\n" + strings.Join(lines, "\n")
	case f == Flat:
		return strings.Join(lines, "\n")
	case len(actions) == 1:
		return encode(struct {
			Thought string `json:"thought"`
			Action  action `json:"action"`
		}{thought, actions[0]})
	default:
		return encode(struct {
			Thought string   `json:"thought"`
			Action  []action `json:"action"`
		}{thought, actions})
	}
}

// ending is an answer in a form of text.
func ending(text string, f Form) string {
	switch f {
	case Flat:
		return encode(struct {
			Thought  string   `json:"thought"`
			Action   string   `json:"action"`
			Input    struct{} `json:"action_input"`
			Finished bool     `json:"is_finished"`
			Final    string   `json:"final_answer"`
		}{"", "finish", struct{}{}, true, text})
	case Tagged:
		return "[FINISH] " + text
	}
	var a struct {
		Name string   `json:"name"`
		Args struct{} `json:"args"`
	}
	a.Name = "finish"
	return encode(struct {
		Thought string `json:"thought"`
		Action  any    `json:"action"`
		Result  string `json:"result"`
	}{"", a, text})
}

// heard is a result in a form of text.
func heard(tool string, res llm.Result, f Form) string {
	head := "Result of " + tool
	if tool == "" {
		head = "Result"
	}
	if res.Failed {
		head += ", failed"
	}
	if f == Tagged {
		return "[OBSERVATION] " + head + ":\n" + res.Prose()
	}
	return head + ":\n" + res.Prose()
}

// encode is JSON as a model should write it: <, > and & as they are.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "{}"
	}
	return strings.TrimSpace(b.String())
}
