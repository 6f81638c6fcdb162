package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"hermes/agent/llm"
	"hermes/config"
	"hermes/internal/redact"
)

// `hermes try redact` gives back each line without its secrets and says their kinds; the
// values of the configuration count.
func TestTryRedact(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	t.Setenv("OPENAI_API_KEY", "my-own-Key-of-old")
	got, err := hermesIn(t, `{"text":"use my-own-Key-of-old"}
{"text":"postgres://ana:hunter2@db/x and commit 3f786850e387550fdab836ed7e6dc881de23001b <ok>"}
{"text":5}
{"text":""}
`, "try", "redact")
	want := `{"text":"use [redacted:configured]","found":["configured"]}
{"text":"postgres://ana:[redacted:url-password]@db/x and commit 3f786850e387550fdab836ed7e6dc881de23001b <ok>","found":["url-password"]}
{"error":"text: wants a string; got a number"}
{"text":"","found":[]}
`
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	t.Run("X2 written in another way", func(t *testing.T) {
		for _, own := range []string{"my-own-Key/of+old", "k8Zp3wQ9", "k8Z-w9"} { // the shortest that count, too
			r := redactor(config.Config{Model: config.Model{Endpoint: config.Endpoint{APIKey: config.Secret(own)}}})
			for name, text := range map[string]string{
				"base64": base64.StdEncoding.EncodeToString([]byte(own)), "base64 for URLs": base64.RawURLEncoding.EncodeToString([]byte(own)), "hex": hex.EncodeToString([]byte(own)),
				"percent": url.QueryEscape(own), "hex in capitals": strings.ToUpper(hex.EncodeToString([]byte(own))),
			} {
				if out, found := r.Redact("it is " + text + " there"); !slices.Contains(found, redact.Configured) || strings.Contains(out, text) {
					t.Errorf("%s of %q becomes %q, %q", name, own, out, found)
				}
			}
		}
	})
}

type parrot struct {
	heard llm.Request
	say   llm.Reply
	in    []string // pieces
}

func (*parrot) Name() string { return "parrot" }

func (p *parrot) Generate(_ context.Context, r llm.Request) (llm.Reply, error) {
	p.heard = r
	for _, piece := range p.in {
		r.Stream(piece)
	}
	return p.say, nil
}

// X1: a model reads no secret, wherever in a request it stands, and says none: not in
// words, not in pieces of them, not in arguments.
func TestADiscreetModel(t *testing.T) {
	const own = "my-own-Key-of-old"
	p := &parrot{
		say: llm.Reply{Message: llm.Message{Text: "It is " + own, Calls: []llm.Call{{ID: "1", Name: "x", Args: []byte(`{"password": 12345678, "q":"` + own + `"}`)}, {ID: "2", Name: "y", Args: []byte(`{"n": 1.50}`)}}}},
		in:  []string{"", "It is my-ow", "n-Key-", "of-old, I say", "", "Once more: my-own-", "Key-of-old."},
	}
	var drafts []string
	m := discreet{p, redact.New(own)}
	reply, err := m.Generate(t.Context(), llm.Request{
		System: "fixed " + own, Fixed: 8, Tools: []llm.Tool{{Name: "x", Description: own, Schema: []byte(`{"d":"` + own + `"}`)}},
		Messages: []llm.Message{{Role: llm.User, Text: own, Results: []llm.Result{{Text: own, Note: own}}, Calls: []llm.Call{{Args: []byte(`{"a":"` + own + `"}`)}}}},
		Scene:    llm.Scene{Facts: []llm.Fact{{Object: own}}, Files: []llm.File{{Said: own}}, Heard: []llm.Line{{Text: own}}},
		Stream:   func(s string) { drafts = append(drafts, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	p.heard.Stream = nil
	if s := cmp.Diff(llm.Request{}, p.heard); strings.Contains(s, own) {
		t.Errorf("the model reads it: %s", s)
	}
	want := llm.Message{Text: "It is [redacted:configured]", Calls: []llm.Call{{ID: "1", Name: "x", Args: []byte(`{"password": "[redacted:password]", "q":"[redacted:configured]"}`)}, {ID: "2", Name: "y", Args: []byte(`{"n": 1.50}`)}}}
	if diff := cmp.Diff(want, reply.Message); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "It is", " [redacted:configured], I", "", "Once more:", " [redacted:configured]."}, drafts); diff != "" {
		t.Errorf("pieces (-want +got):\n%s", diff)
	}
	p.in = nil
	if _, err := m.Generate(t.Context(), llm.Request{System: "fixed and " + own, Fixed: 5}); err != nil || p.heard.Fixed != 5 {
		t.Errorf("Fixed = %d, %v; want 5: that part is as it was", p.heard.Fixed, err)
	}
}

// The error of any command says no secret, and is still the error that it was.
func TestErrorsOfCommandsAreVeiled(t *testing.T) {
	s := &shell{redact: redact.New("my-own-Key-of-old")}
	root, child := &cobra.Command{Use: "a"}, &cobra.Command{Use: "b", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error {
		return errors.Join(fs.ErrExist, errors.New("with my-own-Key-of-old"))
	}}
	root.AddCommand(child)
	s.veil(root)
	if err := child.RunE(child, nil); !errors.Is(err, fs.ErrExist) || strings.Contains(err.Error(), "of-old") {
		t.Errorf("error = %v", err)
	}
}
