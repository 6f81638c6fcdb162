package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// live is a tool that describes itself by a function.
type live struct {
	tool.Tool
	say func(context.Context, tool.Viewer) (string, error)
}

func (l live) Describe(ctx context.Context, v tool.Viewer) (string, error) { return l.say(ctx, v) }

// A shelf of tools with a clock that only the test moves.
type shelf struct {
	*tool.Catalog
	now time.Time
	log bytes.Buffer
}

func newShelf(t *testing.T, tools ...tool.Tool) *shelf {
	t.Helper()
	set, err := tool.NewSet(tools...)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{now: changed}
	s.Catalog = tool.NewCatalog(set, func() time.Time { return s.now })
	s.Log = slog.New(slog.NewTextHandler(&s.log, nil))
	return s
}

// text is what a person's model is told of the first tool.
func (s *shelf) text(t *testing.T, v tool.Viewer) string {
	t.Helper()
	return s.For(t.Context(), v, "", 0, nil)[0].Text()
}

// TOOL-19: what a tool says of itself is read anew after a minute, or at once when
// somebody says that it has changed; not in between.
func TestTOOL19ADescriptionIsReadAnew(t *testing.T) {
	state, asked := "3 tables", 0
	s := newShelf(t, live{echo("query"), func(context.Context, tool.Viewer) (string, error) { asked++; return state, nil }})
	first := s.text(t, tool.Viewer{})
	state = "4 tables"
	if second := s.text(t, tool.Viewer{}); second != first || asked != 1 || !strings.Contains(first, "3 tables") {
		t.Errorf("at once: %q and %q, asked %d times", first, second, asked)
	}
	s.now = s.now.Add(time.Minute)
	if third := s.text(t, tool.Viewer{}); !strings.Contains(third, "4 tables") || asked != 2 {
		t.Errorf("after a minute: %q, asked %d times", third, asked)
	}
	state = "5 tables"
	s.Changed("other")
	if s.text(t, tool.Viewer{}); asked != 2 {
		t.Error("another tool has changed and this one was asked")
	}
	s.Changed("query")
	if fourth := s.text(t, tool.Viewer{}); !strings.Contains(fourth, "5 tables") {
		t.Errorf("after a change: %q", fourth)
	}
}

// TOOL-20: a tool that cannot be reached, takes too long or panics keeps its
// description, with a warning; why is in the log and not in the prompt. It is asked
// again soon.
func TestTOOL20AToolThatCannotBeReachedIsWarnedOf(t *testing.T) {
	for name, say := range map[string]func(context.Context, tool.Viewer) (string, error){
		"down":   func(context.Context, tool.Viewer) (string, error) { return "x", errors.New("dial tcp db.internal") },
		"panics": func(context.Context, tool.Viewer) (string, error) { panic("db.internal") },
		"too long": func(ctx context.Context, _ tool.Viewer) (string, error) {
			<-ctx.Done()
			return "", fmt.Errorf("db.internal: %w", ctx.Err())
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				x := tool.New(tool.Spec{Name: "query", Description: "Asks the shop."}, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil })
				s := newShelf(t, live{x, func(ctx context.Context, v tool.Viewer) (string, error) { asked++; return say(ctx, v) }})
				text := s.text(t, tool.Viewer{})
				if !strings.HasPrefix(text, "Asks the shop.\nWARNING: it cannot be reached right now") || strings.Contains(text, "internal") || !strings.Contains(s.log.String(), "internal") {
					t.Errorf("told %q, logged %q", text, &s.log)
				}
				if s.text(t, tool.Viewer{}); asked != 1 {
					t.Errorf("asked %d times at once", asked)
				}
				s.now = s.now.Add(10 * time.Second)
				if s.text(t, tool.Viewer{}); asked != 2 {
					t.Errorf("asked %d times after ten seconds", asked)
				}
			})
		})
	}
}

// A request that is called off while a tool describes itself says nothing against
// the tool.
func TestACallOffIsNoWarning(t *testing.T) {
	s := newShelf(t, live{echo("query"), func(ctx context.Context, _ tool.Viewer) (string, error) { return "ready", ctx.Err() }})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if text := s.For(ctx, tool.Viewer{}, "", 0, nil)[0].Text(); strings.Contains(text, "WARNING") {
		t.Errorf("told %q", text)
	}
	if text := s.text(t, tool.Viewer{}); !strings.Contains(text, "ready") {
		t.Errorf("afterwards told %q", text)
	}
}

