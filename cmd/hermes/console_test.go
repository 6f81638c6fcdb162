package main

import (
	"testing"
)

// The main job, as people do it in the console, in both languages: ask, look at the
// card, be refused as the wrong person, approve as the right one, find the post with
// its table, chart and file, and the schedule. It starts with an empty folder and
// nothing else (PRIN-12, TOOL-38).
func TestMainJobInTheConsole(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		lang, ask, now, notYours, approved, done string
		table                                    string
	}{
		{
			"en", "@hermes summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00",
			"Post now and monthly until", "This is not yours to decide", "Approved, now and as scheduled, by Lee", "#sales", "Asia",
		},
		{
			"zh", "@hermes 把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次",
			"现在发，并每月发", "这件事不由您决定", "Lee 已批准，现在及以后按计划", "#sales", "亚洲",
		},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			t.Parallel()
			d := newDaemon(t)
			b := newBrowser(t, d)
			b.sayIn("general", tt.ask)
			b.sees(".pane .card", tt.now)
			b.sees(".pane .card table", tt.table)
			b.shot("card")
			thread := b.path()

			// The wrong person gets a plain answer, and nothing happens.
			b.press(tt.now)
			b.sees(".pane .line.only", tt.notYours)
			b.open("/c/sales")
			b.has("main .line.bot", 0)

			// Kill it with the card open: the button of before still works.
			d.kill()
			d.start()
			b.as("lead")
			b.open(thread)
			b.press(tt.now)
			b.sees(".pane .line", tt.approved)
			b.sees(".pane .line", tt.done)
			b.shot("approved")

			b.open("/c/sales")
			b.sees("main .line.bot table", tt.table)
			b.has("main .line.bot .picture img", 1)
			b.has("main .line.bot .files a[download]", 1)
			b.shot("posted")

			b.open("/schedules")
			b.sees("main", "#sales")
			b.shot("schedules")
			b.open("/runs")
			b.shot("runs")
		})
	}
}
