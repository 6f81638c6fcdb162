package agent

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
)

// digested is how much of a text a model is given to shorten, in bytes.
const digested = 24 << 10

// digest has a model shorten a long text that was cut, where the tool and the
// configuration allow it. It is marked as derived, every number of it is held against
// the text, and the text stays on the shelf. A model that fails is done without.
func (a *Agent) digest(ctx context.Context, r run.Run, spec tool.Spec, res run.Result) (run.Run, run.Result, error) {
	if !a.cfg.Digest || !spec.Digest || res.Kept == "" || res.Failed {
		return r, res, nil
	}
	m, err := a.Models.pick(r)
	if err != nil || m.Rules {
		return r, res, nil //nolint:nilerr // nobody is there to shorten it
	}
	all, err := a.Shelf.Artifact(ctx, res.Kept)
	if err != nil {
		return r, res, fmt.Errorf("result %s: %w", res.Kept, err)
	}
	text := string(all.Body)
	if len(text) > digested {
		text = strings.ToValidUTF8(text[:digested], "")
	}
	within, cancel := context.WithTimeout(ctx, a.cfg.Closing)
	defer cancel()
	began := a.Now()
	reply, err := m.Model.Generate(within, llm.Request{
		System:   prompt.Digest,
		Messages: []llm.Message{{Role: llm.User, Text: "Request: " + result.Clean(r.Text) + "\n\n" + result.Quote("what "+spec.Name+" returned", text)}},
	})
	if ctx.Err() != nil {
		return r, res, fmt.Errorf("digest of %s: %w", spec.Name, ctx.Err())
	}
	said := strings.TrimSpace(reply.Message.Text)
	if err != nil || said == "" || !utf8.ValidString(said) {
		a.Log.Warn("a result could not be shortened by the model", "run", r.Key, "tool", spec.Name, "err", err)
		return r, res, nil
	}
	note := "derived: a model has shortened this; the text itself is in " + res.Kept
	if invented := result.Invented(said, string(all.Body)); len(invented) > 0 {
		note += "; these numbers do not stand in it: " + strings.Join(invented, ", ")
	}
	res.Brief, res.Derived = result.Clean(said), true // a text may have told it what to write
	res.Note = strings.TrimSpace(res.Note + "\n" + result.Note(note))
	return r.Note(func(s *run.Step) {
		s.Digests = append(s.Digests, run.Digest{Call: res.ID, Usage: reply.Usage, Took: a.Now().Sub(began)})
	}), res, nil
}
