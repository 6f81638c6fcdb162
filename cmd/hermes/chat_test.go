package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// What is piped to chat is answered before it ends, in the order in which it was
// said, plainly and without a colour.
func TestAPipedLineIsAnswered(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got, err := d.hermes(ctx, "sales last month by region\n\n你好\n", "chat")
	if err != nil {
		t.Fatalf("chat = %v\n%s", err, got)
	}
	for _, want := range []string{"hermes: Sales by region, ", "\nregion  ", "\n-------------  ---", "hermes: 你好"} {
		if !strings.Contains(got, want) {
			t.Errorf("chat says\n%s\nwant %q", got, want)
		}
	}
	if strings.ContainsAny(got, "\x1b|*") || strings.Contains(got, "You talk to") {
		t.Errorf("chat says\n%q\nwant neither marks, nor colours, nor its welcome", got)
	}
	if again, err := d.hermes(ctx, "hello\n", "chat"); err != nil || strings.Contains(again, "by region") {
		t.Errorf("the next chat = %v\n%s\nwant only what was said in it", err, again)
	}
	if got, err := d.hermes(ctx, "every month on the 1st at 9:00 show me the sales by region\n", "chat"); err == nil || !strings.Contains(got, "a question waits") || !strings.Contains(got, "[1] ") {
		t.Errorf("chat with a question = %v\n%s\nwant that it waits", err, got)
	}
	if got, err := d.hermes(ctx, "1\n", "chat"); err != nil || !strings.Contains(got, "hermes: ") {
		t.Errorf("chat that presses = %v\n%s\nwant what came of it", err, got)
	}
	if f, err := os.Open(os.DevNull); err != nil || isTerminal(f) || isTerminal(strings.NewReader("")) {
		t.Errorf("%v: what is no terminal is taken for one", err)
	}
}
