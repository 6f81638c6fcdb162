package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/playbook"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/bot"
	"hermes/scheduler"
)

// tap presses a button under an answer.
func (in *inside) tap(l bot.Line, by, prefix string) {
	in.t.Helper()
	i := slices.IndexFunc(l.Choices, func(c bot.Choice) bool { return strings.HasPrefix(c.ID, prefix) })
	if i < 0 {
		in.t.Fatalf("no button %s under %q: %v", prefix, l.Text, l.Choices)
	}
	in.said++
	c := bot.Click{Key: fmt.Sprintf("press/%d", in.said), Place: l.Place, From: by, Name: bot.UserOf(by), At: in.time()}
	switch key := strings.TrimPrefix(l.Choices[i].ID, prefix); prefix {
	case "save:":
		c.Save = key
	case "repeat:":
		c.Repeat = key
	case "continue:":
		c.Continue = key
	}
	if err := in.bot.Click(in.t.Context(), c); err != nil {
		in.t.Fatal(err)
	}
}

// plain is what SQL of our own says, past the declared layer.
func (in *inside) plain(sql string) [][]any {
	in.t.Helper()
	args, err := json.Marshal(map[string]string{"sql": sql})
	if err != nil {
		in.t.Fatal(err)
	}
	in.said++
	res, err := in.tools.Lookup("query_database").Run(in.t.Context(), tool.Call{ID: fmt.Sprintf("plain/%d", in.said), Args: args, Run: "plain", Asker: anaInDemo, Home: room("general", "").String(), Lang: "en", Now: in.time(), Zone: berlin})
	if err != nil || res.Failed {
		in.t.Fatalf("%s: %v %s", sql, err, res.Text)
	}
	var got struct{ Rows [][]any }
	if err := json.Unmarshal([]byte(res.Text), &got); err != nil {
		in.t.Fatal(err)
	}
	return got.Rows
}

// amount is a figure as a report shows it.
func amount(v float64) string {
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return "$" + s
}

// isPlain holds a posted report against plain SQL: the sum of each region stands in it.
func (in *inside) isPlain(text, from, until string) {
	in.t.Helper()
	rows := in.plain("SELECT r.name, sum(o.amount) / 100.0 FROM orders o JOIN regions r ON r.id = o.region WHERE o.day >= '" + from + "' AND o.day < '" + until + "' GROUP BY 1 ORDER BY 1")
	if len(rows) < 3 {
		in.t.Fatalf("plain SQL has %d regions", len(rows))
	}
	for _, row := range rows {
		name, _ := row[0].(string)
		v, _ := row[1].(float64)
		if !strings.Contains(text, amount(v)) {
			in.t.Errorf("%s of %s is %s in plain SQL; the report says\n%s", name, from, amount(v), text)
		}
	}
}

