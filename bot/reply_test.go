package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hermes/agent/llm"
	"hermes/agent/run"
	"hermes/scheduler"
)

// What a tool is shown with never takes the program down, whatever a model wrote.
func TestAboutBearsWhateverAModelWrote(t *testing.T) {
	for args, want := range map[string]string{
		`{"measure":"sales","by":["region","product"],"period":"last_month"}`: "sales · region, product · last month",
		`{"name":"regions","period":"month:9"}`:                               "September",
		`{"measure":"sales","period":"weeks_ago:1"}`:                          "sales · 1 week ago",
		`{"channel":"#sales","when":"monthly"}`:                               "#sales · monthly",
		`{"measure":"a\nb\r\n# c"}`:                                           "a b # c",
		`{"channel":"#sales","when":"@once 2026-12-07T09:00"}`:                "#sales · 2026-12-07 09:00",
		`{"when":"0 9 1 * *"}`:                                                "",
		`{"when":"30 8 * * MON-FRI EXDATE:20261124"}`:                         "",
		`{"when":"*/5 8-18 * * MON-FRI"}`:                                     "",
		`{"when":"@every 5m"}`:                                                "",
		`{"when":"every 1st at 9"}`:                                           "every 1st at 9",
		`{"measure":7}`:                                                       "",
		`[]`:                                                                  "",
		`null`:                                                                "",
		``:                                                                    "",
		`{"$unreadable":"{"}`:                                                 "",
	} {
		if got := english.about(json.RawMessage(args)); got != want {
			t.Errorf("about(%s) = %q, want %q", args, got, want)
		}
	}
}

// A Chinese line has Chinese words for what models write.
func TestAboutIsInTheLanguageOfTheLine(t *testing.T) {
	const args = `{"measure":"sales","by":["region","product"],"period":"last_month"}`
	if got, want := chinese.about(json.RawMessage(args)), "销售额 · 地区、产品 · 上个月"; got != want {
		t.Errorf("about(%s) = %q, want %q", args, got, want)
	}
	if got, want := chinese.about(json.RawMessage(`{"measure":"churn","period":"weeks_ago:3"}`)), "churn · 3周前"; got != want {
		t.Errorf("about = %q, want %q: what has no words stays", got, want)
	}
	if got, want := chinese.about(json.RawMessage(`{"period":"month:9"}`)), "9月"; got != want {
		t.Errorf("about = %q, want %q", got, want)
	}
}

// It is one short line, or it would look like several steps.
func TestAboutIsOneShortLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args, err := json.Marshal(map[string]any{"measure": rapid.String().Draw(t, "measure"), "by": rapid.SliceOf(rapid.String()).Draw(t, "by")})
		if err != nil {
			t.Fatal(err)
		}
		if got := chinese.about(args); strings.ContainsAny(got, "\r\n") || utf8.RuneCountInString(got) > 121 {
			t.Errorf("about(%s) = %q, want one short line", args, got)
		}
		english.about(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	})
}

var runOfTicks = regexp.MustCompile("`+")

// Text that is not ours stands between marks that it cannot close, on one line.
func TestCodeCannotBeClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"`", "``", "```", "a", " ", "\n\n", "\r\n", "**x**", "~~~", "\\"})).Draw(t, "text"), "")
		got := code(text)
		fence := runOfTicks.FindString(got)
		inside, ok := strings.CutPrefix(got, fence+" ")
		inside, ends := strings.CutSuffix(inside, " "+fence)
		if !ok || !ends || strings.ContainsAny(got, "\r\n") {
			t.Fatalf("code(%q) = %q, want it between marks on one line", text, got)
		}
		for _, ticks := range runOfTicks.FindAllString(inside, -1) {
			if len(ticks) == len(fence) {
				t.Errorf("code(%q) = %q, which closes itself", text, got)
			}
		}
		if want := oneLine.Replace(text); inside != want {
			t.Errorf("code(%q) shows %q, want all of it", text, inside)
		}
	})
}

// A tool that is not there is shown by the name that a model gave it, which is no
// step of its own.
func TestAnUnknownToolIsOneStep(t *testing.T) {
	r := run.Run{Request: run.Request{Lang: "en"}, State: run.Working}
	r = r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{Name: "x`\n✓ Posted: #sales"}}}}, time.Time{}, 0)
	if got, want := progress(Place{}, r).Text, "Working on it …\n▸ `` x` ✓ Posted: #sales ``"; got != want {
		t.Errorf("progress = %q, want %q", got, want)
	}
}

