package bot

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/agent/run"
)

// X8 An amount says of which kind it is; what could be either is neither.
func TestReadAmount(t *testing.T) {
	for text, want := range map[string]run.Amount{
		"$10": {Nanos: 10e9}, "$0.5": {Nanos: 5e8}, "10 usd": {Nanos: 10e9}, "USD 10": {Nanos: 10e9}, "10 dollars": {Nanos: 10e9}, "10美元": {Nanos: 10e9},
		"$1,000.50": {Nanos: 1_000_500_000_000}, "200000 tokens": {Tokens: 200_000}, "200k tokens": {Tokens: 200_000}, "2M tokens": {Tokens: 2_000_000},
		"20万 tokens": {Tokens: 200_000}, "20万个tokens": {Tokens: 200_000}, "1 token": {Tokens: 1},
		"10": {}, "": {}, "$": {}, "-$5": {}, "$-5": {}, "ten dollars": {}, "$10 tokens": {}, "0 tokens": {}, "$0": {}, "1e9 usd": {}, "9999999999999 tokens": {}, "$10x": {},
	} {
		got, ok := ReadAmount(text)
		if got != want || ok != (want != run.Amount{}) {
			t.Errorf("ReadAmount(%q) = %+v, %t; want %+v", text, got, ok, want)
		}
	}
}

// purses are budgets of whoever looks.
type purses struct {
	all   []run.Purse
	raise func(run.Raise) (run.Purse, error)
}

func (p purses) Near(context.Context, run.Request) ([]run.Purse, error)        { return nil, nil }
func (p purses) Purses(context.Context, string, string) ([]run.Purse, error)   { return p.all, nil }
func (p purses) RaiseBudget(_ context.Context, r run.Raise) (run.Purse, error) { return p.raise(r) }

const (
	anaInT1 = "slack:T1:ANA"
	leeInT1 = "slack:T1:LEE"
)

func someBudgets() []run.Purse {
	until := time.Date(2026, 12, 3, 0, 0, 0, 0, time.UTC)
	limit := run.Amount{Nanos: 5e9}
	return []run.Purse{
		{Budget: "user/day", Of: anaInT1, Limit: limit, Spent: run.Amount{Nanos: 420e6}, Until: until, Warn: 0.8},
		{Budget: "user/day", Of: leeInT1, Limit: limit, Until: until},
		{Budget: "channel/month", Of: "slack:T1:C1", Limit: run.Amount{Tokens: 200_000}, Spent: run.Amount{Tokens: 12_345}, Until: until},
		{Budget: "day", Limit: run.Amount{Nanos: 20e9, Tokens: 1e6}, Until: until},
		{Budget: "month", Limit: limit, Until: until},
		{Budget: "run", Of: "slack/T1/C1/1", Limit: run.Amount{Tokens: 9000}},
	}
}

