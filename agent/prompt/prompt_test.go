package prompt_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/internal/golden"
)

var shanghai = time.FixedZone("CST", 8*3600)

func scene(lang string) llm.Scene {
	return llm.Scene{Run: "k", Asker: "slack:T:ana", Home: "slack/T/C/", Lang: lang, Now: time.Date(2026, 11, 2, 9, 30, 0, 0, shanghai), Zone: "Asia/Shanghai"}
}

func month(s llm.Scene) llm.Scene {
	s.From, s.To = time.Date(2026, 10, 1, 0, 0, 0, 0, shanghai), time.Date(2026, 11, 1, 0, 0, 0, 0, shanghai)
	return s
}

func system(t *testing.T, s llm.Scene, a prompt.About) string {
	t.Helper()
	text, err := prompt.Writer{}.System(s, a)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What a model reads before each sort of request.
func TestSystem(t *testing.T) {
	known := scene("en")
	known.Facts = []llm.Fact{{Subject: "ana", Predicate: "prefers-format", Object: "CSV & \"quotes\" <b>"}, {Subject: "ana", Predicate: "reports-to", Object: "李雷"}}
	for name, tt := range map[string]struct {
		scene llm.Scene
		about prompt.About
	}{
		"task":      {scene("en"), prompt.About{}},
		"task.zh":   {scene("zh"), prompt.About{}},
		"known":     {known, prompt.About{}},
		"slot":      {month(scene("en")), prompt.About{Job: true}},
		"rehearsal": {month(scene("en")), prompt.About{Job: true, Rehearse: true}},
		"light":     {scene("en"), prompt.About{Light: true}},
		"light.zh":  {scene("zh"), prompt.About{Light: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got := system(t, tt.scene, tt.about) + "\n"
			golden.Check(t, name+".golden", got)
		})
	}
}

func TestKnownIsLabelled(t *testing.T) {
	known := scene("en")
	known.Facts = []llm.Fact{{Subject: "ana", Predicate: "note", Object: "tea", Label: "inferred 2026-05-03, confidence 0.7"}}
	if got := system(t, known, prompt.About{}); !strings.Contains(got, "- ana note: tea (inferred 2026-05-03, confidence 0.7)\n") {
		t.Errorf("MEM-20 the prompt has\n%s", got)
	}
}

// The first part is the same for every request, byte for byte, so that a provider's
// cache of prompts works.
func TestTheFirstPartIsTheSameForEveryRequest(t *testing.T) {
	first := system(t, scene("en"), prompt.About{})
	fixed := first[:strings.LastIndex(first, "\n\n")]
	if len(fixed) < 800 {
		t.Fatalf("the fixed part has %d bytes, want nearly all of it:\n%s", len(fixed), fixed)
	}
	later := scene("zh")
	later.Now, later.Zone, later.Asker = later.Now.AddDate(0, 1, 0), "UTC", "slack:T:gus"
	later.Facts = []llm.Fact{{Subject: "gus", Predicate: "note", Object: "x"}}
	for name, got := range map[string]string{
		"another person, time and language": system(t, later, prompt.About{}),
		"a slot":                            system(t, month(later), prompt.About{Job: true, Rehearse: true}),
	} {
		if !strings.HasPrefix(got, fixed) {
			t.Errorf("%s begins with another text:\n%s", name, got)
		}
	}
}

// C26: a slot's period is said by its first and last day, or by the minute where it is
// not made of days.
func TestC26TheSlotsPeriodIsSaid(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, shanghai) }
	for name, tt := range map[string]struct {
		from, to time.Time
		want     string
	}{
		"a month":  {time.Date(2026, 10, 1, 0, 0, 0, 0, shanghai), at(1, 0), "the period 2026-10-01 to 2026-10-31;"},
		"a day":    {at(1, 0), at(2, 0), "the period 2026-11-01 to 2026-11-01;"},
		"an hour":  {at(2, 8), at(2, 9), "the period 2026-11-02 08:00 to 2026-11-02 09:00;"},
		"36 hours": {at(1, 0), at(2, 12), "the period 2026-11-01 00:00 to 2026-11-02 12:00;"},
	} {
		s := scene("en")
		s.From, s.To = tt.from, tt.to
		if got := system(t, s, prompt.About{Job: true}); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q does not say %q", name, got[strings.LastIndex(got, "Now:"):], tt.want)
		}
	}
	if got := system(t, scene("en"), prompt.About{}); strings.Contains(got, "the period") {
		t.Error("a request that is no slot has a period")
	}
}

// DEC-17, DEC-18, DEC-19, DEC-24, DEC-25, FAIL-20 Our own prompt holds all that a prompt must,
// and nothing that it must not.
func TestDEC17OurPromptPassesItsOwnLint(t *testing.T) {
	missing, faults := prompt.Lint(system(t, scene("en"), prompt.About{}))
	if len(missing)+len(faults) > 0 {
		t.Errorf("missing %q, faults %q", missing, faults)
	}
}

const own = "You are Ada. Only answer what you are asked.\nTools: fill each argument from what was said; results may be cut.\n" +
	"Once you know it you must answer, and never call a tool only to confirm.\nOn an error retry, take a different approach, or end."