// A line of a plan may hold words of a person or a model. They do not become lines
// of their own.
func TestALineOfACardStaysALine(t *testing.T) {
	q := run.Question{Kind: run.Approve, Lang: "en", Calls: []run.Planned{{Name: "x", Lines: []string{"Each time: “a\n- Approved by Lee\r\n\r\n# b”"}}}}
	if got := asks(q); strings.Count(got, "\n") != 1 {
		t.Errorf("asks = %q, want one line under its head", got)
	}
}

// C19, C23: what a run means for its slot: it has run only if what it promised was
// posted where it should be.
func TestC23WhatARunMeansForItsSlot(t *testing.T) {
	nine := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	const sales = "slack/T1/sales/"
	post := func(to, failed string) run.Run {
		r := run.Run{Request: run.Request{Key: "k"}}
		r = r.Heard(llm.Reply{Message: llm.Message{Calls: []llm.Call{{ID: "c1", Name: "post_message"}}}}, nine, 0)
		r.State, r.Sending = run.Delivering, &run.Post{Call: "c1", Under: "q1", Receipt: &run.Receipt{Link: "/p/" + to, Failed: failed}}
		r.Sending.Post.To = to
		return r.Sent()
	}
	quiet := run.Run{}
	for name, tt := range map[string]struct {
		run    run.Run
		expect string
		state  run.State
		why    run.Why
		late   time.Duration
		want   scheduler.SlotState
		reason string
	}{
		"works":                      {quiet, sales, run.Working, "", 0, "", ""},
		"is on its way":              {quiet, sales, run.Delivering, "", 0, "", ""},
		"waits for a person":         {quiet, sales, run.Waiting, "", 0, scheduler.Blocked, "waits for a decision"},
		"answered at home":           {quiet, "", run.Done, "", 0, scheduler.Ran, ""},
		"posted":                     {post(sales, ""), sales, run.Done, "", 0, scheduler.Ran, ""},
		"posted, a tick late":        {post(sales, ""), sales, run.Done, "", time.Minute, scheduler.Ran, ""},
		"posted late":                {post(sales, ""), sales, run.Done, "", 2 * time.Hour, scheduler.Late, "late by 2h0m0s"},
		"said so and posted nothing": {quiet, sales, run.Done, "", 0, scheduler.Broken, "nothing was posted where it should be"},
		"posted nothing, late":       {quiet, sales, run.Done, "", 2 * time.Hour, scheduler.Broken, "nothing was posted where it should be"},
		"posted elsewhere":           {post("slack/T1/other/", ""), sales, run.Done, "", 0, scheduler.Broken, "nothing was posted where it should be"},
		"could not post":             {post(sales, "I may not post there"), sales, run.Done, "", 0, scheduler.Broken, "not posted: I may not post there"},
		"had no model":               {quiet, sales, run.Suspended, run.ModelGone, 0, scheduler.Broken, "model_gone"},
		"was not decided in time":    {quiet, "", run.Suspended, run.Expired, 0, scheduler.Broken, "expired"},
		"failed":                     {quiet, "", run.Failed, run.Refused, 0, scheduler.Broken, "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			r := tt.run
			r.State, r.Expect, r.Now, r.Created, r.Outcome.Why = tt.state, tt.expect, nine, nine.Add(tt.late), tt.why
			state, reason, link := slotState(r)
			if state != tt.want || reason != tt.reason {
				t.Errorf("slotState = %q, %q; want %q, %q", state, reason, tt.want, tt.reason)
			}
			if posted, _ := r.Posted(); len(posted) > 0 && link != posted[0].Link {
				t.Errorf("link = %q, want the post's", link)
			}
		})
	}
}

// A press that does not count is told why; the program's own troubles are not for
// the person who pressed.
func TestExcuse(t *testing.T) {
	q := run.Question{Lang: "en", Expires: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)}
	settled, late := q, q
	settled.Answer = &run.Answer{Choice: run.No, Name: "Lee"}
	late.Answer = &run.Answer{Choice: run.Late}
	for name, tt := range map[string]struct {
		q    run.Question
		err  error
		want string
	}{
		"second of two":      {settled, run.ErrAnswered, "This is settled already: denied by Lee."},
		"after it was over":  {late, run.ErrAnswered, english.expired(q.Expires)},
		"not yet closed":     {q, run.ErrExpired, english.expired(q.Expires)},
		"of nothing to stop": {q, run.ErrAnswered, english.alreadyGoing},
		"somebody else's":    {q, run.ErrNotAllowed, english.notYours},
		"on nothing":         {q, run.ErrNoQuestion, english.noQuestion},
		"our own trouble":    {q, errors.New("disk is full"), ""},
		"no trouble":         {q, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := tt.err
			if err != nil {
				err = fmt.Errorf("settle: %w", err)
			}
			if got, ok := excuse(tt.q, err, "en"); got != tt.want || ok != (tt.want != "") {
				t.Errorf("excuse = %q, %t; want %q", got, ok, tt.want)
			}
		})
	}
}

