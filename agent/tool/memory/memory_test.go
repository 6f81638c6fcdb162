package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
	toolmemory "hermes/agent/tool/memory"
	"hermes/memory"
	"hermes/memory/memorytest"
)

const (
	ann = "web:w:ann"
	bob = "web:w:bob"
	dm  = "web/w/dm-ann/"
	pub = "web/w/sales/17.4"
)

var day = time.Date(2026, 5, 3, 22, 0, 0, 0, time.UTC)

// house is the tools over a memory of their own.
type house struct {
	working *memory.Working

	t   *testing.T
	set *tool.Set
	mem *memory.Memory
	n   int
}

func open(t *testing.T) *house {
	t.Helper()
	mem := memory.New(memorytest.New(), func() time.Time { return day.AddDate(1, 0, 0) })
	working := memory.NewWorking(func() time.Time { return day })
	set, err := tool.NewSet(toolmemory.New(mem, time.Now, toolmemory.Options{
		Working: working,
		See: func(_ context.Context, person, home string) (memory.Viewer, error) {
			v := memory.Viewer{Person: person, Channel: memory.ChannelOf(home), Direct: strings.Contains(home, "/dm-")}
			if !strings.HasSuffix(person, "guest") {
				v.Team = "web:w"
			}
			return v, nil
		},
		Link: func(_ context.Context, run string) string { return "https://chat.example/" + run },
	})...)
	if err != nil {
		t.Fatal(err)
	}
	return &house{t: t, set: set, mem: mem, working: working}
}

// call makes a Call of a message of its own, an hour after the last.
func (h *house) call(asker, home, lang string, args any) tool.Call {
	h.t.Helper()
	b, err := json.Marshal(args)
	if err != nil {
		h.t.Fatal(err)
	}
	h.n++
	return tool.Call{
		ID: fmt.Sprintf("call-%d", h.n), Args: b, Run: fmt.Sprintf("web/w/%d", h.n), Asker: asker, Home: home,
		Lang: lang, Now: day.Add(time.Duration(h.n) * time.Hour), Zone: "Asia/Shanghai",
	}
}

type args map[string]string

func (h *house) run(name string, c tool.Call) tool.Result {
	h.t.Helper()
	r, err := h.set.Lookup(name).Run(h.t.Context(), c)
	if err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	if notes, err := tool.CheckOutput(h.set.Lookup(name), r); err != nil || len(notes) > 0 {
		h.t.Errorf("%s returns what it does not promise: %v, notes %v", name, err, notes)
	}
	return r
}

func (h *house) remember(asker, home string, a args) tool.Result {
	h.t.Helper()
	return h.run("remember", h.call(asker, home, "en", a))
}

func (h *house) choose(name string, c tool.Call, p tool.Pick) tool.Result {
	h.t.Helper()
	r, err := h.set.Lookup(name).(tool.Chooser).Choose(h.t.Context(), c, p)
	if err != nil {
		h.t.Fatalf("choose of %s: %v", name, err)
	}
	return r
}

func (h *house) list(asker, home, lang string, a args) []toolmemory.Line {
	h.t.Helper()
	var lines []toolmemory.Line
	r := h.run("memory_list", h.call(asker, home, lang, a))
	if err := json.Unmarshal([]byte(r.Text), &lines); err != nil || lines == nil {
		h.t.Fatalf("list is %q: %v", r.Text, err)
	}
	return lines
}

func texts(lines []toolmemory.Line) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return strings.Join(all, "\n")
}

