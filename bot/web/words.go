package web

import (
	"fmt"
	"strings"
)

// langs are the languages of the interface.
var langs = []string{"en", "zh"}

// word returns a text of the interface. One that is missing is shown as its key,
// and a test finds it.
func word(lang, key string) string {
	if w, ok := lookup(lang, key); ok {
		return w
	}
	return key
}

func lookup(lang, key string) (string, bool) {
	w, ok := words[key]
	return w.In(lang), ok
}

// counted returns a text with a number in it. English has a form for one, before
// the bar.
func counted(lang, key string, n int) string {
	one, many, ok := strings.Cut(word(lang, key), "|")
	if !ok || n == 1 {
		many = one
	}
	return fmt.Sprintf(many, n)
}

// What to begin with on the first page: the bot's main job in both its languages,
// the reader's own first.
var (
	reportEn = hint{"@hermes summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00", "hint.report"}
	reportZh = hint{"@hermes 把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次", "hint.report"}

	welcomeHints = map[string][]hint{
		"en": {reportEn, {reportZh.Text, "hint.other"}, {"@hermes what can you do?", "hint.help"}},
		"zh": {reportZh, {reportEn.Text, "hint.other"}, {"@hermes 你能做什么？", "hint.help"}},
	}
	directHints = map[string][]hint{
		"en": {{"revenue by product last quarter", "hint.figures"}, {"from now on I want CSV", "hint.preference"}, {"what do you remember about me?", "hint.memory"}},
		"zh": {{"上个季度按产品的销售额", "hint.figures"}, {"以后给我的报告都用 CSV", "hint.preference"}, {"你记得我的哪些事？", "hint.memory"}},
	}
)