// SCEN-01, SCEN-12, C20, C26, walk E: what was done once is saved at a press, comes each
// month under one approval, about the month before and with the figures of plain SQL, and
// asks again once it was changed.
func TestASavedReportThroughTheMonths(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	in.say("t1", "summarise last month's sales by region and post it to #sales")
	in.press(in.card("t1"), demoLead, run.Yes)
	sales := room("sales", "")
	in.sees(sales, "October 2026")
	done := in.sees(room("general", "t1"), "Posted")
	in.tap(done, anaInDemo, "repeat:")
	in.sees(room("general", "t1"), "Saved as the report **sales-by-region**")
	card := in.card("t1")
	for _, want := range []string{"every month on the 1st at 09:00", "#sales", "**sales-by-region**, version 1"} {
		if !strings.Contains(card.Text, want) {
			t.Errorf("the card does not say %q:\n%s", want, card.Text)
		}
	}
	in.press(card, demoLead, run.Always)
	in.sees(room("general", "t1"), "Scheduled")
	job := in.job()
	if job.Report != "sales-by-region" || job.ToName != "#sales" {
		t.Fatalf("job = %+v", job)
	}
	for i, month := range []struct {
		at                 time.Time
		name, from, before string
	}{
		{time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC), "November 2026", "2026-11-01", "2026-12-01"},
		{time.Date(2027, 1, 1, 8, 0, 20, 0, time.UTC), "December 2026", "2026-12-01", "2027-01-01"},
		{time.Date(2027, 2, 3, 12, 0, 0, 0, time.UTC), "January 2027", "2027-01-01", "2027-02-01"}, // late
	} {
		in.set(month.at)
		if _, err := in.scheduler.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		posted := in.sees(sales, month.name)
		in.isPlain(posted.Text, month.from, month.before)
		if n := in.count(sales); n != i+2 {
			t.Errorf("%d posts in #sales after %s, want %d", n, month.name, i+2)
		}
	}
	slots := in.slots(job.ID, scheduler.Late, scheduler.Ran, scheduler.Ran)
	r, ok, err := in.db.Runs().Run(t.Context(), slots[0].Run)
	if err != nil || !ok || r.Model != "" || r.Usage().In != 0 || r.Saved == nil {
		t.Errorf("the slot was run by %q, %v %v", r.Model, ok, err)
	}

	// An edit ends what was allowed, and says so where the schedule was made.
	k, err := in.db.Reports().Report(t.Context(), "sales-by-region")
	if err != nil {
		t.Fatal(err)
	}
	k.Playbook.Steps[0].Args["top"] = json.Number("2")
	text, err := playbook.Write(k.Playbook)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opReportSave.do(t.Context(), in.hermes, mustJSON(t, reportArgs{Name: k.Name, YAML: string(text)})); err != nil {
		t.Fatal(err)
	}
	in.sees(room("general", "t1"), "its next post asks for approval again")
	if grants, err := in.db.Runs().Grants(t.Context(), job.ID); err != nil || len(grants) != 0 {
		t.Errorf("grants = %+v, %v; want none", grants, err)
	}
	in.set(time.Date(2027, 3, 1, 8, 0, 20, 0, time.UTC))
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := in.card("t1")
	if n := in.count(sales); n != 4 {
		t.Errorf("%d posts in #sales, want none more", n)
	}
	in.press(again, demoLead, run.Yes)
	in.sees(sales, "February 2027")
	in.slots(job.ID, scheduler.Ran, scheduler.Late, scheduler.Ran, scheduler.Ran)
}

func mustJSON(t *testing.T, v any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// edit changes a saved report as `hermes report edit` does.
func (in *inside) edit(name string, change func(*playbook.Playbook)) {
	in.t.Helper()
	k, err := in.db.Reports().Report(in.t.Context(), name)
	if err != nil {
		in.t.Fatal(err)
	}
	change(&k.Playbook)
	text, err := playbook.Write(k.Playbook)
	if err != nil {
		in.t.Fatal(err)
	}
	if _, err := opReportSave.do(in.t.Context(), in.hermes, mustJSON(in.t, reportArgs{Name: k.Name, YAML: string(text)})); err != nil {
		in.t.Fatal(err)
	}
}

// cardOther waits for an open card in a thread that is another than one.
func (in *inside) cardOther(thread, than string) bot.Line {
	in.t.Helper()
	open := func(l bot.Line) bool { return l.Question != "" && l.Question != than && len(l.Choices) > 0 }
	ls := in.lines(room("general", thread), "another open card", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, open) })
	return ls[slices.IndexFunc(ls, open)]
}

