package verify_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/agent/verify"
)

// VER-01, DEC-28 What a request asks to be done is read by rule, in both languages.
func TestVER01WhatARequestAsksFor(t *testing.T) {
	later := func(a ...run.Act) (all []verify.Want) {
		for _, act := range a {
			all = append(all, verify.Want{Act: act, Later: act != scheduled})
		}
		return all
	}
	now := func(a ...run.Act) (all []verify.Want) {
		for _, act := range a {
			all = append(all, verify.Want{Act: act})
		}
		return all
	}
	for text, want := range map[string][]verify.Want{
		"summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00": now(posted, scheduled),
		"把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次":                                                                                 now(posted, scheduled),
		"发布上个月的销售报告到 #sales，每周一再做一次":                                                                                                    now(posted, scheduled),
		"把上个月的销售报告发到 #sales，每月1号":                                                                                                       later(posted, scheduled),
		"send last month's report to #sales now and again every Monday at 9":                                                            now(posted, scheduled),
		"写一份发到 #sales 的公告草稿":                                                                                                            nil,
		"写一封发给客户的邮件":                                                                                                                    nil,
		"Post the summary to #sales.":                                                                                                   now(posted),
		"Could you please send it to the finance team?":                                                                                 now(posted),
		"E-mail Bob the report":                                                                                                         now(posted),
		"tell @lee that the numbers are ready":                                                                                          now(posted),
		"What were last month's sales by region, and post it to #sales":                                                                 now(posted),
		"Every Monday at 9:00, post the sales to #sales":                                                                                later(posted, scheduled),
		"post it to #sales tomorrow at 9":                                                                                               later(posted),
		"remind me tomorrow at 9 to send the report to Bob":                                                                             now(scheduled),
		"set up a reminder for Friday":                                                                                                  now(scheduled),
		"delete my reminder":                                                                                                            now(deleted),
		"pause the sales report":                                                                                                        now(changed),
		"update the ticket":                                                                                                             now(changed),
		"export it as CSV":                                                                                                              now(remembered),
		"remember that I prefer CSV":                                                                                                    now(remembered),
		"from now on I want CSV":                                                                                                        now(remembered),
		"Make a chart and then share it with the team.":                                                                                 now(posted),

		"汇总上个月的销售，写一段分析，发到 #sales，并且每月1号上午9点都这样做": now(posted, scheduled),
		"把报告发给李雷":             now(posted),
		"请通知大家会议改到三点":         now(posted),
		"明天早上9点提醒我交报告":        now(scheduled),
		"每周一9点把销售汇总发到 #sales": later(posted, scheduled),
		"删除我的提醒":              now(deleted),
		"暂停销售报告的定时任务":         now(changed),
		"把结果导出为 CSV":          now(remembered),
		"记住我喜欢用 CSV":          now(remembered),
		"能帮我把它发到 #sales 吗？":   now(posted),
	} {
		if d := cmp.Diff(want, verify.Wants(text)); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

// VER-01 Questions about it, denials, conditions, quotations, what is to be written or
// worked on, and what is said to who asks ask for no act.
func TestVER01WhatAsksForNothing(t *testing.T) {
	for _, text := range []string{
		"how do I post a message to #sales?", "How can I schedule a report and send it to Bob?", "can I send it to #sales?", "did you post it to #sales?",
		"Don't send it to #sales.", "Write a summary, but don't post it to #sales.", "never post it to the channel", "summarise it without posting it to #sales",
		"What does \"post it to #sales\" mean?", "Bob said: \"send it to Lee\"", "> please post it to #sales\nwhat does he want?",
		"if sales are down, tell @lee that they are", "once the report is ready, send it to Bob", "send me the numbers", "send the figures to me", "show me the posts in #sales",
		"draft a message to send to the team", "translate: send the report to Bob", "Please translate this:\nPost it to #sales at once.",
		"post it here", "sales every month", "show sales for each day", "email volume by month", "remind me what we sold last month", "delete the empty column from the table",
		"save time", "write a short analysis", "note that refunds are excluded", "I sent it to Bob yesterday.", "forget it", "Post it to #sales. Actually, never mind.",
		"Post it to #sales. No, do not post it.",
		"怎么发到 #sales？", "不要发到 #sales", "写一段总结，先不要发送到 #sales", "如果下降了就通知大家", "“把它发到 #sales”是什么意思？", "发给我看看", "每天发送的邮件数量是多少",
		"列出每天发送的邮件数", "翻译：把报告发给李雷", "你已经发到 #sales 了吗", "给我看所有的提醒", "写一封发给客户的邮件草稿", "把它发到 #sales。算了", "提醒我什么时候开会？",
	} {
		if got := verify.Wants(text); len(got) > 0 {
			t.Errorf("%q asks for %v", text, got)
		}
	}
}

// What is said later adds to it, or takes it back.
func TestALaterWordCounts(t *testing.T) {
	for _, tt := range []struct {
		said []string
		want []verify.Want
	}{
		{[]string{"summarise last month's sales", "and post it to #sales"}, []verify.Want{{Act: posted}}},
		{[]string{"post it to #sales", "don't post it yet"}, nil},
		{[]string{"把它发到 #sales", "先别发"}, nil},
		{[]string{"post it to #sales", "never mind"}, nil},
	} {
		if d := cmp.Diff(tt.want, verify.Wants(tt.said...)); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt.said, d)
		}
	}
}

