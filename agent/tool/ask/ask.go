// Package ask has the tool by which a model asks the person it works for. It knows
// no other person: the question goes to who asked, where they asked.
package ask

import (
	"context"
	"strconv"
	"strings"

	"hermes/agent/tool"
)

// Args are what the model may say of a question.
type Args struct {
	Question string   `json:"question" jsonschema:"in their language"`
	Choices  []string `json:"choices,omitempty" jsonschema:"none: any words" tool:"max=5"`
}

// answer is what the model hears.
type answer struct {
	Answer string `json:"answer"`
}

// maxChoices is what fits on a row of buttons.
const maxChoices = 5

// Tool is a tool.Chooser.
type Tool struct{}

var _ tool.Chooser = Tool{}

// Spec implements tool.Tool.
func (Tool) Spec() tool.Spec {
	return tool.Spec{
		Name:        "ask",
		Description: "Ask the person once for one thing only they know; it approves nothing.",
		Schema:      tool.SchemaOf[Args](),
		Output:      tool.OutputOf[answer](),
		Effect:      tool.Read,
		Always:      true,
	}
}

// Run implements tool.Tool.
func (Tool) Run(_ context.Context, c tool.Call) (tool.Result, error) {
	in, err := tool.Decode[Args](c.Args)
	switch {
	case err != nil:
		return tool.Fail("arguments of ask: %v", err), nil
	case strings.TrimSpace(in.Question) == "":
		return tool.Fail("question is empty"), nil
	case len(in.Choices) > maxChoices:
		return tool.Fail("%d choices; at most %d fit", len(in.Choices), maxChoices), nil
	}
	a := &tool.Ask{Text: in.Question, Words: len(in.Choices) > 0}
	for i, label := range in.Choices {
		if strings.TrimSpace(label) == "" {
			return tool.Fail("choice %d is empty", i+1), nil
		}
		a.Choices = append(a.Choices, tool.Choice{ID: "c" + strconv.Itoa(i+1), Label: label})
	}
	return tool.Result{Ask: a}, nil
}

// Choose implements tool.Chooser.
func (Tool) Choose(_ context.Context, c tool.Call, p tool.Pick) (tool.Result, error) {
	out := answer{p.Words}
	if in, err := tool.Decode[Args](c.Args); err == nil {
		for i, label := range in.Choices {
			if p.Choice == "c"+strconv.Itoa(i+1) {
				out.Answer = label
			}
		}
	}
	return tool.JSON(out)
}