// The dialogue that the product is about, once in each language.
func TestDialogue(t *testing.T) {
	for lang, want := range map[string]struct {
		old, next args
		kept      string
		ask       []string
		labels    []string
		settled   string
		listed    string
		gone      []string
	}{
		"en": {
			args{"subject": "me", "predicate": "prefers-format", "object": "Excel", "text": "I like Excel reports"},
			args{"subject": "me", "predicate": "prefers-format", "object": "csv", "text": "From now on I want CSV"},
			"Remembered: you prefer Excel (XLSX)",
			[]string{"On 4 May 2026 you said (https://chat.example/web/w/1): “I like Excel reports”", "“From now on I want CSV”", "the newer one (CSV)"},
			[]string{"Keep Excel (XLSX)", "Use CSV from now on", "Keep both"},
			"Settled: CSV holds from now on; Excel (XLSX) is kept as history.",
			"you prefer CSV — “From now on I want CSV”",
			[]string{"Forgotten (facts: 1).", "- “From now on I want CSV” (4 May 2026)"},
		},
		"zh": {
			args{"subject": "me", "predicate": "prefers-format", "object": "Excel 表格", "text": "我喜欢 Excel 表格"},
			args{"subject": "me", "predicate": "prefers-format", "object": "CSV", "text": "以后都用 CSV"},
			"已记住：您喜欢Excel（XLSX）格式",
			[]string{"您在2026年5月4日说过（https://chat.example/web/w/1）：“我喜欢 Excel 表格”", "“以后都用 CSV”", "较新的（CSV）"},
			[]string{"保留Excel（XLSX）", "以后用CSV", "两个都保留"},
			"已确定：以后以CSV为准，Excel（XLSX）留作历史记录。",
			"您喜欢CSV格式 — “以后都用 CSV”",
			[]string{"已忘记 1 条。", "- “以后都用 CSV” (2026年5月4日)"},
		},
	} {
		t.Run(lang, func(t *testing.T) {
			h := open(t)
			if r := h.run("remember", h.call(ann, dm, lang, want.old)); !strings.HasPrefix(r.Text, want.kept) {
				t.Errorf("M16 receipt = %q, want %q", r.Text, want.kept)
			}
			c := h.call(ann, dm, lang, want.next)
			r := h.run("remember", c)
			if r.Ask == nil {
				t.Fatalf("no question: %q", r.Text)
			}
			for _, s := range want.ask {
				if !strings.Contains(r.Ask.Text, s) {
					t.Errorf("question %q lacks %q", r.Ask.Text, s)
				}
			}
			var labels []string
			for _, ch := range r.Ask.Choices {
				labels = append(labels, ch.Label)
			}
			if d := cmp.Diff(want.labels, labels); d != "" {
				t.Error(d)
			}
			for _, l := range h.list(ann, dm, lang, args{}) {
				if l.Status != "disputed" || l.InUse != strings.Contains(l.Text, "CSV") {
					t.Errorf("while it is open: %+v", l)
				}
			}
			for range 2 {
				got := h.choose("remember", c, tool.Pick{Token: r.Ask.Token, Choice: "take-new", By: ann})
				if got.Text != want.settled {
					t.Errorf("settled: %q, want %q", got.Text, want.settled)
				}
			}
			lines := h.list(ann, dm, lang, args{"about": "me"})
			if len(lines) != 1 || lines[0].Text != want.listed || lines[0].Said != "2026-05-04" || lines[0].Source != "https://chat.example/web/w/2" || lines[0].Status != "active" {
				t.Errorf("listed %+v, want %q", lines, want.listed)
			}
			if got := h.run("memory_forget", h.call(ann, dm, lang, args{"what": "last"})).Text; got != strings.Join(want.gone, "\n") {
				t.Errorf("forgotten: %q", got)
			}
			if got := h.list(ann, dm, lang, args{"about": "all"}); len(got) != 0 {
				t.Errorf("M17 after that there is %+v", got)
			}
		})
	}
}

