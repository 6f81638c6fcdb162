package router

import "context"

// A TrialInput is one line of `hermes try route`. Without a word on where it was
// said it was said to the bot.
type TrialInput struct {
	Text      string `json:"text"`
	Addressed *bool  `json:"addressed"`
	Direct    bool   `json:"direct"`
	InThread  bool   `json:"in_thread"`
}

// A Trial is what Route makes of it.
type Trial struct {
	Kind       Kind     `json:"kind"`
	Reason     string   `json:"reason"`
	Confidence float64  `json:"confidence"`
	Terms      []string `json:"terms"`
}

// Try answers one line of `hermes try route`.
func (r *Router) Try(ctx context.Context, in TrialInput) Trial {
	m := Message{Text: in.Text, Addressed: true, Direct: in.Direct, InThread: in.InThread}
	if in.Addressed != nil {
		m.Addressed = *in.Addressed
	}
	d := r.Route(ctx, m)
	t := Trial{Kind: d.Kind, Reason: d.Reason, Confidence: d.Confidence, Terms: d.Terms}
	if t.Terms == nil {
		t.Terms = []string{}
	}
	return t
}