// C23, C24: a report that breaks its contract is not posted under its grant: a card says
// what is wrong with the figures, and offers to run it again or to post it all the same.
// C25: run by hand about the same month it is a revision, is asked about and says so.
func TestABrokenContractAndARevision(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	home, sales := room("general", "t1"), room("sales", "")
	in.say("t1", "summarise last month's sales by region")
	in.sees(home, "October 2026")
	in.say("t1", "save this as report Board Numbers")
	in.sees(home, "Saved as the report **board-numbers**")
	in.say("t1", "show my reports")
	in.sees(home, "**board-numbers**: Sales by region, version 1, about a month")
	in.say("t1", "run the board-numbers report for September")
	in.sees(home, "Sales by region**, September 2026 (saved report `board-numbers`, version 1)")
	in.edit("board-numbers", func(p *playbook.Playbook) {
		p.Contract.Limits = append(p.Contract.Limits, playbook.Limit{Figure: "by_region.total", Min: "100000000"})
	})
	in.say("t1", "every month on the 1st at 9:00 run the board-numbers report and post it to #sales")
	first := in.card("t1")
	in.press(first, demoLead, run.Always)
	in.sees(home, "Scheduled as")
	job := in.job()
	in.set(time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC))
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	broken := in.cardOther("t1", first.Question)
	for _, want := range []string{"not as its contract wants it", "by_region.total is", "at least 100000000 wanted"} {
		if !strings.Contains(broken.Text, want) {
			t.Errorf("the card does not say %q:\n%s", want, broken.Text)
		}
	}
	var labels []string
	for _, c := range broken.Choices {
		labels = append(labels, c.Label)
	}
	if got := strings.Join(labels, ", "); !strings.HasPrefix(got, "Post anyway, Edit …, Run again, Deny") {
		t.Errorf("buttons: %s", got)
	}
	in.slots(job.ID, scheduler.Blocked)
	if n := in.count(sales); n != 0 {
		t.Errorf("%d posts in #sales, want none", n)
	}
	in.press(broken, demoLead, run.Remake)
	again := in.cardOther("t1", broken.Question)
	in.press(again, demoLead, run.Yes)
	posted := in.sees(sales, "November 2026")
	in.isPlain(posted.Text, "2026-11-01", "2026-12-01")
	in.slots(job.ID, scheduler.Ran)

	// Mended, and run by hand: the month was reported on before.
	in.edit("board-numbers", func(p *playbook.Playbook) { p.Contract.Limits = nil })
	in.set(time.Date(2026, 12, 2, 8, 0, 20, 0, time.UTC))
	if _, err := in.scheduler.RunNow(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	revision := in.cardOther("t1", again.Question)
	if !strings.Contains(revision.Text, "revision 2") {
		t.Errorf("the card does not say that it is a revision:\n%s", revision.Text)
	}
	in.press(revision, demoLead, run.Yes)
	in.sees(sales, "**Revision 2**, in place of")
	if n := in.count(sales); n != 2 {
		t.Errorf("%d posts in #sales, want 2", n)
	}
}

// The same in Chinese, from the words to the card.
func TestASavedReportInChinese(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	home := room("general", "t1")
	in.say("t1", "把上个月的销售额按地区汇总，写一份报告")
	in.sees(home, "2026年10月")
	in.say("t1", "把这个存成报表，叫地区销售")
	in.sees(home, "已存为报表 **地区销售**")
	in.say("t1", "有哪些报表？")
	in.sees(home, "**地区销售**：按地区汇总的销售额，第 1 版，按月")
	in.say("t1", "运行报表地区销售")
	in.sees(home, "已保存的报表 `地区销售`，第 1 版")
	in.say("t1", "每月最后一个工作日下午5点运行报表地区销售，发到 #sales")
	card := in.card("t1")
	for _, want := range []string{"已保存的报表 **地区销售**，第 1 版", "每次统计当时所在的那段时间", "2026-11-01 至 2026-11-30"} {
		if !strings.Contains(card.Text, want) {
			t.Errorf("the card does not say %q:\n%s", want, card.Text)
		}
	}
	in.press(card, demoLead, run.Always)
	in.sees(home, "已设置定时任务")
	in.set(time.Date(2026, 11, 30, 16, 0, 20, 0, time.UTC)) // the last working day
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.sees(room("sales", ""), "2026年11月")
	in.slots(in.job().ID, scheduler.Ran)
}