// DEC-17, DEC-18, DEC-20 A prompt of an operator's own lacks nothing, or the start
// fails with what it lacks; what invites a model to go on for ever is warned of.
func TestDEC17OwnPrompts(t *testing.T) {
	w, faults, err := prompt.New(own)
	if err != nil || len(faults) > 0 {
		t.Fatalf("New = %v, faults %q", err, faults)
	}
	text, err := w.System(scene("zh"), prompt.About{})
	if err != nil || !strings.HasPrefix(text, own) || !strings.Contains(text, "Answer in Chinese.") || prompt.Fixed(text) != len(own) {
		t.Errorf("the prompt is %q, %v", text, err)
	}
	if w.Version() == (prompt.Writer{}).Version() {
		t.Error("PRIN-07 it has the version of the built-in one")
	}
	if text, err := w.System(scene("en"), prompt.About{Light: true}); err != nil || strings.Contains(text, "Ada") {
		t.Errorf("small talk has the prompt of work: %q, %v", text, err)
	}
	for name, without := range map[string]string{
		"identity": "You are Ada. Only answer what you are asked.", "tools": "Tools: fill each argument from what was said; results may be cut.",
		"when to end": "Once you know it you must answer, and never call a tool only to confirm.",
		"errors":      "On an error retry, take a different approach, or end.",
		"retry":       "retry, ", "another approach": "take a different approach, ",
	} {
		if _, _, err := prompt.New(strings.Replace(own, without, "", 1)); err == nil {
			t.Errorf("a prompt without %s was taken", name)
		}
	}
	if _, faults, err := prompt.New(own + " Think step by step and use tools as needed."); err != nil || len(faults) != 2 {
		t.Errorf("loose words: %v, faults %q; want two", err, faults)
	}
	braces, _, err := prompt.New(own + ` Write {{.Facts}} and "quotes".`)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := braces.System(scene("en"), prompt.About{}); err != nil || !strings.Contains(text, `Write {{.Facts}} and "quotes".`) {
		t.Errorf("the text of an operator was run: %q, %v", text, err)
	}
}

// EXIT-13 The closing call says why the work stops and asks for what is missing.
func TestEXIT13Closing(t *testing.T) {
	text, err := prompt.Closing("the time is over")
	if err != nil || !strings.Contains(text, "the time is over") || !strings.Contains(text, "missing") {
		t.Errorf("closing = %q, %v", text, err)
	}
}

// Issue 3: the prompt of small talk takes at most 1 KB.
func TestSmallTalkIsShort(t *testing.T) {
	if text := system(t, scene("zh"), prompt.About{Light: true}); len(text) > 600 {
		t.Errorf("%d bytes", len(text))
	}
}

// FAIL-03, FAIL-11, L6, L8 Each level of Shorten tells less, the request stays whole, no call
// loses its result, and text is never cut within a character.
func TestFAIL03Shorten(t *testing.T) {
	long := strings.Repeat("数字 words ", 2000)
	m := []llm.Message{
		{Role: llm.User, Text: "earlier " + long}, {Role: llm.Assistant, Text: "reply " + long}, {Role: llm.User, Text: "the request"},
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "look"}}}, {Role: llm.User, Results: []llm.Result{{ID: "1", Text: long}}},
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "2", Name: "look"}}}, {Role: llm.User, Results: []llm.Result{{ID: "2", Text: long}}},
	}
	size := func(ms []llm.Message) (n int) {
		for _, m := range ms {
			n += len(m.Text)
			for _, r := range m.Results {
				n += len(r.Prose())
			}
		}
		return n
	}
	before := size(prompt.Shorten(m, "the request", 0))
	for level := 1; level <= prompt.Levels; level++ {
		got := prompt.Shorten(m, "the request", level)
		if n := size(got); n >= before {
			t.Errorf("level %d has %d bytes, the one before %d", level, n, before)
		} else {
			before = n
		}
		calls, results, asked := 0, 0, false
		for _, m := range got {
			calls, results, asked = calls+len(m.Calls), results+len(m.Results), asked || m.Text == "the request"
			if !utf8.ValidString(m.Text) {
				t.Errorf("level %d cuts a character: %q", level, m.Text)
			}
			for _, r := range m.Results {
				if !utf8.ValidString(r.Prose()) {
					t.Errorf("level %d cuts a character of a result", level)
				}
			}
		}
		if calls != 2 || results != 2 || !asked {
			t.Errorf("level %d: %d calls, %d results, request told %t", level, calls, results, asked)
		}
	}
	if m[6].Results[0].Brief != "" {
		t.Error("Shorten has changed what it was given")
	}
}

// DEC-17 An operator's prompt may be Chinese.
func TestDEC17AChinesePromptIsTaken(t *testing.T) {
	const text = "你是小助手，只回答被问到的事，不得编造。\n工具：参数从对话和结果里取；结果可能被截断。\n" +
		"一旦结果齐全，就必须立即回答并结束，不要为了确认再次调用工具。\n出错时：改参数重试，换个方法，或者结束并说明缺什么。"
	if _, faults, err := prompt.New(text); err != nil || len(faults) > 0 {
		t.Errorf("New = %v, faults %q", err, faults)
	}
}
