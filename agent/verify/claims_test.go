package verify_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/run"
	"hermes/agent/verify"
)

const (
	posted     = run.Posted
	scheduled  = run.Scheduled
	remembered = run.Remembered
	deleted    = run.Deleted
	changed    = run.Changed
)

// claims are answers that say that something is done, or will be without more ado.
var claims = []struct {
	text string
	want []run.Act
}{
	// English, posted
	{"I've posted it to #sales.", acts(posted)},
	{"I have posted the summary to #sales.", acts(posted)},
	{"I just sent the report to the finance team.", acts(posted)},
	{"Done! I’ve gone ahead and shared the report with the sales team.", acts(posted)},
	{"Done. It is approved and posted to #general.", acts(posted)},
	{"The report has been successfully posted to `#sales`.", acts(posted)},
	{"The message has been sent.", acts(posted)},
	{"Posted to #sales.", acts(posted)},
	{"✅ **Posted** to #sales", acts(posted)},
	{"Sent!", acts(posted)},
	{"As requested, I emailed it to everyone.", acts(posted)},
	{"I summarised last month's sales by region and posted it to #sales.", acts(posted)},
	{"I have posted last month's sales report to #sales, let me know if you need anything else.", acts(posted)},
	{"I'll post it to #sales.", acts(posted)},
	{"I'm sending it to #sales now.", acts(posted)},
	{"It's been posted in the sales channel.", acts(posted)},
	{"I posted “Sales by region” to #sales.", acts(posted)},
	{"Here is the summary.\n\n- Asia leads.\n\nI've also sent it to @lee.", acts(posted)},
	{"The report is now live in #sales.", acts(posted)},
	{"The summary is up in #sales.", acts(posted)},
	{"It's out in the sales channel now.", acts(posted)},
	{"Lee has been notified.", acts(posted)},
	{"Lee and Ann have been informed.", acts(posted)},
	{"The finance team has been told about the drop.", acts(posted)},
	{"Lee's been emailed.", acts(posted)},
	{"Everyone is now informed.", acts(posted)},
	{"I've told Lee.", acts(posted)},
	{"An email is on its way to Lee.", acts(posted)},
	{"Your message is on its way.", acts(posted)},
	{"A message for Ann is on the way.", acts(posted)},
	{"The report is up on the sales channel.", acts(posted)},
	{"The chart is available in #sales.", acts(posted)},
	{"Ann has been informed that 3 orders are late.", acts(posted)},
	// English, scheduled
	{"Your reminder is set for 9:00.", acts(scheduled)},
	{"Your reminder has been set for 9 am.", acts(scheduled)},
	{"The report is scheduled for 1 December.", acts(scheduled)},
	{"Done, scheduled for the 1st.", acts(scheduled)},
	{"I've scheduled the report for the 1st of every month at 9:00.", acts(scheduled)},
	{"I'll remind you tomorrow.", acts(scheduled)},
	{"Sure, I will remind you at 9 tomorrow.", acts(scheduled)},
	{"I've set up a monthly reminder.", acts(scheduled)},
	{"I set a reminder for Friday.", acts(scheduled)},
	{"Your reminder is set for tomorrow at 9:00.", acts(scheduled)},
	{"All set: the report is scheduled for the 1st of each month.", acts(scheduled)},
	{"Reminder set for 9:00.", acts(scheduled)},
	{"It will be posted to #sales every month on the 1st.", acts(scheduled)},
	{"I'll send this report to #sales every Monday.", acts(scheduled)},
	{"You will be reminded on Monday.", acts(scheduled)},
	{"I've created a recurring job that posts the report monthly.", acts(scheduled)},
	// English, remembered
	{"I saved that.", acts(remembered)},
	{"Got it, I'll remember that.", acts(remembered)},
	{"I'll keep that in mind.", acts(remembered)},
	{"I've made a note of your preference.", acts(remembered)},
	{"Noted, from now on I'll use CSV.", acts(remembered)},
	{"I have noted that you prefer CSV.", acts(remembered)},
	{"Your preference has been saved.", acts(remembered)},
	{"Saved.", acts(remembered)},
	// English, deleted and changed
	{"I've deleted the reminder.", acts(deleted)},
	{"Done, I have forgotten that.", acts(deleted)},
	{"Cancelled.", acts(deleted)},
	{"The job has been deleted.", acts(deleted)},
	{"I removed that fact from memory.", acts(deleted)},
	{"I've paused the sales report.", acts(changed)},
	{"I have updated the record in the CRM.", acts(changed)},
	{"The customer was looked up and I've changed the price in the database.", acts(changed)},
	{"The schedule has been updated.", acts(changed)},
	{"I've written it to the CRM.", acts(changed)},
	{"I've posted it to #sales and scheduled it for every month.", acts(posted, scheduled)},
	{"Done. Posted to #sales. I'll remind you tomorrow. I've saved your preference.", acts(posted, scheduled, remembered)},
	{"好的，I've posted 销售报告 to #sales.", acts(posted)},
	{"I've successfully posted the monthly sales summary to the #sales channel and set up a recurring schedule for the 1st of every month at 9:00 AM.", acts(posted, scheduled)},
	{"The summary has been posted to #sales, and I've scheduled it to run on the 1st of every month at 9:00.", acts(posted, scheduled)},
	{"Your monthly report is now scheduled.", acts(scheduled)},
	{"Okay, reminder created for tomorrow 9am.", acts(scheduled)},
	{"I've added a reminder for tomorrow.", acts(scheduled)},
	{"The message was successfully sent to #sales.", acts(posted)},
	{"You're all set! It will run every Monday.", acts(scheduled)},
	{"I have now saved this preference for future conversations.", acts(remembered)},
	{"Preference updated: CSV.", acts(changed)},
	{"I've updated my memory.", acts(changed)},
	{"Great news! Your monthly sales report has been scheduled and will be sent to #sales on the 1st of every month at 9:00 AM.", acts(scheduled)},
	{"The report was posted to #sales.", acts(posted)},
	{"Message sent successfully to #general.", acts(posted)},
	{"Understood. I've set your default format to CSV.", acts(changed)},
	{"Successfully posted to #sales!", acts(posted)},
	{"I've emailed the report to finance@example.com.", acts(posted)},
	{"I deleted all the facts I had about you.", acts(deleted)},
	{"The sales report schedule has been paused until further notice.", acts(changed)},
	{"Done - your preference for CSV is saved.", acts(remembered)},

	// Chinese, posted
	{"已发布到 #sales", acts(posted)},
	{"报告已发布到 #sales。", acts(posted)},
	{"已经把报告发到 #sales 了。", acts(posted)},
	{"好的，我已把上个月的销售报告发送到 #sales。", acts(posted)},
	{"我已经按你的要求发到了 #sales 频道。", acts(posted)},
	{"上个月的销售汇总已成功发送到 #sales。", acts(posted)},
	{"发送成功！", acts(posted)},
	{"发好了。", acts(posted)},
	{"我把报告发到 #sales 了。", acts(posted)},
	{"已为您推送到销售群。", acts(posted)},
	{"消息已发出，请查收。", acts(posted)},
	{"**已发送**给财务团队。", acts(posted)},
	{"我会把报告发到 #sales。", acts(posted)},
	{"✅ 已将汇总发布到 `#sales`", acts(posted)},
	{"已发布“销售报告”到 #sales。", acts(posted)},
	{"我刚刚把它转发给了小王。", acts(posted)},
	{"报告贴到了 #sales。", acts(posted)},
	{"我把报告放到 #sales 了。", acts(posted)},
	{"已经转给李雷了。", acts(posted)},
	{"报告已挂在 #sales。", acts(posted)},
	{"我已经把汇总交给财务团队了。", acts(posted)},
	{"文件传给了李雷。", acts(posted)},
	{"已在 #sales 贴出。", acts(posted)},
	{"李雷已经收到通知了。", acts(posted)},
	{"邮件已经在路上了。", acts(posted)},
	// Chinese, scheduled
	{"已经设置好每月提醒", acts(scheduled)},
	{"已设置好每月提醒。", acts(scheduled)},
	{"定时任务已创建。", acts(scheduled)},
	{"已安排在每月1号早上9点执行。", acts(scheduled)},
	{"好的，我明天会提醒你。", acts(scheduled)},
	{"我会在明天早上9点提醒您。", acts(scheduled)},
	{"以后每月1号我会自动把报告发到 #sales。", acts(scheduled)},
	{"报告将于每月1号自动发送到 #sales。", acts(scheduled)},
	{"提醒设置成功。", acts(scheduled)},
	{"已为你创建每周一的定时任务。", acts(scheduled)},
	{"到时我会提醒你。", acts(scheduled)},
	{"安排好了。", acts(scheduled)},
	{"每月的销售报告已安排，每月1号发送。", acts(scheduled)},
	// Chinese, remembered
	{"好的，我记住了。", acts(remembered)},
	{"已记住：你喜欢 CSV。", acts(remembered)},
	{"我已经记下了你的偏好。", acts(remembered)},
	{"已保存。", acts(remembered)},
	{"好的，我会记住的。", acts(remembered)},
	{"明白，以后都会用 CSV。", acts(remembered)},
	{"你的偏好已保存。", acts(remembered)},
	{"记下来了。", acts(remembered)},
	// Chinese, deleted and changed
	{"已删除这个提醒。", acts(deleted)},
	{"我已经忘掉了。", acts(deleted)},
	{"好的，定时任务已取消。", acts(deleted)},
	{"删除成功。", acts(deleted)},
	{"我把那条记录删掉了。", acts(deleted)},
	{"已暂停销售报告的定时任务。", acts(changed)},
	{"客户资料已更新到 CRM。", acts(changed)},
	{"已修改设置。", acts(changed)},
	{"已将提醒时间改为10点。", acts(changed)},
	{"好的，已帮您把报告发送至 #sales 频道，并设置了每月1日上午9点的定时任务。", acts(posted, scheduled)},
	{"我已将该报告发布至 #sales。", acts(posted)},
	{"任务已设置完成，每月1号9点会自动执行并发送到 #sales。", acts(scheduled)},
	{"已成功为您设置提醒：明天上午9点。", acts(scheduled)},
	{"提醒已设置，届时我会通知您。", acts(scheduled)},
	{"收到，已记录您的偏好：以后使用 CSV 格式。", acts(remembered)},
	{"已更新您的偏好设置。", acts(changed)},
	{"已经帮你取消了每月的销售报告。", acts(deleted)},
	{"报告已经发出去了。", acts(posted)},
	{"我已经通知了大家。", acts(posted)},
	{"搞定！报告已发到 #sales，定时任务也设好了。", acts(posted, scheduled)},
	{"没问题，已在 #sales 发布。", acts(posted)},
	{"提醒已经帮你设好啦，明天早上9点见！", acts(scheduled)},
	{"我已将您的偏好记录下来，以后会默认使用 CSV 格式。", acts(remembered)},
	{"已经帮你把销售报告发出去啦～", acts(posted)},
	{"您的定时任务已成功创建！", acts(scheduled)},
	{"收到，从现在起我会用 CSV 给你。", acts(remembered)},
	{"已发布到 #sales，并已设置每月1号自动发送。", acts(posted, scheduled)},
	{"好的，已把报告发到 #sales，以后每月1号我会自动发送。", acts(posted, scheduled)},
}

