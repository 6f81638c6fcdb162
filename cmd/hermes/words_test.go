package main

import (
	"strings"
	"testing"

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