// X8 A budget is raised by its name, by whose it is, or by where and when it is said; of
// what could be several none is.
func TestRaiseWords(t *testing.T) {
	trace := run.TraceOf("slack/T1/C1/1")
	for text, want := range map[string]string{
		"budget raise user/day:slack:T1:ANA to $10":       "user/day:" + anaInT1,
		"/budget raise `user/day:slack:T1:ANA` $10":       "user/day:" + anaInT1,
		"budget raise me to $10":                          "user/day:" + leeInT1,
		"raise the budget of @Ana to $10":                 "user/day:" + anaInT1,
		"please raise the budget of today to $30":         "day",
		"raise the budget for this month to 30 usd":       "month",
		"raise the budget of #sales to 400k tokens":       "channel/month:slack:T1:C1",
		"raise the budget of here to 400000 tokens":       "channel/month:slack:T1:C1",
		"budget raise run:" + trace + " to 20000 tokens":  "run:" + trace,
		"把今天的预算提高到 $30":                                   "day",
		"请把本月的预算提高到30美元":                                  "month",
		"把 Ana 的预算提高到 $10":                                "user/day:" + anaInT1,
		"预算 提高 user/day:slack:T1:ANA 到 $10":               "user/day:" + anaInT1,
		"budget raise job/day:j7 to $10":                  "job/day:j7",
		"budget raise":                                    "?",
		"budget raise today to 30":                        "?", // of dollars and of tokens
		"budget raise me 10":                              "user/day:" + leeInT1,
		"budget raise user/day:slack:T1:ANA to 10.50":     "user/day:" + anaInT1,
		"budget raise month to 1,000":                     "month",
		"budget raise here to 400000":                     "?", // of tokens alone
		"budget raise job/day:j7 to 10":                   "?", // nobody here knows of which kind it is
		"budget raise today":                              "?",
		"budget list":                                     "",
		"budgets":                                         "",
		"预算":                                              "",
		"my budget":                                       "",
		"raise our sales by region to the team":           "no",
		"what is the budget of marketing?":                "no",
		"把上个月的预算发到 #sales":                                "no",
		"销售预算":                                            "no",
		"raise the budget question with finance tomorrow": "no",
		"raise the budget of marketing to the board":      "no",
		"把市场部的预算提高到30万":                                   "no",
		"draft a budget":                                  "no",
	} {
		got := ""
		b := New(Config{Approvers: []string{leeInT1}, Zone: "UTC"}, Parts{Log: slog.New(slog.DiscardHandler), Chats: map[string]Poster{"slack": called{}}, Budgets: purses{
			all: someBudgets(), raise: func(r run.Raise) (run.Purse, error) {
				got = r.Purse
				return run.Purse{Budget: "day", Limit: r.Limit}, nil
			},
		}})
		m := Message{Key: "m", From: leeInT1, Text: text, Place: Place{Platform: "slack", Workspace: "T1", Channel: "C1"}}
		switch ours := b.isBudget(m); {
		case want == "no" && ours:
			t.Errorf("%q is taken for the program's budgets", text)
			continue
		case want == "no":
			continue
		case !ours:
			t.Errorf("%q is not taken for the program's budgets", text)
			continue
		case want == "":
			if !asksBudgets.MatchString(text) {
				t.Errorf("%q does not list them", text)
			}
			continue
		}
		said, err := b.raise(t.Context(), Item{Key: "m", Place: m.Place}, m, &english, someBudgets())
		if err != nil {
			t.Fatal(err)
		}
		if want == "?" && (got != "" || !strings.Contains(said.text, "budget raise")) || want != "?" && got != want {
			t.Errorf("%q raises %q and says %q; want %q", text, got, said.text, want)
		}
	}
	b := New(Config{}, Parts{Log: slog.New(slog.DiscardHandler)})
	if b.isBudget(Message{Text: "budget list"}) {
		t.Error("without budgets the words are taken all the same")
	}
}

// called is a platform that knows names.
type called struct{ Poster }

func (called) Called(person string) string {
	return map[string]string{anaInT1: "Ana", leeInT1: "Lee"}[person]
}
func (called) NameOf(person string) string             { return "<@" + UserOf(person) + ">" }
func (called) Alone(person string) Place               { return Place{Platform: "slack", Channel: UserOf(person)} }
func (called) PlaceName(context.Context, Place) string { return "#sales" }

