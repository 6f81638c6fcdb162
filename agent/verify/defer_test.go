package verify_test

import (
	"testing"

	"hermes/agent/verify"
)

// LOOP-14, M2 A look that is only announced is no answer; an answer that has begun with
// one is, and so are an offer, a promise for another time, and a question.
func TestLOOP14AnAnnouncedLookIsNoAnswer(t *testing.T) {
	for text, want := range map[string]bool{
		"Let me look up the sales figures for you.": true, "I am querying the database now": true, "Fetching the data...": true, "正在查询，请稍候。": true,
		"Let me check.": true, "Sure! I'll look that up.": true, "One moment, please.": true, "Okay, I'm going to fetch the numbers of October, by region.": true,
		"I'll check the sales for October 2026 and get back to you.": true, "Looking into it…": true, "Hold on while I look.": true, "I will now run the query. This may take a minute.": true,
		"让我查一下。": true, "好的，我来查一下上个月的销售额。": true, "我正在为您查询数据库": true, "请稍等。": true, "我先看看数据，马上给你。": true, "正在获取数据……": true,

		"Let me look: sales were 7.": false, "Let me know if you need anything else.": false, "I'll check it every Monday.": false, "Should I look it up?": false, "I can look it up if you like.": false,
		"Let me look at it. Sales rose to 7 in October.": false, "Sales were 7.": false, "Hello!": false, "one": false, "Two.": false, "wait": true, "I'm running well, thanks.": false, "Sure.": false, "I am checking out, bye.": false,
		"I'll remind you tomorrow.": false, "I looked it up, and sales were 7.": false, "Reading is fun.": false,
		"我查到了：销售额是 7。": false, "要我查一下吗？": false, "好的。": false, "我每周一查一次。": false, "正在查询的订单有 3 个，其中亚洲最多。": false, "销售额是 7。": false,
	} {
		if got := verify.Defers(text); got != want {
			t.Errorf("%q defers: %t", text, got)
		}
	}
}