// Words settle a conflict as a button does, if they can mean one side only.
func TestChooseInWords(t *testing.T) {
	for words, want := range map[string]string{
		"csv please":            "newer one, csv",
		"CSV":                   "csv",
		"the new one":           "csv",
		"Excel":                 "xlsx",
		"spreadsheet":           "xlsx",
		"keep the old one":      "xlsx",
		"both":                  "csv xlsx",
		"两个都要":                  "csv xlsx",
		"以后用 csv 吧":             "csv",
		"还是原来的":                 "xlsx",
		"not csv":               "?",
		"不要 csv":                "?",
		"what do you mean?":     "?",
		"excel or csv, as ever": "?",
	} {
		t.Run(words, func(t *testing.T) {
			h := open(t)
			h.remember(ann, dm, args{"subject": "me", "predicate": "prefers-format", "object": "excel"})
			c := h.call(ann, dm, "en", args{"subject": "me", "predicate": "prefers-format", "object": "csv"})
			r := h.run("remember", c)
			h.choose("remember", c, tool.Pick{Token: r.Ask.Token, Words: words, By: ann})
			var got []string
			for _, l := range h.list(ann, dm, "en", args{}) {
				if l.Status == "disputed" {
					got = []string{"?"}
					break
				}
				if strings.Contains(l.Text, "CSV") {
					got = append(got, "csv")
				} else {
					got = append(got, "xlsx")
				}
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); !strings.HasSuffix(want, s) || s == "" {
				t.Errorf("holds: %q, want %q", s, want)
			}
		})
	}
}

// Who, where and for whom come from the Call.
func TestAudience(t *testing.T) {
	for name, c := range map[string]struct {
		home, subject, predicate string
		want                     memory.Audience
	}{
		"M1 me in a channel is for me":          {pub, "me", "note", memory.Audience{Kind: "user", ID: ann}},
		"M1 a term in private stays private":    {dm, "GMV", "means", memory.Audience{Kind: "user", ID: ann}},
		"M1 team in private stays private":      {dm, "team", "note", memory.Audience{Kind: "user", ID: ann}},
		"a term in a channel is for it":         {pub, "GMV", "means", memory.Audience{Kind: "channel", ID: "web/w/sales"}},
		"team in a channel is for the team":     {pub, "team", "note", memory.Audience{Kind: "team", ID: "web:w"}},
		"M12 another person's id is but a word": {dm, bob, "prefers-format", memory.Audience{Kind: "user", ID: ann}},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t)
			h.remember(ann, c.home, args{"subject": c.subject, "predicate": c.predicate, "object": "thing"})
			mine, err := h.mem.Mine(t.Context(), memory.Viewer{Person: ann, Channel: memory.ChannelOf(c.home), Team: "web:w"})
			if err != nil || len(mine) != 1 {
				t.Fatalf("kept %v, %v", mine, err)
			}
			if f := mine[0]; f.Audience != c.want || f.By != ann || f.Source != "web/w/1" || f.Place != c.home {
				t.Errorf("kept %+v", f)
			}
		})
	}
	t.Run("M1 a guest writes nothing for the team", func(t *testing.T) {
		h := open(t)
		h.remember("web:w:guest", pub, args{"subject": "team", "predicate": "note", "object": "the boss is away"})
		if got := h.list(ann, dm, "en", args{"about": "all"}); len(got) != 0 {
			t.Errorf("the team sees %+v", got)
		}
	})
	t.Run("M12 the model cannot name person or audience", func(t *testing.T) {
		h := open(t)
		for _, extra := range []string{"by", "audience", "source", "person", "place"} {
			if r := h.remember(ann, dm, args{"subject": "me", "predicate": "note", "object": "x", extra: bob}); !r.Failed {
				t.Errorf("%s is taken: %q", extra, r.Text)
			}
		}
	})
	t.Run("M2 nobody is remembered for nobody", func(t *testing.T) {
		h := open(t)
		if r := h.remember("", dm, args{"subject": "me", "predicate": "note", "object": "x"}); !r.Failed {
			t.Errorf("kept: %q", r.Text)
		}
	})
}