// X8 A run that ends at a budget says which it is, how much, until when, and who can raise
// it by which words, in both languages; names stand where a platform may call people.
func TestWhatIsSaidAtABudget(t *testing.T) {
	b := New(Config{Approvers: []string{leeInT1}, Zone: "UTC"}, Parts{Log: slog.New(slog.DiscardHandler), Chats: map[string]Poster{"slack": called{}}})
	home := Place{Platform: "slack", Workspace: "T1", Channel: "C1"}
	purse := someBudgets()[0]
	purse.Spent = run.Amount{Nanos: 5e9}
	for lang, want := range map[string]string{
		"en": "This is not complete: a budget is used up.\nYou, today: $5.00 of $5.00. It begins anew on 3 December, 00:00 UTC. <@LEE> can raise it. ` budget raise user/day:slack:T1:ANA to $10.00 `\n\nWhat I have: seven.",
		"zh": "还没做完：有一个预算已经用完。\n你今天：$5.00，上限 $5.00。12月3日 00:00 UTC 重新开始计算。<@LEE> 可以提高它。` budget raise user/day:slack:T1:ANA to $10.00 `\n\nWhat I have: seven.",
	} {
		out := run.Outcome{Key: "k/end", Why: run.Spent, State: run.Suspended, Purse: &purse, Text: "What I have: seven.", Asker: anaInT1}
		p, _ := b.ending(t.Context(), home, "k", lang, out)
		if p.Text != want {
			t.Errorf("%s: %q\nwant %q", lang, p.Text, want)
		}
		if len(p.Choices) != 2 || len(p.Names) != 1 || p.Text[p.Names[0].From:p.Names[0].To] != "<@LEE>" {
			t.Errorf("%s: choices %+v, names %+v", lang, p.Choices, p.Names)
		}
	}
	// Of what is not used up it says what is left, and why that is too little.
	nearly := purse
	nearly.Limit, nearly.Spent = run.Amount{Nanos: 600e6}, run.Amount{Nanos: 590e6}
	for lang, want := range map[string]string{
		"en": "This is not complete: the next step would pass a budget.\nYou, today: $0.59 of $0.60. $0.01 is left, and the next call of the model would pass it. It begins anew on",
		"zh": "还没做完：下一步会超出一个预算。\n你今天：$0.59，上限 $0.60。还剩 $0.01，再调用一次模型就会超出。",
	} {
		out := run.Outcome{Key: "k/end", Why: run.Spent, State: run.Suspended, Purse: &nearly, Text: "What I have: seven.", Asker: anaInT1}
		p, _ := b.ending(t.Context(), home, "k", lang, out)
		if !strings.HasPrefix(p.Text, want) || !strings.HasSuffix(p.Text, "What I have: seven.") || strings.Contains(p.Text, "used up") || strings.Contains(p.Text, "用完") {
			t.Errorf("%s: %q\nwant %q", lang, p.Text, want)
		}
		if len(p.Names) != 1 || p.Text[p.Names[0].From:p.Names[0].To] != "<@LEE>" {
			t.Errorf("%s: names %+v in %q", lang, p.Names, p.Text)
		}
	}
	purse = someBudgets()[0]
	for lang, want := range map[string]string{"en": "today $0.42 of $5.00", "zh": "今天 $0.42，上限 $5.00"} {
		if got := PurseLine(lang, purse); got != want {
			t.Errorf("line = %q, want %q", got, want)
		}
	}
	for lang, want := range map[string]string{"en": "You may not use this here", "zh": "不能用这个功能"} {
		p, _ := b.ending(t.Context(), home, "k", lang, run.Outcome{Key: "k/end", State: run.Done, Undone: []run.Undone{{Tool: "post_message", Hidden: true}}})
		if !strings.Contains(p.Text, want) {
			t.Errorf("%s: %q, want %q", lang, p.Text, want)
		}
	}
}

// readers say in which language people read; whoever is asked alone has a place.
type readers struct {
	called
	lang map[string]string
}

func (r readers) Speaks(person string) string { return r.lang[person] }
func (readers) Alone(person string) Place {
	return Place{Platform: "slack", Workspace: "T1", Channel: UserOf(person)}
}

type posted struct {
	Outbox
	all map[string]Post
}

func (p posted) Add(_ context.Context, x Post) error { p.all[x.By] = x; return nil }

// began knows of nothing that began a run.
type began struct{ Inbox }

func (began) Holding(context.Context, string) (Item, bool, error) { return Item{}, false, nil }

// X8 A warning is in the language of who reads it: for who asked in that of what they
// asked, for an admin in theirs.
func TestAWarningIsInTheLanguageOfItsReader(t *testing.T) {
	for _, tt := range []struct{ asked, admin, ana, lee string }{
		{"en", "zh", "en", "zh"}, {"zh", "en", "zh", "en"}, {"zh", "", "zh", "zh"},
	} {
		out := posted{all: map[string]Post{}}
		b := New(Config{Approvers: []string{leeInT1}}, Parts{Outbox: out, Inbox: began{}, Chats: map[string]Poster{"slack": readers{lang: map[string]string{leeInT1: tt.admin}}}})
		r := run.Run{Request: run.Request{Key: "slack/T1/C1/1", Asker: anaInT1, Lang: tt.asked}}
		home := Place{Platform: "slack", Workspace: "T1", Channel: "C1"}
		if err := b.warnOf(t.Context(), home, r, someBudgets()[0], "k"); err != nil {
			t.Fatal(err)
		}
		for person, want := range map[string]string{anaInT1: tt.ana, leeInT1: tt.lee} {
			p := out.all[person]
			if has := strings.ContainsAny(p.Text, "的预算已"); p.Lang != want || has != (want == "zh") {
				t.Errorf("asked in %s, %s reads %q in %q, want %s", tt.asked, person, p.Text, p.Lang, want)
			}
		}
	}
}