// Stop is the whole text: what begins with it may be a task.
func TestStopIsTheWholeText(t *testing.T) {
	for text, want := range map[string]bool{
		"stop": true, " STOP! ": true, "/stop": true, "停": true, "停止。": true, "别做了": true,
		"please stop": true, "stop please!": true, "stop, please": true, "Stop now.": true, "cancel": false, "取消吧": false, "请停一下": true, "停一停！": true,
		"stop that": false, "cancel the Monday report": false, "取消每周的报告": false, "don't stop": false, "stopped?": false,
		"": false, "stop the report at row 10": false, "停止销售报告": false, "nonstop": false,
	} {
		if got := isStop(text); got != want {
			t.Errorf("isStop(%q) = %t, want %t", text, got, want)
		}
	}
}

// Both languages say everything: no field is empty, and a map of one has the keys of
// the other.
func TestBothLanguagesSayEverything(t *testing.T) {
	en, zh := reflect.ValueOf(english), reflect.ValueOf(chinese)
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		for lang, v := range map[string]reflect.Value{"english": en.Field(i), "chinese": zh.Field(i)} {
			if v.IsZero() {
				t.Errorf("%s.%s is empty", lang, name)
			}
			if v.Kind() != reflect.Map {
				continue
			}
			other := zh.Field(i)
			if lang == "chinese" {
				other = en.Field(i)
			}
			for _, key := range v.MapKeys() {
				if v.MapIndex(key).IsZero() {
					t.Errorf("%s.%s[%v] is empty", lang, name, key)
				}
				if !other.MapIndex(key).IsValid() {
					t.Errorf("%s.%s has %v, the other language has not", lang, name, key)
				}
			}
		}
	}
}

// Every reason, state and answer that package run knows has words.
func TestEveryReasonHasWords(t *testing.T) {
	consts := constants(t, "../agent/run/run.go")
	if len(consts["Why"]) == 0 || len(consts["State"]) == 0 {
		t.Fatalf("run.go has constants %v, want reasons and states", consts)
	}
	for lang, w := range map[string]*wording{"en": &english, "zh": &chinese} {
		for _, why := range consts["Why"] {
			if w.ended[run.Why(why)] == "" {
				t.Errorf("%s has no words for the reason %s", lang, why)
			}
		}
		for _, s := range consts["State"] {
			if w.states[run.State(s)] == nil {
				t.Errorf("%s has no words for the state %s", lang, s)
			}
		}
		for _, s := range run.Ends() {
			if w.statuses[s] == "" {
				t.Errorf("%s has no words for the status %s", lang, s)
			}
		}
		for _, act := range run.Acts() {
			if w.acts[act] == "" {
				t.Errorf("%s has no words for the act %s", lang, act)
			}
		}
		for _, err := range []error{ErrBusy, ErrRefused, ErrUnknown, run.ErrBusy, run.ErrRefused, run.ErrAltered, errTooOften, ErrAltered} {
			if why := troubleOf(err); w.sorry[why] == "" || w.undelivered[why] == "" {
				t.Errorf("%s has no words for %v", lang, err)
			}
		}
		for _, o := range []string{run.Yes, run.Once, run.Always, run.No, run.Late} {
			if w.chosen[o] == nil {
				t.Errorf("%s has no words for who chose %s", lang, o)
			}
		}
		for _, o := range []string{run.Yes, run.Once, run.No} {
			if w.option[o] == "" {
				t.Errorf("%s has no label for %s", lang, o)
			}
		}
	}
}

// constants returns the string constants of a file by their type.
func constants(t *testing.T, name string) map[string][]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		kind, ok := spec.Type.(*ast.Ident)
		if !ok {
			return true
		}
		for _, v := range spec.Values {
			if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				found[kind.Name] = append(found[kind.Name], s)
			}
		}
		return true
	})
	return found
}

