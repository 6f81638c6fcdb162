package run

import "hermes/agent/llm"

// Unheard reports whether something was said to the Run that it has not taken in.
func (r Run) Unheard() bool { return len(r.Steered) > len(r.Taken) }

// Take returns the Run with all that was said to it so far, after its last step: the
// next call of the model reads it.
func (r Run) Take() Run {
	taken := append([]Steer(nil), r.Taken...)
	for _, s := range r.Steered[len(taken):] {
		s.After = len(r.Steps)
		taken = append(taken, s)
	}
	r.Taken = taken
	return r
}

// Steers reports whether something was said after the last step: what that step
// answers is not all there is to answer.
func (r Run) Steers() bool { return len(r.saidAfter(len(r.Steps))) > 0 }

func (r Run) saidAfter(step int) []llm.Message {
	var m []llm.Message
	for _, s := range r.Taken {
		if s.After == step {
			m = append(m, llm.Message{Role: llm.User, Text: s.Text})
		}
	}
	return m
}

// Wish is all that was asked for: the Text, and what was said since.
func (r Run) Wish() string {
	text := r.Text
	for _, s := range r.Taken {
		text += "\n" + s.Text
	}
	return text
}
