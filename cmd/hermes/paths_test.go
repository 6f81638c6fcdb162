package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/config"
)

// SAFE-09: no tool reaches a file by a path. None takes an argument that is called like
// one, and a path in any argument of a tool that reads names nothing: not by "..", not as
// an absolute one, not through a link, not a device, in no writing of its case.
func TestSAFE09NoToolReachesAPath(t *testing.T) {
	in := newInsideOf(t, time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), func(*config.Config) {})
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.txt")
	const canary = "canary-of-a-file-outside"
	if err := os.WriteFile(secret, []byte(canary), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(in.cfg.Data, "link.txt")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	paths := []string{secret, link, "link.txt", "../" + filepath.Base(outside) + "/secret.txt", "./../../../../../../../../" + secret, strings.ToUpper(secret), "file://" + secret, "/dev/zero", "/proc/self/environ", "hermes.db", "../hermes.db", `..\..\secret.txt`}
	home := room("general", "t1").String()
	for _, s := range in.tools.Specs() {
		name := s.Name
		var schema struct {
			Properties map[string]struct {
				Type any   `json:"type"`
				Enum []any `json:"enum"`
			} `json:"properties"`
			Required []string `json:"required"`
		}
		if err := json.Unmarshal(s.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		for arg, p := range schema.Properties {
			for _, word := range []string{"path", "file", "dir", "folder", "url"} {
				if strings.Contains(strings.ToLower(arg), word) {
					t.Errorf("%s takes %s: a tool that reaches files needs an os.Root and a row of this test", name, arg)
				}
			}
			if s.Effect != tool.Read || p.Type != "string" || len(p.Enum) > 0 {
				continue
			}
			for _, path := range paths {
				args := map[string]any{arg: path}
				for _, other := range schema.Required {
					if other != arg {
						args[other] = "x"
					}
				}
				raw, err := json.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				r := run.Run{Request: run.Request{Key: "m1", Home: home, Asker: anaInDemo, Lang: "en", Now: in.time(), Zone: "UTC"}}
				res, err := in.tools.Lookup(name).Run(t.Context(), r.ToolCall(llm.Call{ID: "c1", Name: name, Args: raw}))
				if strings.Contains(res.Text, canary) || strings.Contains(res.Text, "SQLite format") || err != nil && strings.Contains(err.Error(), canary) {
					t.Errorf("%s %s tells of a file outside: %s", name, raw, res.Text)
				}
			}
		}
	}
}
