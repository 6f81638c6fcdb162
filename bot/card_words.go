package bot

import (
	"fmt"
	"strconv"
)

// cardWords are what stands on a card beside what it asks, in one language, and what is
// said of grants.
type cardWords struct {
	exactly       string // over the arguments
	argsWith      func(tool, hash string) string
	argsInFile    func(n int) string // after that
	nothingThere  string
	aside         func(text string) string // in brackets
	marks         map[string]string        // where an argument comes from
	marked        func(marks string) string
	lookFirst     string                   // before what stands in what is approved
	quorum        func(n int) string       // on a card that nobody has agreed to yet
	leadsAway     func(what string) string // under words of the model
	itsReason     string
	evidence      string
	restsOn       func(step int, what string) string
	costs         func(steps, tokens int) string
	edited        string
	scopeOption   func(from, until string, max int) string
	allows        func(what, from, until string, max int) string
	allowsCalls   func(what, which, from, until string, max int) string
	anyOfTheirs   string // of an argument that a Grant leaves open
	ofJob         func(job string) string
	askedThere    string
	askedAnywhere string
	grantWith     func(grant string) string // of the grant that a button gives
	allowedToo    func(grant string) string // beside a yes
	asIs          string
	// habit offers a scope to who has approved the like n times.
	habit func(n int, button, until string) string

	// Of the forms by which people decide with more than a press.
	sheetTitle    map[string]string // by the ID of the Choice
	sheetSend     map[string]string
	approveThis   string
	whatChanges   string
	whyNot        string
	whichScope    string
	scopeLead     string
	scopeCalls    string // the same, of calls with these arguments
	editLead      string
	becomes       string // over what edited calls come to, before they are sent again
	nothingToEdit string
	argNames      map[string]string
	argValues     map[string]string // of those that are one of a few
	yesNo         [2]string
	noSheet       string
	sheetEmpty    string

	// Of the list of grants.
	grantsHead    string
	grantsNone    string
	grantLine     func(says, id string, used, max int) string
	grantBy       func(who string) string // who gave it, behind its line
	grantsTail    string
	grantGone     func(says string) string
	grantNone     string
	grantNotYours string
	grantEnds     func(says, id string) string
}