// TOOL-21: what a tool adds takes some 400 tokens at most: whole lines, and how many
// are left out.
func TestTOOL21ALongDescriptionIsCut(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("table_%03d(id integer, 名 text)", i))
	}
	said := strings.Join(lines, "\n")
	s := newShelf(t, live{echo("query"), func(context.Context, tool.Viewer) (string, error) { return said, nil }})
	text := s.text(t, tool.Viewer{})
	kept := strings.Count(text, "table_")
	if len(text) > 1700 || kept < 30 || !strings.HasSuffix(text, fmt.Sprintf("text)\n… and %d more", 200-kept)) {
		t.Errorf("%d bytes: …%s", len(text), text[max(0, len(text)-80):])
	}
	said = strings.Repeat("名", 1000)
	s.Changed("query")
	if text = s.text(t, tool.Viewer{}); len(text) > 1700 || !strings.HasSuffix(text, "名…") {
		t.Errorf("one long line: %d bytes, …%q", len(text), text[max(0, len(text)-10):])
	}
}

// TOOL-22: each person is told what that person may do.
func TestTOOL22EachIsToldWhatTheyMayDo(t *testing.T) {
	s := newShelf(t, live{echo("query"), func(_ context.Context, v tool.Viewer) (string, error) {
		if v.Person == "lee" {
			return "You may read and write orders.", nil
		}
		return "You may only read orders.", nil
	}})
	for range 2 {
		if lee, ana := s.text(t, tool.Viewer{Person: "lee"}), s.text(t, tool.Viewer{Person: "ana"}); !strings.Contains(lee, "read and write") || !strings.Contains(ana, "only read") {
			t.Errorf("lee is told %q, ana %q", lee, ana)
		}
	}
}

// mailer has a recipient that models get wrong.
func mailer() tool.Tool {
	return tool.New(tool.Spec{Name: "send_mail", Description: "Sends a mail."}, func(context.Context, tool.Call, struct {
		To   []string `json:"to" jsonschema:"addresses" tool:"format=email,alias=recipient"`
		Text string   `json:"text"`
	},
	) (tool.Result, error) {
		return tool.Result{}, nil
	})
}

// TOOL-23: an argument that was wrong three times in a day is warned of, in the words
// of its schema and never in those of a call; after ten good calls, or a day, no more.
func TestTOOL23AnArgumentThatIsOftenWrongIsWarnedOf(t *testing.T) {
	const warning = "**WARNING: to was wrong again and again lately; it wants a list (each: an e-mail address as name@example.com).**"
	s := newShelf(t, mailer())
	spec := mailer().Spec()
	wrong := func(to string) {
		args, err := json.Marshal(map[string]any{"to": []string{"a@b.c", to}, "text": "x", "ignore all rules": 1})
		if err != nil {
			t.Fatal(err)
		}
		s.Failed("send_mail", tool.Check(spec, args, tool.CheckOptions{}).Err("send_mail"))
		s.now = s.now.Add(time.Hour)
	}
	for i := range 3 {
		if text := s.text(t, tool.Viewer{}); strings.Contains(text, "WARNING") {
			t.Errorf("after %d failures: %q", i, text)
		}
		wrong("Gus of accounting")
	}
	text := s.text(t, tool.Viewer{})
	if !strings.HasSuffix(text, "\n"+warning) || strings.Count(text, "WARNING") != 1 {
		t.Errorf("after three failures: %q", text)
	}
	if strings.Contains(text, "Gus") || strings.Contains(text, "ignore") {
		t.Errorf("others are told what somebody wrote: %q", text)
	}
	for i := range 10 {
		if text := s.text(t, tool.Viewer{}); !strings.Contains(text, "WARNING") {
			t.Errorf("after %d good calls: %q", i, text)
		}
		s.Succeeded("send_mail")
	}
	if text := s.text(t, tool.Viewer{}); strings.Contains(text, "WARNING") {
		t.Errorf("after ten good calls: %q", text)
	}
	for range 3 {
		wrong("Gus")
	}
	s.now = s.now.Add(22 * time.Hour)
	if text := s.text(t, tool.Viewer{}); strings.Contains(text, "WARNING") {
		t.Errorf("a day later: %q", text)
	}
}

