package bot

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/agent/run"
)

// A wording is all that the bot itself says in one language.
type wording struct {
	help          string
	nothingToStop string
	alreadyGoing  string
	asTask        string // on a button under small talk
	notYours      string
	theyMay       func(names string, asker []string) string // asker are the buttons that are open to who asked
	onlyThey      func(name string) string
	comma         string
	pressIt       string
	leftAlone     string // to who was only asking
	superseded    string // the end of what was called off for another
	noQuestion    string
	faster        func(name, what string) string
	agreedBy      func(button, names, lacks string) string
	youAgreed     func(lacks string) string
	lack          func(n int, of string) string
	also          string // between two lacks
	asksThere     func(name, where string, open bool) string
	nudge         func(names string, until time.Time, wider bool) string
	expired       func(at time.Time) string
	sorry         map[run.Why]string // to who waits for an answer
	ended         map[run.Why]string // of a Run that ended without one
	undelivered   map[run.Why]string // why a post is nowhere, to who wanted it
	refusing      map[error]string   // the same, of a place that takes nothing of the bot's
	noUpload      string             // why a file is nowhere, that was refused
	missing       func(names []string, why string, here bool) string
	stuckAt       string // before the name of a step
	look          string // before the names of settings
	soFar         string // over what was found
	unfinished    string // over what was written of an answer that was stopped
	noWords       string // over what was found, of an answer without words
	unsure        func(step string) string
	together      func(others int) string // of messages that are one turn
	unproven      func(numbers string) string
	andMore       func(n int) string           // after the first of many
	undone        func(step, by string) string // by is empty: nobody has denied it
	acts          map[run.Act]string
	or            string // between acts
	nothing       func(acts string) string
	idle          string // under an answer that claims what was not done, if nothing was
	cut           string // under an answer that the model could not end
	triedAgain    func(at time.Time) string
	noFind        string
	listed        string // between things of a list
	colon         string // between a step and what it is about
	terms         map[string]string
	unknown       string
	trace         func(id string) string
	footer        func(out run.Outcome, model, ended, trace string) string
	rules         string
	instead       map[run.Why]string // over an answer of the rules while a model should answer
	mayI          string
	rehearsal     string
	resumed       string // before what is gone on with after it was cut off
	option        map[string]string
	always        func(cadence, until string) string
	alwaysNow     func(cadence, until string) string
	chosen        map[string]func(name string) string
	states        map[run.State]func(steps int) string
	statuses      map[run.Status]string // of an end, in small print
	tools         map[string]string
	stop          string
	goOn          string
	giveUp        string
	until         string // layout of a date
	remarks
	budgetWords
	cardWords
	goalWords
	reportWords
	spotWords
	headings
}

// ToolWord is how people call a tool in a language, "en" or "zh", and false if there is
// no word for it: then they read its name.
func ToolWord(lang, tool string) (string, bool) {
	said, ok := words(lang).tools[tool]
	return said, ok
}

// ArgWord is how people call an argument of a tool that changes something or, with a
// value, that one of its few values; false if there is no word for it.
func ArgWord(lang, name string, value ...string) (string, bool) {
	w := words(lang)
	if len(value) > 0 {
		said, ok := w.argValues[value[0]]
		return said, ok
	}
	said, ok := w.argNames[name]
	return said, ok
}

// words returns the wording of a language; English for one that is not known.
func words(lang string) *wording {
	if lang == "zh" {
		return &chinese
	}
	return &english
}