// A saved report is deleted in chat by a card that says which schedules run it; these are
// paused with it. Both languages.
func TestASavedReportIsDeletedInChat(t *testing.T) {
	t.Parallel()
	for lang, tt := range map[string]struct{ del, card, gone string }{
		"en": {"delete the report board-numbers", "runs it, and is paused with this", "Paused with it: j1a2b3c4d"},
		"zh": {"删除报表 board-numbers", "在用它，会随之暂停", "随之暂停的定时任务：j1a2b3c4d"},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
			in.say("t1", "summarise last month's sales by region")
			in.sees(room("general", "t1"), "October 2026")
			in.say("t1", "save this as report Board Numbers")
			in.sees(room("general", "t1"), "Saved as the report **board-numbers**")
			j := scheduler.Job{
				ID: "j1a2b3c4d", Name: "numbers", Spec: "0 9 1 * *", Zone: berlin, Request: "run the saved report board-numbers", Report: "board-numbers",
				Origin: room("general", "t1").String(), Owner: anaInDemo, Lang: lang, State: scheduler.Active, Created: in.time(), Since: in.time(),
			}
			if err := in.db.Jobs().Add(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			in.say("t2", tt.del)
			card := in.card("t2")
			if !strings.Contains(card.Text, tt.card) || !strings.Contains(card.Text, j.ID) {
				t.Errorf("the card does not say that %s %s:\n%s", j.ID, tt.card, card.Text)
			}
			in.press(card, demoLead, run.Yes)
			in.sees(room("general", "t2"), tt.gone)
			if got := in.job(); got.State != scheduler.Paused {
				t.Errorf("the schedule is %s, want paused", got.State)
			}
			if _, err := in.db.Reports().Report(t.Context(), "board-numbers"); !errors.Is(err, playbook.ErrNone) {
				t.Errorf("Report = %v, want ErrNone", err)
			}
		})
	}
}

// An answer under a post is about that: its figures, and the schedule that it came of.
func TestWhatIsSaidUnderAPostIsAboutThat(t *testing.T) {
	t.Parallel()
	in := newInside(t, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	in.say("t1", headline)
	in.press(in.card("t1"), demoLead, run.Always)
	in.sees(room("general", "t1"), "1 December 2026")
	in.set(time.Date(2026, 12, 1, 8, 0, 20, 0, time.UTC))
	if _, err := in.scheduler.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	post := in.sees(room("sales", ""), "November 2026")
	thread := post.Place
	thread.Thread = post.Key
	say := func(text string) {
		t.Helper()
		in.said++
		in.clock.Add(int64(time.Second))
		err := in.bot.Receive(t.Context(), bot.Message{
			Key: fmt.Sprintf("web/demo/sales/under-%d", in.said), Place: thread, From: anaInDemo, Name: "Ana", Text: text,
			Addressed: true, InThread: true, At: in.time(), Zone: berlin,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	card := func() bot.Line {
		t.Helper()
		open := func(l bot.Line) bool { return l.Question != "" && len(l.Choices) > 0 }
		ls := in.lines(thread, "an open card", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, open) })
		return ls[slices.IndexFunc(ls, open)]
	}
	say("why is North America down?")
	in.sees(thread, "Sales by product, North America, November 2026")
	say("make it weekly")
	in.lines(thread, "the day to be asked for", func(ls []bot.Line) bool {
		return slices.ContainsFunc(ls, func(l bot.Line) bool { return strings.Contains(l.Text, "On which day of the week?") })
	})
	say("on Monday")
	asked := func(l bot.Line) bool {
		return l.Question != "" && len(l.Choices) > 0 && strings.Contains(l.Text, "every Monday")
	}
	ls := in.lines(thread, "the card", func(ls []bot.Line) bool { return slices.ContainsFunc(ls, asked) })
	weekly := ls[slices.IndexFunc(ls, asked)]
	for _, want := range []string{"every Monday at 09:00", "last week's sales by region", "#sales"} {
		if !strings.Contains(weekly.Text, want) {
			t.Errorf("the card does not say %q:\n%s", want, weekly.Text)
		}
	}
	in.press(weekly, demoLead, run.Yes)
	in.sees(thread, "now comes every Monday at 09:00")
	if j := in.job(); j.Spec != "0 9 * * MON" || j.ToName != "#sales" || !strings.Contains(j.Request, "last week") {
		t.Errorf("job = %+v", j)
	}
	say("别再发了")
	in.press(card(), anaInDemo, run.Yes)
	in.sees(thread, "已暂停")
	if j := in.job(); j.State != scheduler.Paused {
		t.Errorf("the job is %s, want paused", j.State)
	}
}
