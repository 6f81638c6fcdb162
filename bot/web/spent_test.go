package web_test

import (
	"context"
	"strings"
	"testing"

	"hermes/bot"
)

// Purses implements bot.Treasurer.
func (d *desk) Purses(context.Context, string, string) ([]bot.PurseView, error) { return d.purses, nil }

// X8 Over the runs stands what was spent of which budget, in the visitor's language; those
// that are nearly over stand out, and without budgets there is no word of them.
func TestX8ThePageOfRunsSaysWhatIsSpent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("")
	if _, page, _ := b.get("/runs"); strings.Contains(page, "Budget:") {
		t.Error("there is a word of budgets without any")
	}
	all := bot.PurseView{Budget: "day", Warn: 0.8}
	all.Spent.Nanos, all.Limit.Nanos = 18e9, 20e9
	other := bot.PurseView{Budget: "user/day", Of: "web:demo:nobody", Warn: 0.8}
	other.Spent.Tokens, other.Limit.Tokens = 100, 5_000
	s.desk.purses = []bot.PurseView{all, other}
	for _, at := range []string{"/runs", "/runs?part=list"} {
		_, page, _ := b.get(at)
		for _, want := range []string{"everybody, today: $18.00 of $20.00", `class="spent near"`, "today 100 of 5,000 tokens (user/day:web:demo:nobody)"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q:\n%s", at, want, page)
			}
		}
	}
}
