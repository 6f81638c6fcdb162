package memorytest

import (
	"fmt"
	"testing"
	"time"

	"hermes/memory"
)

// canaries puts one fact for each audience, all of the same words but one.
func canaries(t *testing.T, s memory.Store) {
	t.Helper()
	for id, a := range map[string]memory.Audience{
		"ann":   {Kind: memory.ForUser, ID: ann},
		"bob":   {Kind: memory.ForUser, ID: bob},
		"sales": {Kind: memory.ForChannel, ID: sales},
		"ops":   {Kind: memory.ForChannel, ID: ops},
		"team":  {Kind: memory.ForTeam, ID: team},
		"other": {Kind: memory.ForTeam, ID: "slack:T2"},
		"trick": {Kind: memory.ForChannel, ID: ann}, // an id of another kind
		"none":  {},
	} {
		f := with(fact(id, memory.Note, "canary of "+id, day), func(f *memory.Fact) { f.Audience = a })
		ok(t, s.Put(t.Context(), f))
	}
}

func testAudiences(t *testing.T, s memory.Store) {
	ctx := t.Context()
	canaries(t, s)
	for name, c := range map[string]struct {
		viewer memory.Viewer
		want   map[string]bool
	}{
		"Ann alone":            {annAlone, map[string]bool{"ann": true, "team": true}},
		"Ann in #sales":        {annInSales, map[string]bool{"sales": true, "team": true}},
		"Bob alone":            {bobAlone, map[string]bool{"bob": true, "team": true}},
		"Bob in #sales":        {bobInSales, map[string]bool{"sales": true, "team": true}},
		"a guest in #ops":      {memory.Viewer{Person: "slack:T9:U7", Channel: ops}, map[string]bool{"ops": true}},
		"a guest alone":        {memory.Viewer{Person: "slack:T9:U7", Direct: true}, nil},
		"a person like a part": {memory.Viewer{Person: "slack:T1:U", Channel: "slack/T1/C", Team: "slack:T", Direct: true}, nil},
		"a person like a mask": {memory.Viewer{Person: "slack:T1:%", Channel: "slack/T1/%", Team: "%", Direct: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]bool{}
			for _, f := range must[[]memory.Fact](t)(s.List(ctx, c.viewer, 50)) {
				got[f.ID] = true
			}
			same(t, "listed", got, c.want)
			for _, text := range []string{"canary", "words of canary", "canary of ann bob sales ops team other", ann, bob, "note"} {
				for _, f := range must[[]memory.Scored](t)(search(s, ctx, c.viewer, text, 50)) {
					if !c.want[f.ID] {
						t.Errorf("search for %q shows the fact for %s", text, f.ID)
					}
				}
			}
			found := must[[]memory.Scored](t)(search(s, ctx, c.viewer, "canary", 50))
			if len(found) != len(c.want) {
				t.Errorf("search finds %d facts, want %d", len(found), len(c.want))
			}
		})
	}
}

func testNobody(t *testing.T, s memory.Store) {
	ctx := t.Context()
	canaries(t, s)
	ok(t, s.PutEpisode(ctx, memory.Episode{ID: "e1", At: day, Who: ann, Text: "canary", Audience: memory.Audience{Kind: memory.ForTeam, ID: team}}))
	for _, v := range []memory.Viewer{{}, {Direct: true}, {Team: team, Channel: sales}} {
		same(t, fmt.Sprintf("%+v lists", v), idsOf(must[[]memory.Fact](t)(s.List(ctx, v, 50))), []string{})
		same(t, fmt.Sprintf("%+v finds", v), must[[]memory.Scored](t)(search(s, ctx, v, "canary", 50)), []memory.Scored{})
		same(t, fmt.Sprintf("%+v hears of", v), must[[]memory.Episode](t)(s.Episodes(ctx, v, "", 50)), []memory.Episode{})
	}
}

