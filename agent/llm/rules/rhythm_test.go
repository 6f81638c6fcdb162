package rules

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
)

// "Make it weekly" keeps the time of day of whatever schedule it is; the day of the week is
// the one that it has, or is asked for.
func TestMakeItWeekly(t *testing.T) {
	now := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	for spec, want := range map[string]string{
		"0 9 1 * *":  "0 9 ?",
		"0 9 LW * *": "0 9 ?", // last working day
		"DTSTART:20261101T173000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1":                           "30 17 ?",
		"DTSTART:20261106T160500\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=16;BYMINUTE=5": "5 16 * * FRI",
		"30 8 * * MON-FRI":       "30 8 ?",
		"0 9 * * *":              "0 9 ?",
		"*/15 * * * *":           "no",
		"0 9,17 * * *":           "no",
		"@once 2026-12-01T09:00": "no",
	} {
		when, noDay, ok := inRhythm(spec, "week", now, time.UTC)
		got := when
		switch {
		case !ok:
			got = "no"
		case noDay:
			got = strings.TrimSuffix(when, "* * MON") + "?"
		}
		if got != want {
			t.Errorf("inRhythm(%q, week) = %q, want %q", spec, got, want)
		}
	}
	for lang, tt := range map[string]struct{ say, ask, answer string }{
		"en": {"make it weekly", "On which day of the week?", "on Thursday"},
		"zh": {"改成每周", "每周几？", "周四"},
	} {
		began := &llm.Began{Job: "j1a2b3c4d", When: "0 9 LW * *", Request: "sales last month"}
		tools := map[string]fakeTool{
			"ask": func(args map[string]any) llm.Result {
				if args["question"] != tt.ask {
					t.Errorf("%s: asked %v, want %s", lang, args["question"], tt.ask)
				}
				return llm.Result{Text: `{"answer":"` + tt.answer + `"}`}
			},
			scheduleEdit: func(map[string]any) llm.Result { return llm.Result{Text: `{"job":"j1a2b3c4d"}`} },
		}
		log, last := game{tools: tools, scene: llm.Scene{Lang: lang, Began: began}}.play(t, tt.say)
		if all := strings.Join(log, "\n"); !strings.Contains(all, `"when":"0 9 * * THU"`) {
			t.Errorf("%s: calls %s, then %s; want each Thursday at 9", lang, all, last)
		}
	}
}

// A yes to a question that offers one day takes that day, and a no leaves it.
func TestYesToTheDayThatIsOffered(t *testing.T) {
	for lang, tt := range map[string]struct {
		say, day, offer, nothing string
		yes                      []string
		no                       string
	}{
		"en": {"remind me to call the bank", "October 25 at 9am", "25 October 2027", "nothing was done", []string{"yes", "sure", "ok", "Yes please!"}, "no"},
		"zh": {"提醒我给银行打电话", "10月25号上午9点", "2027年10月25日", "什么都没有做", []string{"是的", "对", "好的", "嗯"}, "算了"},
	} {
		for _, yes := range append(tt.yes, tt.no) {
			var asked []string
			tools := map[string]fakeTool{
				"ask": func(args map[string]any) llm.Result {
					q, _ := args["question"].(string)
					if asked = append(asked, q); len(asked) == 1 {
						return llm.Result{Text: `{"answer":"` + tt.day + `"}`}
					}
					return llm.Result{Text: `{"answer":"` + yes + `"}`}
				},
				scheduleAdd: func(map[string]any) llm.Result { return llm.Result{Text: `{"job":"j1a2b3c4d"}`} },
			}
			log, last := game{tools: tools, scene: llm.Scene{Lang: lang}}.play(t, tt.say)
			all := strings.Join(log, "\n")
			if len(asked) != 2 || !strings.Contains(asked[1], tt.offer) {
				t.Fatalf("%s: asked %q, want the second to offer %s", lang, asked, tt.offer)
			}
			if took := strings.Contains(all, "2027-10-25T09:00"); took != (yes != tt.no) || !took && !strings.Contains(last, tt.nothing) {
				t.Errorf("%s, %s: calls %s, then %s", lang, yes, all, last)
			}
		}
	}
}
