package memory_test

import (
	"slices"
	"testing"

	"hermes/memory"
)

// What stands beside what was found is found too where it may be the answer: behind what
// it stands beside, and not where it has nothing to do with it.
func TestFoundBeside(t *testing.T) {
	turn := func(id, speaker, at, text string) any {
		return obj{"add": obj{"id": id, "speaker": speaker, "conversation": "talk", "at": at, "text": text}}
	}
	find := func(t *testing.T, question string, lines ...any) []string {
		t.Helper()
		got := tryWith(t, memory.DefaultWeights(), append(lines, obj{"query": question, "conversation": "talk", "k": 9})...)
		return got[len(got)-1].IDs
	}
	for name, c := range map[string]struct {
		question string
		lines    []any
		want     []string
	}{
		"an answer is, behind its question": {"where does Ann fly in August?", []any{
			turn("asked", "Ben", "2026-05-01T10:00:00Z", "Where do you fly in August?"), turn("said", "Ann", "2026-05-01T10:01:00Z", "Lisbon, at last!"),
			turn("other", "Ben", "2026-05-01T19:00:00Z", "Dinner is ready"),
		}, []string{"asked", "said"}},
		"回答跟在问题后面": {"八月飞哪里？", []any{
			turn("asked", "小王", "2026-05-01T10:00:00Z", "八月你飞哪里？"), turn("said", "小李", "2026-05-01T10:01:00Z", "里斯本！"),
			turn("other", "小王", "2026-05-01T19:00:00Z", "吃饭了"),
		}, []string{"asked", "said"}},
		"what one person has kept, one thing after another, is not": {"what do you know about Mars?", []any{
			turn("tea", "Ann", "2026-05-01T10:00:00Z", "green tea with lemon"), turn("mars", "Ann", "2026-05-01T10:01:00Z", "Mars is our code name of the merger"),
			turn("boss", "Ann", "2026-05-01T10:02:00Z", "Bob signs holidays"),
		}, []string{"mars"}},
		"what was said there on another day is not": {"what do you know about Mars?", []any{
			turn("tea", "Ben", "2026-05-01T10:00:00Z", "green tea with lemon"), turn("mars", "Ann", "2026-05-02T10:00:00Z", "Mars is our code name of the merger"),
			turn("boss", "Ben", "2026-05-03T10:00:00Z", "Bob signs holidays"),
		}, []string{"mars"}},
		"what stands beside the weakest hit is not": {"who signs the contract with the harbour of Genoa?", []any{
			turn("hit", "Ann", "2026-05-01T10:00:00Z", "Carla signs the contract with the harbour of Genoa"), turn("weak", "Ann", "2026-05-02T10:00:00Z", "Ben signs too many birthday cards for people he has hardly met"),
			turn("tea", "Ben", "2026-05-02T10:01:00Z", "green tea with lemon"),
		}, []string{"hit", "weak"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := find(t, c.question, c.lines...); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// A word as it is spelled is worth more than another of its stem, and what a whole
// conversation is about does not hide the one that is rare in it.
func TestWordsThatTellApart(t *testing.T) {
	var lines []any
	add := func(id, talk, text string) {
		lines = append(lines, obj{"add": obj{"id": id, "conversation": talk, "text": text}})
	}
	add("room", "home", "Vacuum the living room")
	add("here", "home", "I live on the hill, if you come by, with two cats and a lodger")
	for i := range 30 {
		add("t"+string(rune('a'+i)), "shop", "the espresso machine, my espresso machine and part "+string(rune('a'+i))+" of it")
	}
	add("wand", "shop", "the steam wand was bent when I took it out of the box, and the tray of it had popped out of its place, which I could mend")
	for i := range 60 {
		add("n"+string(rune('0'+i)), "news", "number "+string(rune('0'+i))+" was drawn")
	}
	for question, want := range map[string]string{"where do I live?": "here", "which part of my espresso machine was bent?": "wand"} {
		got := tryWith(t, memory.DefaultWeights(), append(slices.Clone(lines), obj{"query": question, "k": 3})...)
		if ids := got[len(got)-1].IDs; len(ids) == 0 || ids[0] != want {
			t.Errorf("%s: %q, want %s first", question, ids, want)
		}
	}
}