var english = wording{
	help: strings.Join([]string{
		"I get work done in this chat. Call me by name in a channel; in a direct message just write. For example:",
		"",
		"- *summarise last month's sales by region, write a short analysis, post it to #sales, and do this every month on the 1st at 9:00*",
		"- *what were last month's sales in Asia?* Then: *now by product*, *and the month before?*",
		"- *show my schedules*, *pause the sales report*",
		"- *from now on I want CSV*, *what do you remember about me?*, *forget that*",
		"",
		"Whatever leaves this conversation waits for somebody's button. *stop* ends what is under way.",
	}, "\n"),
	nothingToStop: "Nothing is under way here.",
	asTask:        "Run as task",
	alreadyGoing:  "This is going on already, or it has ended.",
	notYours:      "This is not yours to decide.",
	theyMay: func(names string, asker []string) string {
		if len(asker) == 0 {
			return " It waits for " + names + "; who asked may deny it."
		}
		return " It waits for " + names + "; who asked may press “" + strings.Join(asker, "” or “") + "”, or deny it."
	},
	onlyThey:  func(name string) string { return " It waits for " + name + "." },
	comma:     " or ",
	leftAlone: "All right, I do nothing more of it. What would you like to know?",

	superseded: "The card of this is called off and does nothing any more: what you asked for next takes its place.",
	pressIt:    "Words approve nothing here: please press a button on the card.",
	noQuestion: "I do not know this question any more. Please ask again.",
	faster:     func(name, what string) string { return fmt.Sprintf("This is settled already: %s.", what) },
	agreedBy: func(button, names, lacks string) string {
		if button != "" {
			button = " to “" + button + "”"
		}
		return "Agreed so far" + button + ": " + names + ". Still needed: " + lacks + "."
	},
	youAgreed: func(lacks string) string {
		return "Your yes is noted; it runs once all have agreed. Still needed: " + lacks + "."
	},
	lack: func(n int, of string) string {
		text := "one more yes"
		if n > 1 {
			text = strconv.Itoa(n) + " more yeses"
		}
		if of != "" {
			text += " of " + of
		}
		return text
	},
	also: ", and ",
	asksThere: func(name, where string, open bool) string {
		text := "**" + name + " asks for this in "
		if where == "" {
			where = "another conversation"
		}
		if open {
			return text + where + ", and you may decide.**"
		}
		return text + where + ".**"
	},
	nudge: func(names string, until time.Time, wider bool) string {
		text := "Still waiting for a decision on the card above, until " + until.Format("2 January, 15:04 MST") + "."
		if wider {
			text = "Nobody has decided on the card above so far, so more people may now, until " + until.Format("2 January, 15:04 MST") + "."
		}
		if names != "" {
			text += " It waits for " + names + "."
		}
		return text
	},
	expired: func(at time.Time) string {
		return "This question expired at " + at.Format("2006-01-02 15:04 MST") + "; nothing was done. Press Continue below it, or ask again."
	},
	sorry: map[run.Why]string{
		run.Forged:  "I stopped here: what my database has of this was changed, and not by me, so I do not go on with it. An operator must look: `hermes audit verify` names it.",
		run.Busy:    "I could not answer: too much is going on. Please ask again later.",
		run.Refused: "I could not answer: I was refused what I need. Asking again will not help; an operator must look.",
		run.Broken:  "I could not answer: something is broken here. An operator can see what.",
	},
	ended: map[run.Why]string{
		run.TooLong:    "This is not complete: it took more rounds than I am allowed. Continue gives me as many again.",
		run.InCircle:   "This is not complete: I was doing the same thing over and over. Tell me more precisely what you need, or press Continue.",
		run.Stalled:    "This is not complete: the last rounds brought nothing new. Tell me where else to look, or press Continue.",
		run.Misfit:     "This is not complete: the model wrote nothing that my tools or I could use. Say it in other words, or press Continue.",
		run.TimeUp:     "This is not complete: it took longer than I am allowed. Continue gives me as much time again.",
		run.OverBudget: "This is not complete: the budget of one task is used. Continue gives me as much again.",
		run.Spent:      "This is not complete: a budget is used up.",
		run.Unfinished: "⚠ Not all that was asked for is done.",
		run.Paused:     "I paused before the next step, as I was told to. Continue lets it run.",
		run.Misset:     "I had to stop: something is configured wrong, and an operator must mend it. Then press Continue.",
		run.Stopped:    "Stopped.",
		run.Abandoned:  "Given up: nothing more will come of this.",
		run.TooBig:     "This is not complete: there is more to read than the language model can take in at once. Ask for less at a time.",
		run.Declined:   "I had to stop: the language model did not want to answer this. What was done so far is kept; say it in other words, or press Continue.",
		run.ModelGone:  "I had to stop: the language model that began this cannot be reached. What was done so far is kept; press Continue to go on from here.",
		run.Expired:    "Nobody decided in time, so nothing was done. Press Continue and I ask again.",
		run.Forged:     "I stopped here: what my database has of this was changed, and not by me, so I do not go on with it. An operator must look: `hermes audit verify` names it.",
		run.NoReport:   "There is no saved report of that name any more, so nothing was run.",
		run.Unmade:     "⚠ The saved report could not be made; nothing was posted. Continue runs it again.",
		run.Breached:   "⚠ The saved report is not as it should be. Continue runs it again.",
		run.Busy:       "I could not finish this: too much is going on. Please ask again later.",
		run.Refused:    "I could not finish this: I was refused what I need. An operator must look.",
		run.Broken:     "I could not finish this: something is broken here. An operator can see what.",
	},
	undelivered: map[run.Why]string{
		run.Forged:  "what I have kept of it was changed, and not by me",
		run.Busy:    "the place was busy for too long",
		run.Refused: "I may not post there, or what was approved has changed",
		run.Broken:  "the place did not take it",
	},
	refusing: map[error]string{
		ErrAltered:    "it was changed in my database after it was made, so I did not post it",
		ErrArchived:   "it is archived",
		ErrVanished:   "it does not exist any more, or I cannot see it",
		ErrOutside:    "I am not a member there",
		ErrRestricted: "posting there is restricted",
	},
	noUpload: "I may not upload files",
	missing: func(names []string, why string, here bool) string {
		text := "The post is there, but without "
		if here {
			text = "What stands above is without "
		}
		return text + plural(len(names), "file") + ": " + strings.Join(names, ", ") + " (" + why + ")."
	},
	stuckAt:    "Stuck at: ",
	look:       "Settings to look at: ",
	soFar:      "What I have so far:",
	unfinished: "The answer as far as it was written, unfinished:",
	noWords:    "The model gave no answer. What its tools found:",
	undone: func(step, by string) string {
		if by != "" {
			return "⚠ Not done: " + step + ", denied by " + by + "."
		}
		return "⚠ Not done: " + step + "."
	},
	acts: map[run.Act]string{
		run.Posted: "posted", run.Scheduled: "scheduled", run.Remembered: "saved", run.Deleted: "deleted", run.Changed: "changed",
	},
	or:      " or ",
	nothing: func(acts string) string { return "Nothing was " + acts + " in this run." },
	idle:    "Nothing was posted, planned, saved or changed in this run.",
	cut:     "⚠ The answer ends here because it reached the model's limit.",
	triedAgain: func(at time.Time) string {
		return "I try again by myself at " + at.Format("15:04") + "; nobody has to do anything."
	},
	noFind: "The model gave no answer, and its tools found nothing.",
	unproven: func(n string) string {
		return "⚠ No tool has given these numbers, so do not rely on them: " + n + "."
	},
	andMore: func(n int) string { return fmt.Sprintf(" and %d more", n) },
	listed:  ", ",
	colon:   ": ",
	terms:   termsIn(1),
	together: func(others int) string {
		if others == 1 {
			return "taken together with your other message"
		}
		return fmt.Sprintf("taken together with your %d other messages", others)
	},
	unsure: func(step string) string {
		return "⚠ Nobody knows whether this took effect: " + step + ". Please look before it is done again."
	},
	unknown: "nobody knows whether it arrived; please look there before it is sent again",
	trace:   func(id string) string { return "trace " + id },
	footer: func(out run.Outcome, model, ended, trace string) string {
		s := fmt.Sprintf("%s · %s", model, plural(out.Steps, "step"))
		if n := out.Usage.In + out.Usage.Out; n > 0 {
			s += fmt.Sprintf(" · %d tokens", n)
		}
		return s + price(out.Usage.Nanos) + ended + " · trace " + trace
	},
	instead: map[run.Why]string{
		"":            "The built-in rules have answered this, as they began it. They understand less than the language model.",
		run.ModelGone: "The language model does not answer just now, so the built-in rules did. They understand less.",
		run.Misset:    "The language model is not set up right, so the built-in rules answered. They understand less. The operator can see why in the log or with `hermes check`.",
		run.Declined:  "The language model did not want to answer this, so the built-in rules did. They understand less.",
		run.TooBig:    "This is more than the language model can take in at once, so the built-in rules answered. They understand less.",
	},
	rules:     "built-in rules, no language model",
	mayI:      "**May I do this?**",
	rehearsal: "Rehearsal, nothing is posted: ",
	resumed:   "Interrupted, and going on: ",
	option: map[string]string{
		run.Yes: "Approve", run.Once: "Post only now", run.No: "Deny", run.Remake: "Run again",
		EditChoice: "Edit …", run.Change: "Ask for changes …", run.Like: "Allow like this …", ReasonChoice: "Deny with reason …",
	},
	always:    func(cadence, until string) string { return "Allow " + cadence + untilEn(until) },
	alwaysNow: func(cadence, until string) string { return "Post now and " + cadence + untilEn(until) },
	chosen: map[string]func(string) string{
		run.Yes:    func(n string) string { return "approved by " + n },
		run.Once:   func(n string) string { return "approved for this one time by " + n },
		run.Always: func(n string) string { return "approved, now and as scheduled, by " + n },
		run.Like:   func(n string) string { return "approved by " + n + ", and more of the kind allowed" },
		run.Change: func(n string) string { return n + " asks for changes" },
		run.No:     func(n string) string { return "denied by " + n },
		run.Remake: func(n string) string { return n + " has it run again" },
		run.Late:   func(string) string { return "expired: nobody decided in time" },
		run.Ceased: func(n string) string { return "called off by " + n },
	},
	states: map[run.State]func(int) string{
		run.Working:    func(int) string { return "Working on it …" },
		run.Waiting:    func(int) string { return "Waiting for a decision" },
		run.Delivering: func(int) string { return "Posting …" },
		run.Done:       func(n int) string { return "Done in " + plural(n, "step") },
		run.Suspended:  func(int) string { return "Stopped" },
		run.Failed:     func(int) string { return "Failed" },
	},
	tools: map[string]string{
		"query_metric": "Look up figures", "query_database": "Query the database", "make_report": "Make a report",
		"post_message": "Post", "schedule_add": "Schedule", "schedule_list": "Look up schedules",
		"schedule_change": "Change a schedule", "schedule_set": "Set up a schedule", "report_delete": "Delete a saved report", "schedule_edit": "Change a schedule",
		// What older runs called.
		"schedule_pause": "Pause a schedule", "schedule_resume": "Resume a schedule", "schedule_delete": "Delete a schedule",
		"read_file_section": "Read on", "remember": "Remember", "memory_list": "Look up what I remember", "memory_forget": "Forget", "ask": "Ask",
		"take_back": "Take back or correct a post", "audit_find": "Look through the audit log",
		"report_save": "Save as a report", "report_list": "Look up saved reports", "report_run": "Run a saved report", "report_check": "Check the report against its contract",
	},
	stop:   "Stop",
	goOn:   "Continue",
	giveUp: "Abandon",
	statuses: map[run.Status]string{
		run.StatusDone: "done", run.StatusPartial: "partial", run.StatusSuspended: "suspended", run.StatusStalled: "stalled",
		run.StatusRepeated: "repeated", run.StatusTimeout: "out of time", run.StatusBudget: "over budget",
		run.StatusConfig: "configured wrong", run.StatusCancelled: "stopped", run.StatusFailed: "failed",
	},
	until:       "2 Jan 2006",
	remarks:     englishRemarks,
	budgetWords: englishBudgets,
	cardWords:   englishCard,
	goalWords:   englishGoal,
	reportWords: englishReports,
	spotWords:   englishSpots,
	headings:    englishHeadings,
}