var englishCard = cardWords{
	habit: func(n int, button, until string) string {
		return fmt.Sprintf("The same person has approved this kind %d times in 7 days. “%s” allows more of it without asking, until %s at most.", n, button, until)
	},
	exactly:  "For the record: exactly this runs",
	argsWith: func(tool, hash string) string { return tool + ", arguments with the hash " + hash },
	argsInFile: func(n int) string {
		return fmt.Sprintf(": %d characters, all of them in the file %s", n, argsFile)
	},
	nothingThere: "nothing",
	aside:        func(text string) string { return " (" + text + ")" },
	marks: map[string]string{
		"file": "a file", "web": "a web page", "person": "somebody else's message", "message": "somebody else's message", "memory": "memory", "tool": "what a tool has read",
	},
	marked: func(marks string) string {
		return "⚠ Arguments of this may come from " + marks + ", and not from who asks. Look at them."
	},
	lookFirst: "Look at this first: ",
	quorum:    func(n int) string { return "It runs once " + strconv.Itoa(n) + " people have agreed." },
	leadsAway: func(what string) string { return "⚠ These words call people or lead elsewhere: " + what },
	itsReason: "Why, in the model's words: ",
	evidence:  "It rests on: ",
	restsOn:   func(step int, what string) string { return fmt.Sprintf("step %d %s", step, what) },
	costs: func(steps, tokens int) string {
		s := "So far: " + plural(steps, "step")
		if tokens > 0 {
			s += fmt.Sprintf(" · %d tokens", tokens)
		}
		return s
	},
	edited: "Changed before the yes: ",
	allows: func(what, from, until string, max int) string {
		return fmt.Sprintf("%s: the same kind of report, %s, %s until %s", what, from, plural(max, "time"), until)
	},
	allowsCalls: func(what, which, from, until string, max int) string {
		return fmt.Sprintf("%s: %s; %s, %s until %s", what, which, from, plural(max, "time"), until)
	},
	anyOfTheirs: "any of their own",
	scopeOption: func(from, until string, max int) string {
		return fmt.Sprintf("%s, %s until %s", from, plural(max, "time"), until)
	},
	ofJob:         func(job string) string { return "by the schedule " + job },
	askedThere:    "asked for in that channel",
	askedAnywhere: "asked for anywhere",
	grantWith:     func(grant string) string { return "If it is allowed for good, this runs without asking then: " + grant },
	allowedToo:    func(grant string) string { return "Allowed without asking from now on: " + grant },
	asIs:          "Several people must agree to this, so it can only be approved as it is. Ask for changes instead.",
	sheetTitle: map[string]string{
		"edit": "Change and approve", "change": "Ask for changes", "reason": "Deny with reason", "like": "Allow like this",
	},
	sheetSend:     map[string]string{"edit": "Show what it becomes", "change": "Send back", "reason": "Deny", "like": "Approve and allow"},
	approveThis:   "Approve this",
	whatChanges:   "What should be different?",
	whyNot:        "Why not?",
	whichScope:    "What may run without asking from now on?",
	scopeLead:     "This is approved now, and one thing more is allowed. Each of these holds for this tool, this channel and this kind of report alone, for what the same person asks. It can be taken back at any time: `/hermes grants`.",
	scopeCalls:    "This is approved now, and one thing more is allowed. Each of these holds for this tool and these arguments alone, for what the same person asks. It can be taken back at any time: `/hermes grants`.",
	editLead:      "What you send here is checked and runs as it stands here, once you have seen what comes of it. The card keeps both.",
	becomes:       "**Nothing is approved yet.** As you have changed it, this happens:",
	nothingToEdit: "Nothing of this can be changed here. Ask for changes instead.",
	argNames: map[string]string{
		"report": "Report", "channel": "Channel", "when": "When", "request": "What to do", "name": "Name", "job": "Schedule", "action": "Change", "post": "Post", "text": "Text",
		"subject": "About whom or what", "predicate": "Kind of fact", "object": "What is remembered", "what": "What to forget", "run": "Piece of work",
		"owner": "Owner", "catch_up": "Times that were missed", "overlap": "While the one before runs", "quiet": "Quiet hours", "retries": "Tried again",
	},
	argValues: map[string]string{
		"pause": "Pause", "resume": "Resume", "delete": "Delete",
		"prefers-format": "Prefers a format", "prefers-language": "Prefers a language", "reports-to": "Reports to", "means": "Means (a term)", "likes": "Likes", "note": "Note",
	},
	yesNo:      [2]string{"Yes", "No"},
	noSheet:    "This is not to be had any more.",
	sheetEmpty: "Please write a sentence.",
	grantsHead: "This I may do without asking:",
	grantsNone: "There is nothing that I may do without asking.",
	grantLine: func(says, id string, used, max int) string {
		return fmt.Sprintf("%s (%d of %d used) · `%s`", says, used, max, id)
	},
	grantBy:       func(who string) string { return " · given by " + who },
	grantsTail:    "To end one, say: revoke ID.",
	grantGone:     func(says string) string { return "Revoked. From now on I ask again: " + says },
	grantNone:     "I know no such grant. Say “grants” to see which there are.",
	grantNotYours: "This is not yours to end: its owner, who gave it, or an admin can.",
	grantEnds: func(says, id string) string {
		return "In some days, a week at most, I will ask again for what I may do without asking now: " + says + " · `" + id + "`. To have it go on, choose “Allow like this …” on the next card, or set the schedule up anew."
	},
}