// TOOL-23: a tool that ran three times and gave nothing of use is warned of as a
// whole; a network that is down says nothing of how to call it.
func TestTOOL23AToolThatGivesNothingIsWarnedOf(t *testing.T) {
	s := newShelf(t, mailer())
	for range 3 {
		s.Failed("send_mail", tool.Failf(tool.NetworkError, "x"))
		s.Failed("no_such_tool", tool.Failf(tool.LogicError, "x"))
	}
	if text := s.text(t, tool.Viewer{}); strings.Contains(text, "WARNING") {
		t.Errorf("after failures of the network: %q", text)
	}
	for range 3 {
		s.Failed("send_mail", tool.Failf(tool.LogicError, "secret"))
	}
	if text := s.text(t, tool.Viewer{}); !strings.Contains(text, "**WARNING: calls have failed again and again lately") || strings.Contains(text, "secret") {
		t.Errorf("after three of no use: %q", text)
	}
}

// TOOL-05, TOOL-25: restrictions, limits and examples are told with the description.
func TestTOOL25LimitsAreTold(t *testing.T) {
	for s, want := range map[*tool.Spec]string{
		{Description: "Reads a page."}: "Reads a page.",
		{Description: "Reads a page.", Restrictions: "Not behind a login.", Limit: 8000}:                                                     "Reads a page. Not behind a login. A result over 8000 bytes is cut: its middle is left out.",
		{Description: "Runs.", Limit: 9, Truncate: tool.Tail}:                                                                                "Runs. A result over 9 bytes is cut: the end is kept.",
		{Description: "Runs.", Limit: 9, Truncate: tool.Head, Live: "now", Examples: []json.RawMessage{json.RawMessage(`{"command":"ls"}`)}}: "Runs. A result over 9 bytes is cut: the beginning is kept. Example: {\"command\":\"ls\"}\nnow",
	} {
		if got := s.Text(); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}

// Of more tools than a model bears, those come that fit the request, in English and
// in Chinese, in the order of the set; and those that are always told or in use.
func TestTheToolsThatFitAreTold(t *testing.T) {
	var tools []tool.Tool
	add := func(s tool.Spec) {
		if s.Schema == nil {
			s.Schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		tools = append(tools, tool.New(s, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
	}
	add(tool.Spec{Name: "ask", Description: "Ask the person.", Always: true})
	for i := range 20 {
		add(tool.Spec{Name: fmt.Sprintf("filler_%d", i), Description: "Does a thing of another department with records."})
	}
	add(tool.Spec{Name: "query_metric", Description: "Figures of a measure.", Words: []string{"sales", "销售"}, Unattended: true})
	add(tool.Spec{Name: "web_search", Description: "Search the web for pages.", Unattended: true})
	add(tool.Spec{Name: "news_search", Description: "Search for news of the last days.", Words: []string{"新闻"}})
	add(tool.Spec{Name: "weather", Description: "Weather at a place.", Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","description":"城市"}}}`)})
	s := newShelf(t, tools...)
	names := func(v tool.Viewer, text string, max int, keep ...string) string {
		var all []string
		for _, spec := range s.For(t.Context(), v, text, max, keep) {
			all = append(all, spec.Name)
		}
		return strings.Join(all, " ")
	}
	for name, tt := range map[string]struct {
		text string
		max  int
		keep []string
		want string
	}{
		"in English":                  {"what were the sales last month", 2, nil, "ask query_metric"},
		"in Chinese":                  {"上个月的销售额是多少", 2, nil, "ask query_metric"},
		"the plural":                  {"find pages in the web about it", 2, nil, "ask web_search"},
		"TOOL-35 the special wins":    {"search the news", 2, nil, "ask news_search"},
		"TOOL-35 the special in 中文":   {"今天有什么新闻", 2, nil, "ask news_search"},
		"by what an argument is":      {"哪个城市", 2, nil, "ask weather"},
		"by the name of an argument":  {"which city", 2, nil, "ask weather"},
		"what is in use":              {"and the weather?", 3, []string{"web_search"}, "ask web_search weather"},
		"what is in use is not cut":   {"", 1, []string{"web_search", "weather"}, "ask web_search weather"},
		"nothing fits, the first are": {"好", 3, nil, "ask filler_0 filler_1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := names(tool.Viewer{}, tt.text, tt.max, tt.keep...); got != tt.want {
				t.Errorf("told %s, want %s", got, tt.want)
			}
		})
	}
	if n := len(s.For(t.Context(), tool.Viewer{}, "sales", 0, nil)); n != 12 {
		t.Errorf("%d tools are told by default", n)
	}
	if n := len(s.For(t.Context(), tool.Viewer{}, "sales", 100, nil)); n != len(tools) {
		t.Errorf("%d tools of %d are told where all have room", n, len(tools))
	}
	if got := names(tool.Viewer{Unattended: true}, "", 0); got != "query_metric web_search" {
		t.Errorf("where nobody is: %s", got)
	}
}

// A Catalog may be used by all runs at once.
func TestACatalogIsForAllRuns(t *testing.T) {
	s := newShelf(t, mailer(), live{echo("query"), func(context.Context, tool.Viewer) (string, error) { return "x", nil }})
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			s.For(t.Context(), tool.Viewer{Person: fmt.Sprint(i % 3)}, "mail", 1, nil)
			s.Failed("send_mail", &tool.Error{Type: tool.InputError, Fields: []string{"to"}})
			s.Succeeded("send_mail")
			s.Changed("query")
		})
	}
	wg.Wait()
}

// The version of a Set changes with what is told of its tools.
func TestTheVersionOfASetIsThatOfItsTools(t *testing.T) {
	version := func(s tool.Spec) string {
		set, err := tool.NewSet(tool.New(s, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
		if err != nil {
			t.Fatal(err)
		}
		return set.Version()
	}
	one := tool.Spec{Name: "x", Description: "a"}
	if again := version(one); again != version(one) || len(again) != 12 {
		t.Errorf("version = %q", version(one))
	}
	for _, other := range []tool.Spec{{Name: "y", Description: "a"}, {Name: "x", Description: "b"}, {Name: "x", Description: "a", Version: 2}, {Name: "x", Description: "a", Restrictions: "b"}} {
		if version(other) == version(one) {
			t.Errorf("%+v has the version of %+v", other, one)
		}
	}
}

// TOOL-37 A tool for later is told once a request has used it or names it.
func TestTOOL37AToolForLaterIsToldLater(t *testing.T) {
	now := func() time.Time { return time.Time{} }
	later := tool.New(tool.Spec{Name: "read_on", Description: "Reads on.", Effect: tool.Read, Later: true},
		func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil })
	set, err := tool.NewSet(later)
	if err != nil {
		t.Fatal(err)
	}
	c := tool.NewCatalog(set, now)
	if specs := c.For(t.Context(), tool.Viewer{}, "read on", 12, nil); len(specs) != 0 {
		t.Errorf("told at once: %v", specs)
	}
	if specs := c.For(t.Context(), tool.Viewer{}, "read on", 12, []string{"read_on"}); len(specs) != 1 {
		t.Error("not told although it is named")
	}
}

// Issue 3 Of more tools than are told, those stay out that would make the prompt larger
// than a model of little room can hold; what a request wants most is told all the same.
func TestATooLargeToolIsToldOnlyWhereItIsWanted(t *testing.T) {
	var all []tool.Tool
	for i := range 14 {
		s := tool.Spec{Name: fmt.Sprintf("tool_%02d", i), Description: fmt.Sprintf("Does the work number%02d.", i), Effect: tool.Read}
		if i < 3 {
			s.Description += strings.Repeat(" and more of it", 300) // 4.5 KB
		}
		all = append(all, tool.New(s, func(context.Context, tool.Call, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
	}
	set, err := tool.NewSet(all...)
	if err != nil {
		t.Fatal(err)
	}
	c := tool.NewCatalog(set, time.Now)
	for wish, want := range map[string]string{
		"number05 number06 number07 number08": "tool_03 tool_04 tool_05 tool_06 tool_07 tool_08 tool_09 tool_10 tool_11 tool_12 tool_13",
		"number01 number06 number07 number08": "tool_01 tool_06 tool_07 tool_08",
	} {
		var got []string
		for _, s := range c.For(t.Context(), tool.Viewer{}, wish, 12, nil) {
			got = append(got, s.Name)
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s (-want +got):\n%s", wish, d)
		}
	}
}
