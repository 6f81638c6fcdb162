package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/tool"
	"hermes/bot"
)

// Every built-in tool has a word of its own for people, in both languages: nobody who
// talks to the bot reads the name of a program.
func TestEveryToolHasAWordForPeople(t *testing.T) {
	unset(t)
	h, end := raise(t, t.TempDir())
	defer end()
	specs := h.tools.Specs()
	if len(specs) < 10 {
		t.Fatalf("%d tools, want all of them", len(specs))
	}
	for _, s := range specs {
		for _, lang := range []string{"en", "zh"} {
			if word, ok := bot.ToolWord(lang, s.Name); !ok || word == "" || strings.Contains(word, "_") {
				t.Errorf("%s is called %q in %s", s.Name, word, lang)
			}
		}
	}
}

// So has every argument of a tool that changes something, and each of the few that one
// may be: people fill them in before they say yes.
func TestEveryArgumentThatPeopleFillInHasAWord(t *testing.T) {
	unset(t)
	h, end := raise(t, t.TempDir())
	defer end()
	for _, s := range h.tools.Specs() {
		if s.Effect == tool.Read && !s.Keeps {
			continue
		}
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		if err := json.Unmarshal(s.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		for name, p := range schema.Properties {
			for _, lang := range []string{"en", "zh"} {
				if word, ok := bot.ArgWord(lang, name); !ok || word == "" {
					t.Errorf("%s of %s has no word in %s", name, s.Name, lang)
				}
				for _, v := range p.Enum {
					if word, ok := bot.ArgWord(lang, name, v); !ok || word == "" {
						t.Errorf("%s as %s of %s has no word in %s", v, name, s.Name, lang)
					}
				}
			}
		}
	}
}