var chineseCard = cardWords{
	habit: func(n int, button, until string) string {
		return fmt.Sprintf("7 天里同一个人已经批准过这类操作 %d 次。按“%s”可以让它不再逐次询问，最多到%s。", n, button, until)
	},
	exactly:      "备查：实际执行的就是以下内容",
	argsWith:     func(tool, hash string) string { return tool + "，参数的哈希 " + hash },
	argsInFile:   func(n int) string { return fmt.Sprintf("：共 %d 个字符，全文见文件 %s", n, argsFile) },
	nothingThere: "无",
	aside:        func(text string) string { return "（" + text + "）" },
	marks: map[string]string{
		"file": "文件", "web": "网页", "person": "别人的消息", "message": "别人的消息", "memory": "记忆", "tool": "工具读到的内容",
	},
	marked: func(marks string) string {
		return "⚠ 其中的参数可能来自" + marks + "，而不是提出的人。请仔细看。"
	},
	lookFirst: "请先看清：",
	quorum:    func(n int) string { return "需要 " + strconv.Itoa(n) + " 人同意后才会执行。" },
	leadsAway: func(what string) string { return "⚠ 这段话里点了人名或指向别处：" + what },
	itsReason: "理由（模型的原话）：",
	evidence:  "依据：",
	restsOn:   func(step int, what string) string { return fmt.Sprintf("第 %d 步 %s", step, what) },
	costs: func(steps, tokens int) string {
		s := fmt.Sprintf("到目前为止：%d 步", steps)
		if tokens > 0 {
			s += fmt.Sprintf(" · %d tokens", tokens)
		}
		return s
	},
	edited: "批准前改为：",
	allows: func(what, from, until string, max int) string {
		return fmt.Sprintf("%s：同类报告，%s，最多 %d 次，到%s为止", what, from, max, until)
	},
	allowsCalls: func(what, which, from, until string, max int) string {
		return fmt.Sprintf("%s：%s；%s，最多 %d 次，到%s为止", what, which, from, max, until)
	},
	anyOfTheirs: "请求者自己的任何一个",
	scopeOption: func(from, until string, max int) string {
		return fmt.Sprintf("%s，最多 %d 次，到%s为止", from, max, until)
	},
	ofJob:         func(job string) string { return "定时任务 " + job },
	askedThere:    "在那个频道提出的",
	askedAnywhere: "在哪里提出都行",
	grantWith:     func(grant string) string { return "如果长期批准，以后这些不用再问：" + grant },
	allowedToo:    func(grant string) string { return "以后不用再问：" + grant },
	asIs:          "这件事要几个人同意，只能照原样批准。可以改用“要求修改”。",
	sheetTitle: map[string]string{
		"edit": "修改并批准", "change": "要求修改", "reason": "拒绝并说明", "like": "以后照此允许",
	},
	sheetSend:     map[string]string{"edit": "看看结果", "change": "退回", "reason": "拒绝", "like": "批准并允许"},
	approveThis:   "批准这样执行",
	whatChanges:   "要怎么改？",
	whyNot:        "为什么不行？",
	whichScope:    "以后哪些不用再问？",
	scopeLead:     "这次会批准，同时再允许一项。每一项都只限这个工具、这个频道和这类报告，而且只限同一个人提出的。随时可以收回：`/hermes grants`。",
	scopeCalls:    "这次会批准，同时再允许一项。每一项都只限这个工具和这些参数，而且只限同一个人提出的。随时可以收回：`/hermes grants`。",
	editLead:      "您在这里填的内容会先检查，等您看过结果并再次确认后照此执行。卡片上两个版本都会保留。",
	becomes:       "**还没有批准。**按您的修改，将会这样执行：",
	nothingToEdit: "这里没有可以改的内容。请改用“要求修改”。",
	argNames: map[string]string{
		"report": "报告", "channel": "频道", "when": "时间", "request": "内容", "name": "名称", "job": "定时任务", "action": "操作", "post": "消息", "text": "文字",
		"subject": "关于谁或什么", "predicate": "哪一类", "object": "记住的内容", "what": "要忘记的内容", "run": "哪次任务",
		"owner": "所有者", "catch_up": "错过的时间", "overlap": "前一次还没结束时", "quiet": "不运行的时段", "retries": "失败后重试",
	},
	argValues: map[string]string{
		"pause": "暂停", "resume": "恢复", "delete": "删除",
		"prefers-format": "偏好的格式", "prefers-language": "偏好的语言", "reports-to": "上级是", "means": "意思是（术语）", "likes": "喜欢", "note": "备注",
	},
	yesNo:      [2]string{"是", "否"},
	noSheet:    "这件事已经办不了了。",
	sheetEmpty: "请写一句话。",
	grantsHead: "这些我可以不问就做：",
	grantsNone: "没有什么是我可以不问就做的。",
	grantLine: func(says, id string, used, max int) string {
		return fmt.Sprintf("%s（已用 %d/%d 次）· `%s`", says, used, max, id)
	},
	grantBy:       func(who string) string { return " · 由" + who + "给出" },
	grantsTail:    "要收回就说：收回授权 编号。",
	grantGone:     func(says string) string { return "已收回，以后会再问：" + says },
	grantNone:     "没有这项授权。说“授权”可以查看有哪些。",
	grantNotYours: "这项授权不由您收回：只有它的所有者、给出它的人或管理员可以。",
	grantEnds: func(says, id string) string {
		return "再过几天（最多一周），这件现在不用问的事就要重新请求批准了：" + says + " · `" + id + "`。要延续，请在下一张卡片上选“以后照此允许…”，或重新设置定时任务。"
	},
}