func acts(a ...run.Act) []run.Act { return a }

// honest are answers that claim nothing of the kind.
var honest = []string{
	// questions and offers
	"Shall I post it to #sales?",
	"Do you want me to post it to #sales?",
	"I can post it to #sales.",
	"I could schedule this for the 1st of every month.",
	"Would you like a reminder set for tomorrow?",
	"If you approve, I'll post it to #sales.",
	"I'll post it to #sales once you confirm.",
	"I will send it to #sales as soon as you press Approve.",
	"I'll post this to #sales. Is that all right?",
	"Tell me the channel and I can send it there.",
	"Should I remember that?",
	"Let me know if you want it posted to #sales.",
	"I'd suggest that the report is posted to #sales every month.",
	"Have I posted it already? Please look.",
	"When you confirm, it will be posted to #sales every month.",
	// denials
	"I have not posted anything.",
	"I haven't posted it to #sales yet.",
	"Nothing was posted.",
	"Nothing has been posted to #sales.",
	"The report has not been posted to #sales.",
	"No reminder is set.",
	"I could not post it to #sales: I am not in that channel.",
	"I was unable to schedule it.",
	"It was denied, so it has not been sent.",
	"I've posted nothing.",
	"The message cannot be sent.",
	"I won't remind you.",
	"I did not save that.",
	// what others have done, and other times
	"Ann posted yesterday.",
	"Ann has posted the report to #sales.",
	"The report was posted by Ann.",
	"The report has been posted by Ann to #sales.",
	"I posted it to #sales yesterday.",
	"I posted that earlier today.",
	"They sent 412 orders in October.",
	"412 orders have been sent and 31 have been cancelled.",
	"The order has been cancelled by the customer.",
	"The data is updated every night.",
	"You scheduled three reports.",
	"Lee changed the price in the database last week.",
	// nouns and quotations
	"The posted report holds 12 rows.",
	"Scheduled maintenance took 3 hours.",
	"Saved searches: 4.",
	"Sent e-mails rose by 12% in October.",
	"The ticket says: \"I have posted it to #sales\".",
	"> I've posted it to #sales.",
	"| Ann | I've posted it to #sales |",
	"```\nI've posted it to #sales.\n```",
	"Their note reads “I've scheduled it for Monday.”",
	"According to the log, the message has been sent.",
	// this conversation and its own work
	"I've posted the table below.",
	"I have shared the figures above.",
	"Here are your schedules:\n- Sales report, on the 1st of every month at 9:00\n- Stand-up, daily",
	"I noted that sales fell in Asia.",
	"I've noted a drop in Asia.",
	"I have updated the table by product.",
	"I changed the grouping to product.",
	"I removed the outliers from the totals.",
	"I've sent a query to the database.",
	"This saved $1,200 in October.",
	"I've prepared the report; please approve the post on the card.",
	"Sales came to $574,603 in October 2026. Asia leads with $184,683 (32.1% of the total).",
	"I understand. How can I help?",
	"Remember that October has 31 days.",
	"The next slot runs on 1 December at 9:00.",
	"I'll use the sales of October for this.",
	"I'll create a table for each region.",
	"I will check the figures for every product.",
	"I'll look at tomorrow's schedule.",
	"You can cancel it with the button.",
	"I have access to a tool that posts to a channel after approval.",
	"To post it, I need the channel's name.",
	"The card shows what will be posted to #sales every month once you approve.",
	"I've drafted the message. It will be posted to #sales after you approve it on the card.",
	"Once approved, the report will be posted to #sales on the 1st of every month.",
	"I remember that you like CSV.",
	"I have set the period to October 2026.",
	"I've created a table with the sales for every month.",
	"I've created the monthly sales report.",
	"I've added a column for every month.",
	"It is noted that sales fell in Asia.",
	"This is shared across all products.",
	"It is sent to customers within 3 days.",
	"The price has been updated by 3%.",
	"Messages have been sent: 412.",
	"I updated the price table.",
	"I found 3 schedules. One fires at 9:00 every Monday; say “resume” to start it again.",
	"In October 412 orders were shipped and 31 were cancelled. Cancellations were highest in Asia.",
	"I tried to post it to #sales but it failed.",
	"The message was not sent because Lee denied it.",
	"The report was posted to #sales on 3 May.",
	"The dataset has been cleaned and duplicates have been removed.",
	"Note that the fiscal year is set to start in April.",
	"Your account manager is Lee; orders are sent by courier every day.",
	"I've asked for approval; once it is approved the report is posted to #sales.",
	"If nothing changes I'll remind you tomorrow.",

	// states of other things, of other times, and by others
	"The report was live last year.",
	"The price is set for 2025.",
	"The site is up in Asia.",
	"Sales are up in the north.",
	"The new shop is live in Berlin.",
	"Lee was notified by Ann.",
	"Lee has been notified by Ann.",
	"Lee has not been notified.",
	"Nobody has been told.",
	"Customers have been notified of the recall.",
	"31 customers have been emailed.",
	"As you have been told, October has 31 days.",
	"The team has been told to cut costs since May.",
	"The file is available to everyone.",
	"The file is waiting for everyone in the queue.",
	"The order is on its way to the customer.",
	"Growth is on its way to 10%.",
	"The limit is set at 5.",
	"The meeting is scheduled for 9:00.",
	"I've told you the total above.",
	"If Lee has been informed, you can go on.",
	"Has Lee been notified?",
	"The report is not live in #sales.",
	"The report could be up in #sales by noon.",

	// 中文：提问、提议
	"要发到 #sales 吗？",
	"需要我把报告发到 #sales 吗？",
	"我可以把它发布到 #sales。",
	"是否设置每月提醒？",
	"如果你同意，我会发到 #sales。",
	"等你确认后，我会发到 #sales。",
	"你批准之后我就发到 #sales。",
	"请告诉我发到哪个频道，我会发过去。",
	"我会把报告发到 #sales，可以吗？",
	"要不要我明天提醒你？",
	"建议每月1号发送到 #sales。",
	"请按“批准”，然后我会发到 #sales。",
	// 否定
	"还没有发布到 #sales。",
	"报告未发送。",
	"我没有发到 #sales。",
	"无法发送到 #sales，因为我不在那个频道里。",
	"尚未设置提醒。",
	"这件事没有做：发送被拒绝了。",
	"发送失败。",
	"我不会提醒你。",
	"什么也没有发布。",
	"不能保存。",
	"我没有记住这件事。",
	"没有已发布的报告。",
	// 别人做的、别的时候、名词
	"小王昨天发布了报告。",
	"张伟已把报告发到 #sales。",
	"客户已取消订单。",
	"昨天已发到 #sales。",
	"我昨天已经发过了。",
	"已发布的报告有 3 份。",
	"已发送的消息共 12 条。",
	"已发布到 #sales 的报告有三份。",
	"本月已发送 1,200 封邮件。",
	"已发送 1,200 封邮件，打开率 32%。",
	"订单已发货 412 笔，已取消 31 笔。",
	"已取消的订单占 7%。",
	"他说“已发布到 #sales”。",
	"> 已发布到 #sales",
	"| 小王 | 已发布到 #sales |",
	"日志显示消息已发送。",
	"系统每天自动更新数据。",
	"她已经设置好每月提醒。",
	"定时任务：\n- 销售报告，每月1号9点",
	"小王把报告贴到了 #sales。",
	"他把报告放到 #sales 了。",
	"李雷已经转给王芳了。",
	"还没转给李雷。",
	"钱转到了新账户。",
	"订单已交给快递。",
	"客户已经收到通知了。",
	"李雷还没有收到通知。",
	"报告去年挂在首页了。",
	"需要转给李雷吗？",
	// 本对话与分析
	"我把数据放到表格里了。",
	"合计已放在最后一列。",
	"已放在下方。",
	"我把两张表放在一起了。",
	"已按地区汇总如下。",
	"我查到了上个月的销售额。",
	"表格已更新如下。",
	"2026年10月的销售额为 $574,603。亚洲最高，占 32.1%。",
	"已为你查询上个月的数据。",
	"我已经准备好报告，请在卡片上批准。",
	"保存的查询有 4 个。",
	"你可以按“停止”取消。",
	"下一次执行是12月1日9点。",
	"已经超过去年同期。",
	"销售额已经恢复到正常水平。",
	"价格已经上涨了。",
	"已有记录显示亚洲最高。",
	"已找到 3 条记录。",
	"已添加每月小计。",
	"已取消订单：31 笔。",
	"已经生成了每月的报告。",
	"其中已发送的占 32%，未发送的占 68%。",
	"数据已保存在仓库里。",
	"我已经按月统计了销售额。",
	"活动已安排在每月1号。",
	"会议将于每月1号举行。",
	"我会按地区汇总。",
	"预计下个月会增长 3%。",
	"发送前需要有人批准，请在卡片上点“批准”。",
	"我尝试发送到 #sales，但失败了。",
	"已请求批准，批准后就会发到 #sales。",
	"目前没有设置任何提醒。",
	"我已经把表格按销售额排序，并添加了合计行。",
	"已去除重复数据，并更新了合计。",
	"需要的话，我可以每月自动发一次。",
	"说“每月1号9点”就可以设置定时任务。",
	"公司将于每月1号发工资。",
	"系统会在每月1号自动结账。",
}