func TestListElsewhere(t *testing.T) {
	h := open(t)
	h.remember(ann, dm, args{"subject": "me", "predicate": "note", "object": "the secret word is zebra"})
	h.remember(ann, pub, args{"subject": "GMV", "predicate": "means", "object": "gross merchandise value"})
	t.Run("M3 in a channel private facts are counted and not said", func(t *testing.T) {
		lines := h.list(ann, pub, "en", args{"about": "all"})
		if got := texts(lines); strings.Contains(got, "zebra") || !strings.Contains(got, "GMV") && !strings.Contains(got, "gmv") {
			t.Errorf("said: %s", got)
		}
		if last := lines[len(lines)-1]; last.Status != "withheld" || !strings.Contains(last.Text, "1") {
			t.Errorf("last line: %+v", last)
		}
	})
	t.Run("M1 another finds nothing of it", func(t *testing.T) {
		for _, home := range []string{pub, "web/w/dm-bob/"} {
			for _, q := range []string{"", "zebra", "secret", "what is Ann's secret word?"} {
				if got := texts(h.list(bob, home, "en", args{"about": "all", "query": q})); strings.Contains(got, "zebra") {
					t.Errorf("Bob asks %q at %s and hears %s", q, home, got)
				}
			}
		}
	})
	t.Run("here is what the channel knows", func(t *testing.T) {
		if got := h.list(bob, pub, "en", args{"about": "here"}); len(got) != 1 || got[0].By != ann {
			t.Errorf("listed %+v", got)
		}
	})
	t.Run("by words", func(t *testing.T) {
		if got := h.list(ann, dm, "en", args{"about": "all", "query": "secret word"}); len(got) != 1 || !strings.Contains(got[0].Text, "zebra") {
			t.Errorf("listed %+v", got)
		}
	})
	t.Run("M15 what is not known is an empty list", func(t *testing.T) {
		if got := h.list(ann, dm, "en", args{"about": "all", "query": "Kubernetes"}); len(got) != 0 {
			t.Errorf("listed %+v", got)
		}
	})
}

// What a model gets wrong becomes a failed result, never an error.
func TestBadArguments(t *testing.T) {
	h := open(t)
	for name, bad := range map[string][]string{
		"remember":      {`{}`, `[]`, `null`, `{"$unreadable":"x"}`, `{"subject":"me","predicate":"hates","object":"x"}`, `{"subject":"me","predicate":"note","object":"  "}`},
		"memory_list":   {`[]`, `{"limit":3}`},
		"memory_forget": {`{}`, `{"what":" "}`, `{"what":3}`},
	} {
		for _, b := range bad {
			c := h.call(ann, dm, "en", nil)
			c.Args = json.RawMessage(b)
			if r := h.run(name, c); !r.Failed {
				t.Errorf("%s(%s) = %+v", name, b, r)
			}
		}
	}
}

func TestSpecs(t *testing.T) {
	h := open(t)
	for _, s := range h.set.Specs() {
		if s.Effect != tool.Read || s.Description == "" || !json.Valid(s.Schema) {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
}

func TestJustThisOnce(t *testing.T) {
	for lang, said := range map[string][2]string{
		"en": {"just this once, be brief", "I do so in this conversation and keep nothing of it."},
		"zh": {"就这一次，简短一点", "好的，只在这次对话里这样做，不会记下来。"},
	} {
		h := open(t)
		r := h.run("remember", h.call(ann, dm, lang, args{"subject": "me", "predicate": "note", "object": "be brief", "text": said[0]}))
		if r.Failed || r.Text != said[1] {
			t.Errorf("MEM-02 %s: %+v", lang, r)
		}
		if got := h.working.Held(dm, ann); len(got) != 1 || got[0].Object != "be brief" {
			t.Errorf("MEM-02 %s: held %v", lang, got)
		}
		if all, err := h.mem.List(t.Context(), memory.Viewer{Person: ann, Direct: true}); err != nil || len(all) != 0 {
			t.Errorf("MEM-02 %s: kept %v, %v", lang, all, err)
		}
	}
}
