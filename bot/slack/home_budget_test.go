package slack_test

import (
	"strings"
	"testing"

	"hermes/bot"
)

// X8 The home has one line of what its viewer may still spend, and none where there are
// no budgets.
func TestX8TheHomeSaysWhatIsSpent(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Budget: today $0.42 of $5.00 · everybody, this month: 1,200 of 200,000 tokens", "zh": "预算：今天 $0.42，上限 $5.00 · 本月所有人：1,200，上限 200,000 tokens",
	} {
		room := aRoom(lang)
		if body, err := room.View(); err != nil || strings.Contains(string(body), strings.SplitN(want, " ", 2)[0]) {
			t.Errorf("without budgets: %v, %s", err, body)
		}
		mine := bot.PurseView{Budget: "user/day", Of: person(anaID)}
		mine.Spent.Nanos, mine.Limit.Nanos = 420e6, 5e9
		all := bot.PurseView{Budget: "month"}
		all.Spent.Tokens, all.Limit.Tokens = 1_200, 200_000
		room.Purses = []bot.PurseView{mine, all}
		if body, err := room.View(); err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %v, want %q in\n%s", lang, err, want, body)
		}
	}
}