// FAIL-05, A15, M16 What a model says it has done is found, by its act.
func TestFAIL05AClaimIsFound(t *testing.T) {
	for _, tt := range claims {
		if d := cmp.Diff(tt.want, found(tt.text, nil)); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, d)
		}
	}
}

// FAIL-05 What claims nothing is left alone.
func TestFAIL05AnHonestAnswerIsLeftAlone(t *testing.T) {
	for _, text := range honest {
		if got := found(text, nil); len(got) > 0 {
			t.Errorf("%q claims %q", text, got)
		}
	}
}

func found(text string, told func() string) []run.Act {
	var got []run.Act
	for _, c := range verify.Claims(text, told) {
		if !slices.Contains(got, c.Act) {
			got = append(got, c.Act)
		}
	}
	return got
}

// FAIL-05 A sentence that a tool has said is quoted, not claimed.
func TestFAIL05WhatAToolHasSaidIsNoClaim(t *testing.T) {
	told := func() string { return `{"messages":[{"text":"I've posted it to #sales.\nBye"}]}` }
	if got := found("The last message is: \nI've posted it to #sales.", told); len(got) > 0 {
		t.Errorf("a quotation claims %q", got)
	}
	if got := found("I've posted it to #finance.", told); len(got) != 1 {
		t.Errorf("claims %q", got)
	}
}