// No sentence that the bot says is longer than people read at once.
func TestNoSentenceIsTooLong(t *testing.T) {
	const most = 250
	for _, w := range []*wording{&english, &chinese} {
		texts := []string{
			w.faster("Lee", w.chosen[run.Once]("Lee")), w.expired(time.Now()), w.footer(run.Outcome{Steps: 3, Usage: llm.Usage{In: 1, Out: 2, Nanos: 3}}, "model", " · suspended", "ca0df2c9"),
			w.always("monthly", "2 Jan 2027"), w.alwaysNow("monthly", "2 Jan 2027"), w.trace("ca0df2c9"),
		}
		for _, v := range reflect.VisibleFields(reflect.TypeFor[wording]()) {
			f := reflect.ValueOf(*w).FieldByIndex(v.Index)
			switch {
			case f.Kind() == reflect.String:
				texts = append(texts, f.String())
			case f.Kind() == reflect.Map && f.Type().Elem().Kind() == reflect.String:
				for _, key := range f.MapKeys() {
					texts = append(texts, f.MapIndex(key).String())
				}
			}
		}
		if len(texts) < 40 {
			t.Fatalf("%d texts, want all of them", len(texts))
		}
		for _, text := range texts {
			for _, sentence := range regexp.MustCompile(`[.!?:;] |[。！？：；\n]`).Split(text, -1) {
				if n := utf8.RuneCountInString(sentence); n > most {
					t.Errorf("%d characters: %s", n, sentence)
				}
			}
		}
	}
}

// FAIL-05 Under an answer that claims what nothing has done stands one line that says
// so, in its language; beside a write that is told of by name it says no more than
// what is left.
func TestFAIL05AClaimHasALineUnderIt(t *testing.T) {
	b := New(Config{}, Parts{})
	for lang, want := range map[string]string{
		"en": "Done.\n\n⚠ Nothing was posted or scheduled in this run.",
		"zh": "Done.\n\n⚠ 这次什么也没有发送或安排。",
	} {
		out := run.Outcome{Key: "k/end", Text: "Done.", State: run.Done, Model: "m", Claimed: []run.Act{run.Posted, run.Scheduled}}
		if got := b.reply(Place{}, "k", lang, out).Text; got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}

// FAIL-05 Under an answer that claims what was not done, of a run that has done nothing,
// stands that nothing was: no line says that the rest is true.
func TestFAIL05NothingWasDoneAtAll(t *testing.T) {
	b := New(Config{}, Parts{})
	for lang, want := range map[string]string{
		"en": "Done.\n\n⚠ Nothing was posted, planned, saved or changed in this run.",
		"zh": "Done.\n\n⚠ 这次没有发出、安排、记下或更改任何东西。",
	} {
		out := run.Outcome{Key: "k/end", Text: "Done.", State: run.Done, Model: "m", Claimed: []run.Act{run.Posted}, Idle: true}
		if got := b.reply(Place{}, "k", lang, out).Text; got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
		if out.Claimed = nil; b.reply(Place{}, "k", lang, out).Text != "Done." {
			t.Errorf("%s: it is said under an answer that claims nothing", lang)
		}
	}
}

// ERR-17 Who reads that something is configured wrong reads which settings to look at.
func TestERR17TheSettingsAreNamed(t *testing.T) {
	b := New(Config{}, Parts{})
	for lang, want := range map[string]string{"en": "\nSettings to look at: model.api_key, model.name", "zh": "\n请检查这些设置：model.api_key, model.name"} {
		out := run.Outcome{Key: "k/end", State: run.Suspended, Why: run.Misset, Detail: "model.api_key, model.name", Model: "m"}
		if got := b.reply(Place{}, "k", lang, out).Text; !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want it to end with %q", lang, got, want)
		}
	}
}

// Over an answer of the rules stands why the model did not answer: once in a place for
// as long as it is so, and each time where it is of this request alone.
func TestWhyTheRulesAnswerIsSaid(t *testing.T) {
	b := New(Config{HasModel: true}, Parts{})
	for i, tt := range []struct {
		why    run.Why
		en, zh string
	}{
		{"", "as they began it", "由内置规则开始"}, // the model was set up since: it has failed nobody
		{"", "", ""},
		{run.Misset, "is not set up right", "没有设置好"},
		{run.Misset, "", ""},
		{run.Declined, "did not want to answer this", "不愿回答"},
		{run.Declined, "did not want to answer this", "不愿回答"},
		{run.Misset, "", ""},
		{run.TooBig, "more than the language model can take in", "超过了语言模型"},
		{run.ModelGone, "does not answer just now", "现在没有应答"},
	} {
		for lang, want := range map[string]string{"en": tt.en, "zh": tt.zh} {
			key := fmt.Sprint("k", i, lang)
			out := run.Outcome{Key: key + "/end", Text: "seven", State: run.Done, Model: rulesModel, Instead: tt.why}
			got := b.reply(Place{Channel: lang}, key, lang, out).Text
			if said, _, told := strings.Cut(got, "\n\n"); told != (want != "") || told && !strings.Contains(said, want) {
				t.Errorf("%d, %s: %q, want %q before it", i, tt.why, got, want)
			}
		}
	}
}