var words = map[string]Words{
	"skip":          {"Skip to the conversation", "跳到对话"},
	"nav":           {"Navigation", "导航"},
	"nav.channels":  {"Channels", "频道"},
	"nav.direct":    {"Direct message", "私信"},
	"nav.desk":      {"Desk", "工作台"},
	"nav.approvals": {"Approvals", "审批"},
	"nav.schedules": {"Schedules", "计划"},
	"nav.grants":    {"Allowed without asking", "不用问就可以做的"},
	"nav.runs":      {"Runs", "运行记录"},
	"nav.memory":    {"Memory", "记忆"},
	"nav.back":      {"Back to channels", "返回频道列表"},
	"nav.waiting":   {"%d waits for you|%d wait for you", "%d 项等你处理"},
	"lang.label":    {"Language", "语言"},

	"demo.you":    {"Demo: you are", "演示模式：你现在是"},
	"demo.switch": {"switch", "切换"},
	"demo.title":  {"See Hermes as somebody else", "换一个身份看看"},
	"demo.now":    {"you", "当前"},

	"live.on":   {"Live", "已连接"},
	"live.off":  {"Reconnecting…", "正在重新连接…"},
	"live.news": {"New messages", "有新消息"},

	"list.channel":   {"Messages in %s", "%s 的消息"},
	"list.direct":    {"Messages with Hermes", "与 Hermes 的消息"},
	"list.thread":    {"Messages in this thread", "此消息列的消息"},
	"list.earlier":   {"Show earlier messages", "显示更早的消息"},
	"topic.direct":   {"Only you and Hermes read this", "只有你和 Hermes 能看到"},
	"day.today":      {"Today", "今天"},
	"day.yesterday":  {"Yesterday", "昨天"},
	"thread":         {"Thread", "消息列"},
	"thread.close":   {"Close thread", "关闭消息列"},
	"thread.reply":   {"Reply in thread", "在消息列中回复"},
	"thread.answers": {"%d reply|%d replies", "%d 条回复"},
	"thread.empty":   {"No replies yet.", "还没有回复。"},

	"line.app":     {"app", "机器人"},
	"line.only":    {"Only you can see this", "仅你可见"},
	"line.failed":  {"Not delivered", "未送达"},
	"line.trouble": {"Something went wrong", "出了点问题"},
	"line.long":    {"Show all %s characters", "展开全部 %s 个字符"},
	"line.run":     {"Show this run", "查看运行记录"},
	"line.card":    {"Needs a decision", "等待决定"},
	"step.done":    {"done", "完成"},
	"step.now":     {"under way", "进行中"},
	"step.todo":    {"not begun", "未开始"},
	"step.failed":  {"failed", "失败"},
	"step.denied":  {"not allowed", "未获准"},
	"press.sent":   {"Sent…", "已提交…"},
	"press.group":  {"Your decision", "你的决定"},

	"line.gone":  {"This was taken back.", "这条消息已撤回。"},
	"file.chart": {"Chart: %s", "图表：%s"},
	"file.save":  {"Save %s", "保存 %s"},

	"write.channel": {"Message %s, or @hermes to ask", "在 %s 发消息，@hermes 提问"},
	"write.direct":  {"Write to Hermes", "给 Hermes 写点什么"},
	"write.thread":  {"Reply", "回复"},
	"write.attach":  {"Attach files (up to 5, 20 MB each)", "添加文件（最多 5 个，每个 20 MB）"},
	"write.send":    {"Send", "发送"},
	"write.mention": {"Ask @hermes", "提及 @hermes"},
	"write.keys":    {"Enter sends, Shift+Enter is a new line", "Enter 发送，Shift+Enter 换行"},
	"write.long":    {"%d characters too many", "超出 %d 个字符"},

	"say.empty":  {"There is nothing to send yet.", "还没有可以发送的内容。"},
	"say.files":  {"Not sent: at most 5 files of 20 MB each.", "没有发送：最多 5 个文件，每个 20 MB。"},
	"say.long":   {"That is longer than 40,000 characters, so it was not sent. Your text is still here: please shorten it or send it in parts.", "内容超过 40,000 个字符，没有发送。文字还在这里，请缩短或分几次发送。"},
	"say.failed": {"Your message could not be stored, so it was not sent. Your text is still here: please try again in a moment.", "消息没能保存，所以没有发送。文字还在这里，请稍后再试。"},
	"say.lost":   {"Hermes cannot be reached, so this was not sent. Your text is still here: it can be sent again once the connection is back.", "连接不到 Hermes，消息没有发送。文字还在这里，恢复连接后可以再发。"},
	"say.pause":  {"pause schedule %s", "暂停计划 %s"},
	"say.resume": {"resume schedule %s", "恢复计划 %s"},
	"say.delete": {"delete schedule %s", "删除计划 %s"},
	"say.forget": {"forget that ", "忘掉 "},

	"empty.welcome":      {"Welcome. What shall we look at?", "欢迎！想先看点什么？"},
	"empty.welcome.more": {"Hermes reads your sales data, writes reports with a table, a chart and a spreadsheet, and repeats them on schedule. It asks before it posts anything elsewhere. Pick an example to begin with; nothing is sent until you press Enter.", "Hermes 会读取销售数据，写出带表格、图表和电子表格的报告，并按计划定期发送。往别处发消息之前，它会先征求同意。选一个例子开始吧，按 Enter 之前不会发送。"},
	"empty.direct":       {"Just you and Hermes", "只有你和 Hermes"},
	"empty.direct.more":  {"Nobody else reads this conversation, and you need not call Hermes by name here.", "这里的对话别人看不到，也不需要 @hermes。"},
	"empty.channel":      {"Nothing here yet", "这里还没有消息"},
	"empty.channel.more": {"Reports that somebody approved for this channel will appear here. Call @hermes to ask for one.", "获批发到这个频道的报告会出现在这里。也可以 @hermes 直接提问。"},
	"hint.report":        {"A report, every month", "每月一份报告"},
	"hint.other":         {"The same in Chinese", "用英文说同样的事"},
	"hint.help":          {"What else there is", "还能做什么"},
	"hint.figures":       {"Figures", "查数据"},
	"hint.preference":    {"A preference", "说一个偏好"},
	"hint.memory":        {"Memory", "记忆"},

	"approvals.lead":       {"Hermes asks before it acts outside a conversation. What waits for you comes first.", "Hermes 在对话之外行动之前会先询问。等你决定的排在最前面。"},
	"approvals.empty":      {"Nothing waits for a decision", "没有等待决定的事项"},
	"approvals.empty.more": {"When Hermes wants to post or to schedule something, its question appears here and in the conversation it came from.", "当 Hermes 想发布或安排什么时，问题会出现在这里，也会出现在原来的对话里。"},
	"approvals.mine":       {"Waits for you", "等你决定"},
	"approvals.other":      {"Waits for somebody who may decide this", "等待有权限的人决定"},
	"approvals.asked":      {"asked by", "提出者"},
	"approvals.open":       {"Open the conversation", "打开对话"},

	"until.over":    {"expired", "已过期"},
	"until.minutes": {"%d minute left|%d minutes left", "还剩 %d 分钟"},
	"until.hours":   {"%d hour left|%d hours left", "还剩 %d 小时"},
	"until.days":    {"%d day left|%d days left", "还剩 %d 天"},

	"decide.back": {"Back", "返回"},

	"grants.lead":       {"What Hermes may do without a question, until when, and how often.", "Hermes 不用问就可以做的事、有效期和次数。"},
	"grants.used":       {"%d of %d used", "已用 %d 次，共 %d 次"},
	"grants.owner":      {"for", "适用于"},
	"grants.by":         {"given by", "批准人"},
	"grants.revoke":     {"Revoke", "收回"},
	"grants.empty":      {"Nothing is allowed without asking", "没有不用问就可以做的事"},
	"grants.empty.more": {"“Allow like this …” on a card, or a schedule that was approved for good, stands here.", "卡片上的“以后照此允许…”，或已长期批准的定时任务，会出现在这里。"},

	"schedules.lead":       {"What Hermes does by itself, and when. Pausing and deleting is said in chat.", "Hermes 会自动做什么、什么时候做。暂停和删除在聊天里说一声即可。"},
	"schedules.empty":      {"No schedules yet", "还没有计划"},
	"schedules.empty.more": {"Ask for something and say when, for example: “… and do this every month on the 1st at 9:00”.", "提要求时说明时间就行，例如：“……以后每个月1号早上9点都做一次”。"},
	"schedules.next":       {"Next", "接下来"},
	"schedules.last":       {"Last times", "最近几次"},
	"schedules.none":       {"It has not run yet.", "还没有执行过。"},
	"schedules.nonext":     {"No further dates.", "没有后续日期。"},
	"schedules.to":         {"posts to", "发到"},
	"schedules.by":         {"by", "创建者"},
	"schedules.grant":      {"Allowed", "授权"},
	"schedules.until":      {"until %s, %d of %d posts left", "到 %s，还可发 %d 次，共 %d 次"},
	"schedules.once":       {"for this one time", "仅这一次"},
	"schedules.nogrant":    {"Each post is asked for.", "每次发布都会先询问。"},
	"schedules.say":        {"Say to Hermes:", "对 Hermes 说："},
	"schedules.post":       {"the post", "查看消息"},
	"schedules.run":        {"the run", "运行记录"},

	"came":                  {"People came in:", "人工介入："},
	"came.share":            {"on %d of %d runs of the last four weeks (%.1f%%)", "最近四周有 %d 次（共 %d 次运行，%.1f%%）"},
	"came.first approval":   {"first approval", "第一次批准"},
	"came.further approval": {"further approval", "再次批准"},
	"came.edit":             {"edited before the yes", "修改后批准"},
	"came.ask for changes":  {"asked for changes", "要求修改"},
	"came.deny":             {"denied", "拒绝"},
	"came.no answer":        {"nobody decided in time", "没有人及时决定"},
	"came.question":         {"a question answered", "回答了提问"},
	"came.stop":             {"stopped", "停止"},
	"came.continue":         {"told to go on", "继续"},
	"came.abandon":          {"given up", "放弃"},
	"came.steer":            {"said under way", "中途补充"},
	"came.failed retries":   {"failed after all tries", "多次重试后仍失败"},
	"spent":                 {"Budget:", "预算："},
	"runs.lead":             {"Each piece of work, step by step.", "每一件工作的每一步。"},
	"runs.empty":            {"No runs yet", "还没有运行记录"},
	"runs.empty.more":       {"As soon as you ask Hermes for something, you can follow here what it did and why it was allowed to.", "向 Hermes 提出请求后，可以在这里看到它做了什么、凭什么获准。"},
	"run.title":             {"Run", "运行"},
	"run.all":               {"All runs", "全部运行记录"},
	"run.asker":             {"Asked by", "提出者"},
	"run.where":             {"In", "位置"},
	"run.state":             {"State", "状态"},
	"run.model":             {"Model", "模型"},
	"run.steps":             {"%d step|%d steps", "%d 步"},
	"run.took":              {"Took", "用时"},
	"run.tokens":            {"Tokens in → out", "输入 → 输出 token"},
	"run.trace":             {"Trace", "追踪号"},
	"run.nosteps":           {"No step has been taken yet.", "还没有执行任何步骤。"},
	"run.approved":          {"approved by %s", "由 %s 批准"},
	"run.granted":           {"allowed by %s for this schedule", "%s 已为此计划授权"},
	"run.denied":            {"denied by %s", "被 %s 拒绝"},
	"run.returned":          {"%s asked for changes", "%s 要求修改"},
	"run.answered":          {"answered by %s", "%s 已答复"},
	"run.failed":            {"failed", "失败"},
	"run.goal":              {"Asked for", "要求做的"},
	"run.result":            {"Result", "结果"},
	"run.args":              {"Arguments", "参数"},

	"memory.lead":       {"What Hermes remembers about you and your places, and where it has it from.", "Hermes 记住的关于你和频道的事，以及来源。"},
	"memory.empty":      {"Nothing is remembered yet", "还没有记住任何事"},
	"memory.empty.more": {"Tell Hermes what it should keep in mind, for example: “I like Excel reports”.", "告诉 Hermes 需要记住什么，例如：“我喜欢 Excel 格式的报告”。"},
	"memory.said":       {"where it was said", "出处"},
	"memory.forget":     {"To delete something, tell Hermes to forget it.", "要删除某一条，告诉 Hermes 忘掉它即可。"},
	"memory.tell":       {"Tell Hermes", "告诉 Hermes"},

	"where.direct":    {"direct message", "私信"},
	"where.elsewhere": {"another place", "其他位置"},

	"state.active":     {"active", "启用"},
	"state.paused":     {"paused", "已暂停"},
	"state.ended":      {"ended", "已结束"},
	"state.deleted":    {"deleted", "已删除"},
	"state.working":    {"working", "进行中"},
	"state.waiting":    {"waiting", "等待中"},
	"state.delivering": {"delivering", "发送中"},
	"state.suspended":  {"suspended", "已挂起"},
	"state.done":       {"done", "完成"},
	"state.failed":     {"failed", "失败"},

	"state.awaiting_approval": {"waiting", "等待中"},
	"state.partial":           {"partial", "部分完成"},
	"state.stalled":           {"stalled", "没有进展"},
	"state.repeated":          {"in a circle", "重复打转"},
	"state.timeout":           {"out of time", "超时"},
	"state.budget_exceeded":   {"over budget", "超出预算"},
	"state.config_blocked":    {"configured wrong", "配置有误"},
	"state.cancelled":         {"stopped", "已停止"},
	"state.delivery_failed":   {"answer not delivered", "回答未送达"},

	"state.missed":     {"missed", "错过"},
	"state.skipped":    {"skipped", "跳过"},
	"state.claimed":    {"under way", "进行中"},
	"state.deferred":   {"deferred", "已推迟"},
	"state.ran":        {"done", "完成"},
	"state.late":       {"done late", "延迟完成"},
	"state.blocked":    {"blocked", "受阻"},
	"state.disputed":   {"disputed", "有冲突"},
	"state.superseded": {"replaced", "已被取代"},

	"role.viewer":   {"may look", "可查看"},
	"role.approver": {"may ask and decide", "可提问和审批"},
	"role.admin":    {"admin", "管理员"},
	"role.only":     {"You may look here. Asking and deciding takes another role.", "你在这里只能查看，提问和审批需要其他角色。"},

	"in.as":     {"Come in as %s?", "以 %s 的身份进入？"},
	"in.go":     {"Come in", "进入"},
	"in.user":   {"Name", "用户名"},
	"in.secret": {"Secret", "密钥"},
	"in.out":    {"Sign out", "退出"},
	"in.id":     {"NAME", "用户名"},

	"fail.login":       {"The name and the secret do not fit. After a few tries you will have to wait.", "用户名和密钥不匹配。多次失败后需要等待。"},
	"fail.login.short": {"You are not in yet", "还没有进入"},
	"fail.role":        {"Your role does not allow this. Nothing was changed. Whoever configures Hermes can give you another (web.users).", "你的角色不允许这样做，没有任何改动。配置 Hermes 的人可以更改角色（web.users）。"},
	"fail.role.short":  {"This is not for your role", "你的角色无权这样做"},
	"fail.429":         {"There were too many wrong tries with this name. Wait a while, or come in with a new link.", "这个用户名失败次数过多。请等一会儿再试，或者使用新的链接进入。"},
	"fail.429.short":   {"Please wait", "请稍候"},

	"fail.back":         {"Back to the conversation", "返回对话"},
	"fail.command":      {"On the machine where Hermes runs, ask for a new link:", "在运行 Hermes 的机器上获取新链接："},
	"fail.life":         {"A link is good for five minutes and for one browser.", "链接五分钟内有效，只能用于一个浏览器。"},
	"fail.401.short":    {"This page needs a fresh link", "需要新的链接"},
	"fail.401":          {"You are not signed in here, or the link was used already.", "你还没有登录，或者链接已经用过了。"},
	"fail.403.short":    {"That was not accepted", "请求未被接受"},
	"fail.403":          {"The request did not come from a page of this console, or that page is too old. Nothing was changed. Open the page again and retry.", "请求不是来自本控制台的页面，或者页面已过期。没有任何改动。请重新打开页面再试。"},
	"fail.barred.short": {"This is not yours to do", "这不由您决定"},
	"fail.404.short":    {"There is nothing here", "这里什么都没有"},
	"fail.404":          {"The page does not exist, or the person you are now may not see it.", "页面不存在，或者当前身份无权查看。"},
	"fail.410.short":    {"This is settled", "此事已有结果"},
	"fail.410":          {"Somebody answered meanwhile, or the question has expired. Nothing was changed by your press.", "已经有人答复，或者问题已过期。你的操作没有改变任何东西。"},
	"fail.413.short":    {"That is too long", "内容太长"},
	"fail.413":          {"A message may have up to 40,000 characters. It was not sent; go back to find your text.", "一条消息最多 40,000 个字符。没有发送，返回上一页可以找到你的文字。"},
	"fail.421.short":    {"This is not the address of the console", "这不是控制台的地址"},
	"fail.421":          {"Use the address that Hermes printed.", "请使用 Hermes 给出的地址。"},
	"fail.500.short":    {"Something is broken here", "这里出了故障"},
	"fail.500":          {"The page could not be made. It is not your fault, and the log says why. Trying again may help.", "页面没能生成。这不是你的问题，日志里有原因。可以稍后再试。"},
	"fail.503.short":    {"It could not be stored", "没能保存"},
	"fail.503":          {"So nothing was changed. Please try again in a moment.", "没有任何改动。请稍后再试。"},
}