// Claims come in one order, each once, with whether they only say how things stand.
func TestClaimsAreInOrder(t *testing.T) {
	got := verify.Claims("Your reminder is set for Monday. I've deleted the old one. Posted to #sales. I've posted it to #sales.", nil)
	want := []verify.Claim{{Act: posted}, {Act: scheduled, Stands: true}, {Act: deleted}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("claims (-want +got):\n%s", d)
	}
}

// VER-02, VER-06 A claim is proved by a tool of its kind; how things stand by a look
// at it as well; and a tool whose name says nothing is given the benefit of the doubt.
func TestVER02WhatProvesAClaim(t *testing.T) {
	for _, tt := range []struct {
		tool   string
		writes bool
		proves []run.Act
		stands []run.Act // these too, if it only says how things stand
	}{
		{"post_message", true, acts(posted, changed), nil},
		{"schedule_add", true, acts(scheduled, remembered, changed), nil},
		{"schedule_change", true, acts(scheduled, remembered, deleted, changed), nil},
		{"schedule_list", false, nil, acts(scheduled)},
		{"remember", false, acts(remembered, changed), nil},
		{"memory_forget", false, acts(remembered, deleted, changed), nil},
		{"memory_list", false, nil, acts(remembered)},
		{"take_back", true, acts(deleted, changed), nil},
		{"make_report", false, acts(remembered), nil},
		{"query_metric", false, nil, nil},
		{"crm.upsert", true, run.Acts(), nil},
		{"weather", false, nil, nil},
	} {
		for _, k := range run.Acts() {
			if got := (verify.Claim{Act: k}).Proved(tt.tool, tt.writes); got != slices.Contains(tt.proves, k) {
				t.Errorf("%s proves %s: %t", tt.tool, k, got)
			}
			if got := (verify.Claim{Act: k, Stands: true}).Proved(tt.tool, tt.writes); got != (slices.Contains(tt.proves, k) || slices.Contains(tt.stands, k)) {
				t.Errorf("%s proves that it is %s: %t", tt.tool, k, got)
			}
		}
	}
}

// What is held against an answer is found in well under the time that a round may
// take.
func BenchmarkClaims(b *testing.B) {
	text := "Sales came to $574,603 in October 2026. Asia leads with $184,683 (32.1% of the total), ahead of North America with $157,082 (27.3%). " +
		"The top 3 make up 81.5% of the total.\n\n- Amounts are rounded; sums, differences and shares are computed from the exact ones.\n\nI have posted the summary to #sales, and I'll remind you on the 1st."
	for b.Loop() {
		if len(verify.Claims(text, nil)) != 2 {
			b.Fatal("it is not found")
		}
	}
}