// The small print of a Chinese answer says in Chinese how a run has ended.
func TestTheSmallPrintIsInTheLanguageOfTheAnswer(t *testing.T) {
	b := New(Config{}, Parts{})
	for _, why := range []run.Why{run.TooLong, run.InCircle, run.Stalled, run.TimeUp, run.OverBudget, run.Misset, run.Stopped, run.Broken} {
		for _, state := range []run.State{run.Suspended, run.Done, run.Failed} {
			out := run.Outcome{Key: "k/end", State: state, Why: why, Model: "m"}
			zh, en := b.reply(Place{}, "k", "zh", out).Footer, b.reply(Place{}, "k", "en", out).Footer
			status := strings.Split(zh, " · ")
			if len(status) != 4 || regexp.MustCompile(`[A-Za-z_]`).MatchString(status[2]) {
				t.Errorf("%s, %s: %q", state, why, zh)
			}
			if status := strings.Split(en, " · "); len(status) != 4 || strings.Contains(status[2], "_") {
				t.Errorf("%s, %s: %q", state, why, en)
			}
		}
	}
}

// What is planned for one time is allowed for that time, and not until a day a year
// from now.
func TestAOneOffIsAllowedForItsTime(t *testing.T) {
	once := run.Planned{Name: "schedule_add", Job: "j1", Args: json.RawMessage(`{"spec":"@once 2026-12-07T09:00"}`)}
	monthly := run.Planned{Name: "schedule_add", Job: "j1", Args: json.RawMessage(`{"spec":"0 9 1 * *"}`)}
	post := run.Planned{Name: "post_message", Args: json.RawMessage(`{}`)}
	grant := &run.Grant{Until: time.Date(2027, 12, 30, 0, 0, 0, 0, time.UTC)}
	for name, tt := range map[string]struct {
		w       *wording
		calls   []run.Planned
		cadence string
		want    string
	}{
		"once":              {&english, []run.Planned{once}, "once, on Monday, 7 December 2026 at 09:00", "Allow once, on Monday, 7 December 2026 at 09:00"},
		"now and once":      {&english, []run.Planned{post, once}, "once, on Monday, 7 December 2026 at 09:00", "Post now and once, on Monday, 7 December 2026 at 09:00"},
		"once, Chinese":     {&chinese, []run.Planned{once}, "2026年12月7日（周一）09:00，仅一次", "允许执行：2026年12月7日（周一）09:00，仅一次"},
		"now, once Chinese": {&chinese, []run.Planned{post, once}, "2026年12月7日（周一）09:00，仅一次", "现在发，另外：2026年12月7日（周一）09:00，仅一次"},
		"monthly":           {&english, []run.Planned{post, monthly}, "monthly", "Post now and monthly until 30 Dec 2027"},
		"monthly, Chinese":  {&chinese, []run.Planned{monthly}, "每月", "允许每月执行，到 2027年12月30日"},
	} {
		q := run.Question{Kind: run.Approve, Calls: tt.calls, Cadence: tt.cadence, Grant: grant}
		if got := tt.w.label(q, run.Option{ID: run.Always, Grant: true}); got != tt.want {
			t.Errorf("%s: label = %q, want %q", name, got, tt.want)
		}
	}
}

// A text that takes back what was asked begins, or ends, so; what merely has such
// words in it does not.
func TestCorrections(t *testing.T) {
	for text, want := range map[string]bool{
		"wait, post it to #sales instead": true, "No wait, make it Tuesday": true, "no, to #ops": true, "actually use Europe": true,
		"hold on, not yet": true, "post it to #ops instead": true, "sorry, I meant March": true, "oh no, make it weekly": true,
		"等等，发到 #ops": true, "不对，改成周二": true, "不，发到 #ops": true, "改成周二": true, "把时间改成周二": true, "不好意思，错了，发到 #ops": true,
		"no rush": false, "no problem": false, "export the list": false, "I have no idea": false, "show sales instead of profit by region": false,
		"waiting time by region": false, "make a report": false, "不错": false, "不用了": false, "把上个月的数据汇总": false, "": false,
	} {
		if got := corrects(text); got != want {
			t.Errorf("corrects(%q) = %t, want %t", text, got, want)
		}
	}
}