func testFilterFirst(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, with(fact("hers", memory.Note, "budget of the year, and many more words that dilute it", day), func(*memory.Fact) {})))
	for i := range 120 {
		ok(t, s.Put(ctx, with(fact(fmt.Sprintf("b%d", i), memory.Note, "budget budget", day.Add(time.Hour)), func(f *memory.Fact) {
			f.Audience, f.By, f.Subject = memory.Audience{Kind: memory.ForUser, ID: bob}, bob, bob
		})))
	}
	found := must[[]memory.Scored](t)(search(s, ctx, annAlone, "budget", 1))
	if len(found) != 1 || found[0].ID != "hers" {
		t.Errorf("search = %v, want her fact", found)
	}
	same(t, "list", idsOf(must[[]memory.Fact](t)(s.List(ctx, annAlone, 1))), []string{"hers"})
	same(t, "limit", len(must[[]memory.Scored](t)(search(s, ctx, bobAlone, "budget", 7))), 7)
	same(t, "limit of list", len(must[[]memory.Fact](t)(s.List(ctx, bobAlone, 7))), 7)
}

func testSearchWords(t *testing.T, s memory.Store) {
	ctx := t.Context()
	for id, text := range map[string]string{
		"deploy": "The deployment window is Thursday at 16:00",
		"churn":  "Churn counts customers without an order for 90 days",
		"zh":     "部署窗口是每周四下午，回滚由运维负责",
		"mixed":  "GMV 指成交总额，不含退款",
		"far":    "nothing that anybody looks for",
	} {
		ok(t, s.Put(ctx, with(fact(id, memory.Note, id, day), func(f *memory.Fact) { f.Text, f.Object = text, text })))
	}
	for text, want := range map[string]string{
		"when is the DEPLOYMENT window?": "deploy",
		"customers churn":                "churn",
		"回滚谁负责？":                         "zh",
		"部署":                             "zh",
		"gmv是什么":                         "mixed",
		"退款":                             "mixed",
	} {
		found := must[[]memory.Scored](t)(search(s, ctx, annAlone, text, 3))
		if len(found) == 0 || found[0].ID != want {
			t.Errorf("search for %q = %v, want %s first", text, found, want)
		}
		for i := range found[1:] {
			if found[i].Score < found[i+1].Score {
				t.Errorf("search for %q: scores do not fall: %v, %v", text, found[i].Score, found[i+1].Score)
			}
		}
	}
	same(t, "no such word", must[[]memory.Scored](t)(search(s, ctx, annAlone, "zebra", 3)), []memory.Scored{})
}

func testSearchHostile(t *testing.T, s memory.Store) {
	ctx := t.Context()
	ok(t, s.Put(ctx, fact("f1", memory.Note, "plain", day)))
	for _, text := range []string{
		"", " ", "\x00", `"`, `'`, `""" OR *`, "NEAR(a b)", "a AND", "OR NOT", "text:plain", "*", "^", "-", "()", ")(", "%", "_", "{}", "\\", "😀", "，。？", "'; DROP TABLE facts; --",
	} {
		if _, err := search(s, ctx, annAlone, text, 5); err != nil {
			t.Errorf("search for %q: %v", text, err)
		}
		if _, err := s.Episodes(ctx, annAlone, text, 5); err != nil {
			t.Errorf("episodes for %q: %v", text, err)
		}
	}
	found := must[[]memory.Scored](t)(search(s, ctx, annAlone, `"plain" -AND* (`, 5))
	if len(found) != 1 {
		t.Errorf("a word among signs finds %d facts, want 1", len(found))
	}
	same(t, "no words", must[[]memory.Scored](t)(search(s, ctx, annAlone, " ?! ", 5)), []memory.Scored{})
}

func testEpisodes(t *testing.T, s memory.Store) {
	ctx := t.Context()
	for i, e := range []memory.Episode{
		{ID: "dm", Who: bob, Place: "slack/T1/D2/", Text: "salary report 工资报告", Audience: memory.Audience{Kind: memory.ForUser, ID: bob}},
		{ID: "ops", Who: bob, Place: ops + "/1", Text: "restarted the queue", Audience: memory.Audience{Kind: memory.ForChannel, ID: ops}},
		{ID: "sales", Who: bob, Place: sales + "/1", Text: "posted the sales report 销售报告", Link: "https://x/1", Audience: memory.Audience{Kind: memory.ForChannel, ID: sales}},
		{ID: "later", Who: ann, Place: sales + "/2", Text: "posted the margin report", Audience: memory.Audience{Kind: memory.ForChannel, ID: sales}},
	} {
		e.At = day.Add(time.Duration(i) * time.Hour)
		ok(t, s.PutEpisode(ctx, e))
		e.Text = "changed"
		ok(t, s.PutEpisode(ctx, e))
	}
	ids := func(v memory.Viewer, text string, limit int) []string {
		got := []string{}
		for _, e := range must[[]memory.Episode](t)(s.Episodes(ctx, v, text, limit)) {
			got = append(got, e.ID)
		}
		return got
	}
	same(t, "Ann searches Bob's message", ids(annAlone, "salary report", 9), []string{})
	same(t, "Ann in #sales searches it", ids(annInSales, "工资", 9), []string{})
	same(t, "Bob alone", ids(bobAlone, "salary", 9), []string{"dm"})
	same(t, "Bob in #sales", ids(bobInSales, "salary", 9), []string{})
	same(t, "newest first", ids(annInSales, "", 9), []string{"later", "sales"})
	same(t, "limit", ids(annInSales, "", 1), []string{"later"})
	same(t, "by words", ids(annInSales, "销售报告", 9), []string{"sales"})
	got := must[[]memory.Episode](t)(s.Episodes(ctx, annInSales, "sales", 9))
	if len(got) != 1 || got[0].Text != "posted the sales report 销售报告" || !got[0].At.Equal(day.Add(2*time.Hour)) || got[0].Link != "https://x/1" {
		t.Errorf("episode came back as %+v", got)
	}
}