var chinese = wording{
	help: strings.Join([]string{
		"我在聊天里帮大家干活。在频道里点名叫我，私聊直接说就行。比如：",
		"",
		"- *把上个月的销售数据按地区汇总，写一份分析发到 #sales，以后每个月1号早上9点都做一次*",
		"- *上个月亚洲的销售额是多少？* 接着问：*按产品看*、*再上个月呢？*",
		"- *我的定时任务有哪些*、*暂停销售报告*",
		"- *以后都用 CSV*、*你记得我什么？*、*忘掉这个*",
		"",
		"凡是要发到别处的内容，都先等人按下按钮。说*停*可以结束正在做的事。",
	}, "\n"),
	nothingToStop: "这里没有正在进行的事。",
	asTask:        "当作任务执行",
	alreadyGoing:  "这件事已经在继续，或者已经结束。",
	notYours:      "这件事不由您决定。",
	theyMay: func(names string, asker []string) string {
		if len(asker) == 0 {
			return "要等 " + names + " 决定；提出的人可以拒绝。"
		}
		return "要等 " + names + " 决定；提出的人可以按“" + strings.Join(asker, "”或“") + "”，也可以拒绝。"
	},
	onlyThey:  func(name string) string { return "要等 " + name + " 决定。" },
	comma:     " 或 ",
	leftAlone: "好的，这件事我不再继续。您想知道什么？",

	superseded: "这件事的卡片已取消，不再有效：以你接下来提出的为准。",
	pressIt:    "文字不算批准：请按卡片上的按钮。",
	noQuestion: "我已经找不到这个问题了，请重新提出。",
	faster:     func(name, what string) string { return fmt.Sprintf("这件事已经定了：%s。", what) },
	agreedBy: func(button, names, lacks string) string {
		if button != "" {
			button = "“" + button + "”"
		}
		return "已同意" + button + "：" + names + "。还需要：" + lacks + "。"
	},
	youAgreed: func(lacks string) string {
		return "已记下你的同意，人数够了才会执行。还需要：" + lacks + "。"
	},
	lack: func(n int, of string) string {
		text := strconv.Itoa(n) + " 人同意"
		if of != "" {
			text += "（" + of + "）"
		}
		return text
	},
	also: "，以及 ",
	asksThere: func(name, where string, open bool) string {
		text := "**" + name + " 在 " + where + " 提出了这件事"
		if where == "" {
			text = "**" + name + " 在另一个对话提出了这件事"
		}
		if open {
			return text + "，你可以决定。**"
		}
		return text + "。**"
	},
	nudge: func(names string, until time.Time, wider bool) string {
		text := "上面的卡片还在等人决定，截止 " + until.Format("1月2日 15:04 MST") + "。"
		if wider {
			text = "上面的卡片还没有人决定，现在更多的人可以决定，截止 " + until.Format("1月2日 15:04 MST") + "。"
		}
		if names != "" {
			text += "要等 " + names + " 决定。"
		}
		return text
	},
	expired: func(at time.Time) string {
		return "这个问题已于 " + at.Format("2006-01-02 15:04 MST") + " 过期，什么也没有做。请按下面的“继续”，或重新提出。"
	},
	sorry: map[run.Why]string{
		run.Forged:  "我停在了这里：数据库里关于这件事的记录被改动过，不是我改的，所以不再继续。请让管理员检查：`hermes audit verify` 会指出是哪一条。",
		run.Busy:    "没能回答：现在太忙了，请稍后再问。",
		run.Refused: "没能回答：我需要的权限被拒绝了，再问也没用，需要管理员处理。",
		run.Broken:  "没能回答：我这里出了故障，管理员可以查到原因。",
	},
	ended: map[run.Why]string{
		run.TooLong:    "还没做完：轮数超过了上限。按“继续”可以再给同样多的轮数。",
		run.InCircle:   "还没做完：我在反复做同一件事。请说得更具体些，或者按“继续”。",
		run.Stalled:    "还没做完：最近几轮没有得到新东西。请告诉我还可以看哪里，或者按“继续”。",
		run.Misfit:     "还没做完：模型写的东西工具和我都用不上。请换个说法，或者按“继续”。",
		run.TimeUp:     "还没做完：用时超过了上限。按“继续”可以再给同样长的时间。",
		run.OverBudget: "还没做完：一件事的预算已经用完。按“继续”可以再给同样多的预算。",
		run.Spent:      "还没做完：有一个预算已经用完。",
		run.Unfinished: "⚠ 要求的事没有全部做完。",
		run.Paused:     "按规定，我在下一步之前停了下来。按“继续”就做。",
		run.Misset:     "我只好停下：有一处配置不对，要由管理员改好，然后再按“继续”。",
		run.Stopped:    "已停止。",
		run.Abandoned:  "已放弃：不会再继续。",
		run.TooBig:     "还没做完：要读的内容超过了语言模型一次能读的量。请分几次问。",
		run.Declined:   "我只好停下：语言模型不愿回答这个问题。已做的都保留着，请换个说法，或者按“继续”。",
		run.ModelGone:  "我只好停下：开始这件事的语言模型现在连不上。已做的都保留着，按“继续”可以接着做。",
		run.Expired:    "没有人及时决定，所以什么也没有做。按“继续”我会再问一次。",
		run.Forged:     "我停在了这里：数据库里关于这件事的记录被改动过，不是我改的，所以不再继续。请让管理员检查：`hermes audit verify` 会指出是哪一条。",
		run.NoReport:   "已经没有这个名称的报表，所以什么都没有运行。",
		run.Unmade:     "⚠ 已保存的报表没有做成，没有发送。按“继续”重新运行。",
		run.Breached:   "⚠ 已保存的报表不符合要求。按“继续”重新运行。",
		run.Busy:       "没能完成：现在太忙了，请稍后再试。",
		run.Refused:    "没能完成：我需要的权限被拒绝了，需要管理员处理。",
		run.Broken:     "没能完成：我这里出了故障，管理员可以查到原因。",
	},
	undelivered: map[run.Why]string{
		run.Forged:  "我保存的相关记录被改动过，不是我改的",
		run.Busy:    "那边一直太忙",
		run.Refused: "我无权发到那里，或者内容与批准的不一致",
		run.Broken:  "那边没有接受",
	},
	refusing: map[error]string{
		ErrAltered:    "它生成之后在我的数据库里被改动过，所以没有发出",
		ErrArchived:   "那里已归档",
		ErrVanished:   "那里已不存在，或者我看不到",
		ErrOutside:    "我不在那里",
		ErrRestricted: "那里限制发言",
	},
	noUpload: "我无权上传文件",
	missing: func(names []string, why string, here bool) string {
		text := "消息已经发出，但缺少文件："
		if here {
			text = "上面的内容缺少文件："
		}
		return text + strings.Join(names, "、") + "（" + why + "）。"
	},
	stuckAt:    "停在：",
	look:       "请检查这些设置：",
	soFar:      "目前查到的：",
	unfinished: "写到一半的回答，未完成：",
	noWords:    "模型没有给出回答。工具查到的：",
	undone: func(step, by string) string {
		if by != "" {
			return "⚠ 没有做：" + step + "，被 " + by + " 拒绝。"
		}
		return "⚠ 没有做：" + step + "。"
	},
	acts: map[run.Act]string{
		run.Posted: "发送", run.Scheduled: "安排", run.Remembered: "记下", run.Deleted: "删除", run.Changed: "更改",
	},
	or:      "或",
	nothing: func(acts string) string { return "这次什么也没有" + acts + "。" },
	idle:    "这次没有发出、安排、记下或更改任何东西。",
	cut:     "⚠ 回答到了模型的长度上限，到这里就断了。",
	triedAgain: func(at time.Time) string {
		return "我会在 " + at.Format("15:04") + " 自动再试一次，您不用做什么。"
	},
	noFind: "模型没有给出回答，工具也没有查到什么。",
	unproven: func(n string) string {
		return "⚠ 以下数字没有任何工具查到过，请不要依赖：" + n + "。"
	},
	andMore:  func(n int) string { return fmt.Sprintf("和另外 %d 个", n) },
	listed:   "、",
	colon:    "：",
	terms:    termsIn(2),
	together: func(others int) string { return fmt.Sprintf("与您另外 %d 条消息一并处理", others) },
	unsure: func(step string) string {
		return "⚠ 没人知道这一步是否已经生效：" + step + "。再做之前请先看一看。"
	},
	unknown: "不确定是否已送达；再发之前请先去那边看一下",
	trace:   func(id string) string { return "追踪号 " + id },
	footer: func(out run.Outcome, model, ended, trace string) string {
		s := fmt.Sprintf("%s · %d 步", model, out.Steps)
		if n := out.Usage.In + out.Usage.Out; n > 0 {
			s += fmt.Sprintf(" · %d tokens", n)
		}
		return s + price(out.Usage.Nanos) + ended + " · 追踪号 " + trace
	},
	instead: map[run.Why]string{
		"":            "这件事由内置规则开始，也由它回答。它能听懂的比语言模型少一些。",
		run.ModelGone: "语言模型现在没有应答，这是内置规则的回答，它能听懂的少一些。",
		run.Misset:    "语言模型没有设置好，这是内置规则的回答，它能听懂的少一些。管理员可以在日志里或用 `hermes check` 看到原因。",
		run.Declined:  "语言模型不愿回答这个问题，这是内置规则的回答，它能听懂的少一些。",
		run.TooBig:    "内容超过了语言模型一次能读的量，这是内置规则的回答，它能听懂的少一些。",
	},
	rules:     "内置规则，没有使用语言模型",
	mayI:      "**可以这样做吗？**",
	rehearsal: "演练，不会真的发送：",
	resumed:   "中断过，现在继续：",
	option: map[string]string{
		run.Yes: "批准", run.Once: "只发这一次", run.No: "拒绝", run.Remake: "重新运行",
		EditChoice: "修改…", run.Change: "要求修改…", run.Like: "以后照此允许…", ReasonChoice: "拒绝并说明…",
	},
	always: func(cadence, until string) string {
		if until == "" {
			return "允许执行：" + cadence
		}
		return fmt.Sprintf("允许%s执行，到 %s", cadence, until)
	},
	alwaysNow: func(cadence, until string) string {
		if until == "" {
			return "现在发，另外：" + cadence
		}
		return fmt.Sprintf("现在发，并%s发，到 %s", cadence, until)
	},
	chosen: map[string]func(string) string{
		run.Yes:    func(n string) string { return n + " 已批准" },
		run.Once:   func(n string) string { return n + " 批准了这一次" },
		run.Always: func(n string) string { return n + " 已批准，现在及以后按计划" },
		run.Like:   func(n string) string { return n + " 已批准，并允许以后照此进行" },
		run.Change: func(n string) string { return n + " 要求修改" },
		run.No:     func(n string) string { return n + " 已拒绝" },
		run.Remake: func(n string) string { return n + "要求重新运行" },
		run.Late:   func(string) string { return "已过期：没有人及时决定" },
		run.Ceased: func(n string) string { return n + " 已取消" },
	},
	states: map[run.State]func(int) string{
		run.Working:    func(int) string { return "正在处理……" },
		run.Waiting:    func(int) string { return "等待决定" },
		run.Delivering: func(int) string { return "正在发送……" },
		run.Done:       func(n int) string { return fmt.Sprintf("完成，共 %d 步", n) },
		run.Suspended:  func(int) string { return "已停下" },
		run.Failed:     func(int) string { return "失败" },
	},
	tools: map[string]string{
		"query_metric": "查询数据", "query_database": "查询数据库", "make_report": "生成报告",
		"post_message": "发送", "schedule_add": "安排定时任务", "schedule_list": "查看定时任务",
		"schedule_change": "更改定时任务", "schedule_set": "设置定时任务", "report_delete": "删除已保存的报表", "schedule_edit": "更改定时任务",
		"schedule_pause": "暂停定时任务", "schedule_resume": "恢复定时任务", "schedule_delete": "删除定时任务",
		"read_file_section": "接着读", "remember": "记下", "memory_list": "查看记忆", "memory_forget": "忘记", "ask": "提问",
		"take_back": "撤回或更正消息", "audit_find": "查阅审计记录",
		"report_save": "存为报表", "report_list": "查看已保存的报表", "report_run": "运行已保存的报表", "report_check": "核对报表是否符合约定",
	},
	stop:   "停止",
	goOn:   "继续",
	giveUp: "放弃",
	statuses: map[run.Status]string{
		run.StatusDone: "完成", run.StatusPartial: "部分完成", run.StatusSuspended: "已挂起", run.StatusStalled: "没有进展",
		run.StatusRepeated: "重复打转", run.StatusTimeout: "超时", run.StatusBudget: "超出预算",
		run.StatusConfig: "配置有误", run.StatusCancelled: "已停止", run.StatusFailed: "失败",
	},
	until:       "2006年1月2日",
	remarks:     chineseRemarks,
	budgetWords: chineseBudgets,
	cardWords:   chineseCard,
	goalWords:   chineseGoal,
	reportWords: chineseReports,
	spotWords:   chineseSpots,
	headings:    chineseHeadings,
}

// untilEn is nothing for what has no end of its own.
func untilEn(until string) string {
	if until == "" {
		return ""
	}
	return " until " + until
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
