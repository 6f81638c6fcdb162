package router

import "testing"

// ROUT-06: one wish is one kind, in English, in Chinese and in both.
func TestROUT06OneWishIsOneKindInEveryLanguage(t *testing.T) {
	r := New(Config{}, nil)
	for _, row := range []struct {
		kind  Kind
		texts [3]string
	}{
		{Task, [3]string{"export the customer list", "把客户名单导出来", "把 customer list 导出来"}},
		{Task, [3]string{"send the report to Anna", "把报告发给小王", "把 report 发给小王"}},
		{Task, [3]string{"book a meeting room for tomorrow", "帮我订一间明天的会议室", "帮我 book 一间明天的会议室"}},
		{Task, [3]string{"cancel my subscription", "取消我的订阅", "cancel 掉我的 subscription"}},
		{Task, [3]string{"remind me to submit the invoice", "提醒我提交发票", "remind 我提交 invoice"}},
		{Task, [3]string{"post the summary to #sales", "把摘要发到 #sales", "把 summary post 到 #sales"}},
		{Task, [3]string{"translate this document into English", "把这份文档翻译成英文", "把这份 document 翻成 English"}},
		{Task, [3]string{"merge the two tickets", "把这两个工单合并", "把这两个 ticket merge 一下"}},
		{Task, [3]string{"update the budget sheet", "更新一下预算表", "update 一下 budget 表"}},
		{Task, [3]string{"deploy the new version", "部署新版本", "deploy 一下新 version"}},
		{Task, [3]string{"every Monday send me the orders", "每周一把订单发给我", "每周一把 orders send 给我"}},
		{Task, [3]string{"pause the weekly report", "暂停每周的报告", "把 weekly report 暂停"}},
		{Question, [3]string{"how many orders did we get?", "我们有多少订单？", "我们有多少 orders？"}},
		{Question, [3]string{"what is the deadline?", "截止日期是什么时候？", "deadline 是什么时候？"}},
		{Question, [3]string{"who owns this project?", "谁负责这个项目？", "谁是这个 project 的 owner？"}},
		{Question, [3]string{"why did the build fail?", "为什么构建失败了？", "为什么 build 失败了？"}},
		{Question, [3]string{"where is the contract?", "合同在哪里？", "contract 在哪里？"}},
		{Question, [3]string{"how do I reset my password?", "怎么重置密码？", "怎么 reset 我的 password？"}},
		{Question, [3]string{"what is churn rate?", "什么是流失率？", "什么是 churn rate？"}},
		{Question, [3]string{"which region sold the most?", "哪个地区卖得最多？", "哪个 region 卖得最多？"}},
		{Question, [3]string{"is the report ready?", "报告好了吗？", "report 好了吗？"}},
		{Question, [3]string{"what was the revenue last month?", "上个月的收入是多少？", "上个月的 revenue 是多少？"}},
		{Question, [3]string{"when is the next meeting?", "下次会议是什么时候？", "下次 meeting 是什么时候？"}},
		{Question, [3]string{"how much budget is left?", "还剩多少预算？", "还剩多少 budget？"}},
		{Chitchat, [3]string{"good morning everyone", "大家早上好", "morning 大家好"}},
		{Chitchat, [3]string{"thank you so much", "太感谢了", "thank you 啦"}},
		{Chitchat, [3]string{"you are so smart", "你真聪明", "你真 smart"}},
		{Chitchat, [3]string{"I am so tired today", "我今天好累", "今天好 tired 啊"}},
		{Chitchat, [3]string{"are you a robot?", "你是机器人吗？", "你是 robot 吗？"}},
		{Chitchat, [3]string{"see you tomorrow", "明天见", "bye 明天见"}},
	} {
		for _, text := range row.texts {
			if d := r.Route(t.Context(), Message{Text: text, Direct: true}); d.Kind != row.kind {
				t.Errorf("Route(%q) = %s (%s, %.2f), want %s", text, d.Kind, d.Reason, d.Confidence, row.kind)
			}
		}
	}
}
