package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hermes/agent/file"
	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/config"
	"hermes/internal/redact"
)

// Secrets leave the program by few doors, and each has the one Redactor: what is written
// (store, trace), what is logged, what a model reads and says, what tools say and files
// hold, and what is posted. The doors that are no room of ours stand here.

// redactor knows the secrets of a configuration, and those of the environment.
func redactor(cfg config.Config) *redact.Redactor {
	return redact.New(cfg.Secrets(os.Environ()...)...)
}

// A discreet model is told no secret, and its words hold none.
type discreet struct {
	llm.Model
	redact *redact.Redactor
}

// Generate implements llm.Model. A call whose arguments hold a secret comes back with a
// marker in its place, which the agent turns away: nothing is run with other arguments
// than the model's.
func (d discreet) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	clean := redact.Deep(d.redact, req)
	if n := min(req.Fixed, len(req.System)); !strings.HasPrefix(clean.System, req.System[:n]) {
		clean.Fixed = 0
	}
	done := func() {}
	if say := req.Stream; say != nil {
		clean.Stream, done = discreetly(d.redact, say)
	}
	reply, err := d.Model.Generate(ctx, clean)
	if err == nil {
		done()
	}
	m := &reply.Message
	m.Text = d.redact.Text(m.Text)
	if len(m.Calls) > 0 {
		m.Calls = append([]llm.Call(nil), m.Calls...)
	}
	for i, c := range m.Calls {
		if args := d.redact.JSON(c.Args); json.Valid(c.Args) {
			// The names of arguments count here: they are the tools', not ours.
			m.Calls[i].Args = json.RawMessage(d.redact.Text(string(args)))
		}
	}
	return reply, err
}

// discreetly is a stream without secrets, and what ends it. An empty piece begins anew.
func discreetly(r *redact.Redactor, say func(string)) (stream func(string), done func()) {
	s := r.NewStream(say)
	return func(piece string) {
		if piece == "" {
			s = r.NewStream(say)
			say("")
			return
		}
		s.Write(piece)
	}, func() { s.Close() }
}

// A discreetClerk reads files without the secrets in them.
type discreetClerk struct {
	*file.Clerk
	redact *redact.Redactor
}

// Take implements bot.Clerk. A text loses its secrets before it is read; what else is
// kept of a file does in the store.
func (c discreetClerk) Take(ctx context.Context, key string, n int, name, mime string, b []byte) (run.File, error) {
	if utf8.Valid(b) {
		b = c.redact.Document(b)
	}
	f, err := c.Clerk.Take(ctx, key, n, name, mime, b)
	return redact.Deep(c.redact, f), err
}

// A veiled error says no secret and is the same to errors.Is and errors.As.
type veiled struct {
	error
	text string
}

func (v veiled) Error() string { return v.text }
func (v veiled) Unwrap() error { return v.error }

// veil has the errors of all commands say no secret.
func (s *shell) veil(root *cobra.Command) {
	for _, c := range root.Commands() {
		s.veil(c)
	}
	do := root.RunE
	if do == nil {
		return
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		err := do(cmd, args)
		if err == nil {
			return nil
		}
		text := s.redact.Text(err.Error())
		if text == err.Error() {
			return err
		}
		return veiled{err, text}
	}
}

type redactTrial struct {
	Text string `json:"text"`
}

type redacted struct {
	Text  string   `json:"text"`
	Found []string `json:"found"`
}

// tryRedact takes secrets out of lines, those of the configuration too.
func (s *shell) tryRedact() *cobra.Command {
	return s.trial("redact", "{text} → {text, found}: secrets taken out, and their kinds", func(context.Context) (judge, error) {
		cfg, err := s.config()
		if err != nil {
			return nil, err
		}
		r := redactor(cfg)
		return typed(func(in redactTrial) any {
			text, found := r.Redact(in.Text)
			if found == nil {
				found = []string{}
			}
			return redacted{text, found}
		}), nil
	})
}