// testWarm asks one Memory before and after.
func testWarm(t *testing.T, s memory.Store) {
	ctx := t.Context()
	m := memory.New(s, func() time.Time { return day })
	found := func() map[string]bool {
		got := map[string]bool{}
		for _, f := range must[[]memory.Scored](t)(m.Recall(ctx, annAlone, "the quota of the year", 9)) {
			got[f.ID] = true
		}
		return got
	}
	ok(t, s.Put(ctx, fact("f1", memory.Note, "quota of the year is 40", day)))
	ok(t, s.Put(ctx, fact("f2", memory.Note, "nobody knows the quota", day)))
	same(t, "at first", found(), map[string]bool{"f1": true, "f2": true})
	ok(t, s.Put(ctx, fact("f3", memory.Note, "quota for Bob", day)))
	same(t, "with a new one", found(), map[string]bool{"f1": true, "f2": true, "f3": true})
	must[[]memory.Fact](t)(s.Delete(ctx, []string{"f1"}))
	same(t, "without the deleted", found(), map[string]bool{"f2": true, "f3": true})
	ok(t, s.Supersede(ctx, "f2", fact("f4", memory.Note, "everybody knows the quota", day.Add(time.Hour))))
	same(t, "after a change", found(), map[string]bool{"f3": true, "f4": true})
}

func testLinked(t *testing.T, s memory.Store) {
	ctx := t.Context()
	for i, f := range [][2]string{{"apollo", "borealis"}, {"borealis", "cygnus"}, {"cygnus", "draco"}, {"draco", "eridanus"}} {
		ok(t, s.Put(ctx, with(fact(fmt.Sprint("f", i), "belongs-to", f[1], day), func(x *memory.Fact) { x.Subject = f[0] })))
	}
	ok(t, s.Put(ctx, with(fact("his", "belongs-to", "secret", day), func(x *memory.Fact) {
		x.Subject, x.Audience = "borealis", memory.Audience{Kind: memory.ForUser, ID: bob}
	})))
	// A ring does not go round for ever.
	ok(t, s.Put(ctx, with(fact("ring", "belongs-to", "apollo", day), func(x *memory.Fact) { x.Subject = "cygnus" })))
	m := memory.New(s, func() time.Time { return day })
	got := map[string]bool{}
	for _, f := range must[[]memory.Scored](t)(m.Recall(ctx, annAlone, "Where does Apollo belong?", 9)) {
		got[f.ID] = true
	}
	for id, want := range map[string]bool{"f0": true, "f1": true, "f2": true, "his": false} {
		if got[id] != want {
			t.Errorf("asked for Apollo: %s found is %v, want %v", id, got[id], want)
		}
	}
	// The index has signed them; the walk is the store's.
	links := must[[]memory.Link](t)(s.Linked(ctx, []memory.Audience{{Kind: memory.ForUser, ID: ann}}, []string{"apollo"}, 2, 9))
	deep := map[int]int{}
	for _, l := range links {
		deep[l.Depth]++
	}
	same(t, "by depth", deep, map[int]int{1: 1, 2: 1})
	same(t, "from nothing", len(must[[]memory.Link](t)(s.Linked(ctx, []memory.Audience{{Kind: memory.ForUser, ID: ann}}, nil, 3, 9))), 0)
}
