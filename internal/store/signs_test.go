package store_test

import (
	"strings"
	"testing"

	"hermes/internal/store"
	"hermes/memory"
)

// SAFE-06: recall gives out no fact that hermes has not written, by whatever it is found,
// and tells of it once; what was read in a fact's words by somebody else is read anew.
func TestRecallIsVouchedFor(t *testing.T) {
	for name, c := range map[string]struct {
		forge string
		finds bool // that ann's locker opens with a key, and tells nobody
	}{
		"other words":              {"UPDATE facts SET text = REPLACE(text, 'key', 'axe'), object = REPLACE(object, 'key', 'axe')", false},
		"others see it":            {"UPDATE facts SET audience = '" + bob + "', by_whom = '" + bob + "' WHERE text LIKE '%locker%'", false},
		"said elsewhere":           {"UPDATE facts SET place = 'test/w/C9' WHERE text LIKE '%locker%'", false},
		"without a seal":           {"UPDATE facts SET mac = '' WHERE text LIKE '%locker%'", false},
		"what it follows from":     {`UPDATE facts SET evidence = '["m9"]' WHERE text LIKE '%locker%'`, false},
		"how sure":                 {"UPDATE facts SET confidence = 0.7 WHERE text LIKE '%locker%'", false},
		"since when":               {"UPDATE facts SET event = said WHERE text LIKE '%locker%'", false},
		"until when":               {"UPDATE facts SET true_to = said WHERE text LIKE '%locker%'", false},
		"what becomes of it":       {"UPDATE facts SET used = said, hits = 9, status = 'disputed'", true},
		"what it is found by":      {"UPDATE fact_signs SET sign = zeroblob(36)", true},
		"the seal of that":         {"UPDATE fact_signs SET mac = ''", true},
		"what it is taken to say":  {"UPDATE fact_signs SET states = 'the locker opens', object = 'nobody'", true},
		"there is nothing read":    {"DELETE FROM fact_signs", true},
		"that of another's facts":  {"UPDATE fact_signs SET sign = (SELECT s.sign FROM fact_signs s WHERE s.seq <> fact_signs.seq), mac = (SELECT s.mac FROM fact_signs s WHERE s.seq <> fact_signs.seq)", true},
		"nothing, and it is there": {"SELECT 1", true},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, dsn string) {
				ctx, clk := t.Context(), newClock()
				var told []string
				d := open(t, store.Config{DSN: dsn, Now: clk.now, Altered: alteredInto(&told)})
				mem := memory.New(d.Facts(), clk.now)
				for _, text := range []string{"my locker opens with the brass key", "the tram stops at the market"} {
					_, err := mem.Remember(ctx, memory.Fact{Subject: ann, Predicate: memory.Note, Object: text, Text: text, By: ann, Source: text, Place: "test/w/D1", Audience: memory.Audience{Kind: memory.ForUser, ID: ann}})
					ok(t, err)
				}
				find := func() (words []string) {
					m := memory.New(d.Facts(), clk.now) // reads the index anew
					for range 2 {
						words = nil
						for _, who := range []string{ann, bob} {
							for _, f := range must[[]memory.Scored](t)(m.Recall(ctx, memory.Viewer{Person: who, Direct: true}, "what opens the locker?", 1)) {
								words = append(words, f.Text)
							}
						}
					}
					return words
				}
				if found := find(); len(found) != 1 {
					t.Fatalf("before: %q", found)
				}
				forge := c.forge
				if strings.HasPrefix(dsn, "postgres") {
					forge = strings.ReplaceAll(forge, "zeroblob(36)", "decode(repeat('00', 36), 'hex')")
				}
				ok(t, raw(t, dsn)(forge))
				found := find()
				if got := len(found) == 1 && strings.Contains(found[0], "brass key"); got != c.finds {
					t.Errorf("found %q", found)
				}
				if want := map[bool]int{false: 1}[c.finds]; len(told) != want {
					t.Errorf("told %q", told)
				}
			})
		})
	}
}
