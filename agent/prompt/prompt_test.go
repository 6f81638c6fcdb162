package prompt_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
	"hermes/agent/prompt"
)

var update = flag.Bool("update", false, "write golden files anew")

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
	text, err := prompt.System(s, a)
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
			name := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
		})
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