// A routed row is what somebody said, as others have labelled it.
type routed struct{ Text, Label, Intent string }

// eachRow reads the labelled rows.
func eachRow(t *testing.T, do func(routed)) {
	t.Helper()
	f, err := os.Open("../../../shared/data/router_train_dev.jsonl")
	if err != nil {
		t.Skip("no shared data here")
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row routed
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		do(row)
	}
}

// VER-01 Rows that others have labelled small talk or questions ask for no act: of 591
// and 786 of them, 0. Reminders and alarms that are asked for are nearly all found.
func TestVER01NoSmallTalkAndNoQuestionIsHeldToAnything(t *testing.T) {
	all, wrong := map[string]int{}, map[string]int{}
	asked, found := 0, 0
	eachRow(t, func(row routed) {
		got := verify.Wants(row.Text)
		all[row.Label]++
		if row.Label != "task" && len(got) > 0 {
			wrong[row.Label]++
			t.Errorf("%s %q asks for %v", row.Label, row.Text, got)
		}
		if row.Intent == "reminder/set_reminder" || row.Intent == "alarm/set_alarm" || strings.HasSuffix(row.Intent, "/cancel_reminder") {
			asked++
			if len(got) > 0 {
				found++
			}
		}
	})
	t.Logf("small talk %d of %d, questions %d of %d; reminders and alarms found %d of %d", wrong["chitchat"], all["chitchat"], wrong["question"], all["question"], found, asked)
	if all["chitchat"] != 591 || all["question"] != 786 {
		t.Errorf("there are %d and %d rows", all["chitchat"], all["question"])
	}
	if found*10 < asked*9 {
		t.Errorf("found %d of %d", found, asked)
	}
}

// An answer that asks for what it needs is no end; one that offers what was asked for is.
func TestWhatAnAnswerAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"Which channel should I post it to?": true, "Do you mean October or November?": true, "Please tell me which report.": true, "I still need the name of the channel.": true,
		"发到哪个频道？": true, "请提供客户的编号。": true,
		"Shall I post it to #sales?": false, "Would you like me to post it to #sales or #general?": false, "Done. What else can I do?": false, "Sales were 7.": false, "要我发到 #sales 吗？": false, "Anything else?": false,
	} {
		if got := verify.Asks(text); got != want {
			t.Errorf("%q asks: %t", text, got)
		}
	}
}

// VER-05, VER-06 A citation of a step that was not, or of a tool that has not run, is
// found; one that holds, the steps of a guide and other words are left alone.
func TestVER05WhatIsCitedMustHaveRun(t *testing.T) {
	rec := verify.Record{
		Steps: 2, Acted: func() bool { return true },
		Ran:   func(name string) bool { return name == "query_metric" },
		Known: func(name string) bool { return name == "query_metric" || name == "query_database" },
	}
	for text, want := range map[string][]string{
		"Sales were 7 (step 1).":                                      nil,
		"As step 2 shows, Asia leads.":                                nil,
		"According to query_metric, sales were 7.":                    nil,
		"Sales were 7 (step 9).":                                      {"step 9"},
		"Step 5 returned 7.":                                          {"step 5"},
		"According to query_database, sales were 7.":                  {"query_database"},
		"query_database returned 7.":                                  {"query_database"},
		"根据第5步，销售额是 7。":                                               {"step 5"},
		"query_database 返回 7。":                                        {"query_database"},
		"第2步的结果是 7。":                                                  nil,
		"Step 1: open it.\nStep 2: save.\nStep 9: from step 9 go on.": nil,
		"You could use query_database for that.":                      nil,
		"The column first_name says it.":                              nil,
		"It says `first_name` returned nothing.":                      nil,
	} {
		if d := cmp.Diff(want, rec.Miscited(text)); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	none := verify.Record{Acted: func() bool { return false }, Steps: 3, Ran: func(string) bool { return false }, Known: func(string) bool { return true }}
	if got := none.Miscited("Sales were 7 (step 1)."); len(got) != 1 {
		t.Errorf("without any call it cites %q", got)
	}
}

// VER-05 What speaks of a result without saying whose is uncited.
func TestVER05WhatCitesNothingIsFlagged(t *testing.T) {
	for text, want := range map[string]bool{
		"The query returned 7 rows.": true, "Based on the results, Asia leads.": true, "查询结果显示亚洲第一。": true,
		"query_metric returned 7 rows; the result shows Asia.": false, "The result shows 7 (step 1).": false, "第1步的查询结果显示 7。": false, "Sales were 7.": false, "look up sales": false,
	} {
		if got := verify.Uncited(text); got != want {
			t.Errorf("%q is uncited: %t", text, got)
		}
	}
}

func BenchmarkWants(b *testing.B) {
	for b.Loop() {
		if len(verify.Wants("summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00")) != 2 {
			b.Fatal("it is not found")
		}
	}
}
