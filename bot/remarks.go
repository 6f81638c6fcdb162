package bot

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"hermes/agent/run"
)

// remarks are what the bot says about its own work, beside answers and cards.
type remarks struct {
	noted   string               // what was said is taken into the work under way
	queued  func(nth int) string // it comes after the work under way, as the nth
	dropped func(n int) string   // so many waited, and will not be done
	// Of a stop: which requests it ends, and which of who said it are under way elsewhere.
	// errand is how one of them is called; where is empty in the channel itself.
	stoppedThere, underElsewhere func(errands []string) string
	errand                       func(text, link, where string) string
	whoAreYou                    string // nobody could say what a person is
	secret                       func(kinds string) string
	// fileSecret tells of secrets in what somebody attached.
	fileSecret func(names, kinds string) string
	turnsOver  func(n int) string
	stopsHere  string // how turnsOver begins
	denied     map[denial]func(who string) string
	operator   string // who is to be asked, where nobody has a name
	away       func(at []time.Time) string
	awayDone   map[string]func(name string) string // by choice
	awayLate   string
	yes, no    string
	tookBack   string                  // where something stood of a request that was taken back
	explain    string                  // of a message, when nothing more is said
	whatIsIt   string                  // of files, when nothing is said
	stands     func(why string) string // of a post that was to be taken back or corrected
	why        string
	whyNone    string
	whyModel   func(model string) string
	whyTaken   map[string]string // by what the router took it for
	whyRouted  func(taken string, sure float64, terms []string) string
	whyCost    func(in, out int, nanos int64) string
	whySource  func(sources []string) string
	whyMore    func(n int) string
	whyLink    string
	ruled      map[Ruling]func(name string) string
	didFail    string
	notShown   string
	thanks     map[bool]string

	// Of a status: heads over what there is, lines of it, and what is said for none.
	// Of what could not be posted: over it where only who asked sees it. what is the
	// beginning of what was asked, with its link; where is the name of a place. Both may
	// be empty.
	lostAnswer, lostCard, lostRest, lostDoubt func(what, where, why string) string
	unheard                                   func(owner, job string) string     // for an admin: what a schedule made came to nobody
	altered                                   func(table, key string) string     // for an admin: somebody else has written a row of the database
	ownerGone, approverGone                   func(name, job, who string) string // for an admin: why a schedule is paused
	quoteAsked                                func(text, link string) string
	unshown                                   func(why string) string // of a report beside an answer

	nowRuns, nowAsks, nowJobs func(n int) string
	nowQueue                  func(n int) string // its lines are each an errand
	nothingQueued             string
	nothingAsked, noJobs      string
	nowState                  map[run.State]string
	runLine                   func(v RunView, state, since, where string) string
	inPlace                   func(name string) string // where a Run is, if that is another place; the name may be empty
	jobLine                   func(name, next, to string) string
	editLate, editDone        string // of a message that was edited once it was answered, or acted on
}

var englishRemarks = remarks{
	lostAnswer: func(what, where, why string) string {
		return "My answer" + around(" to ", what, "") + " could not be posted" + around(" in ", where, "") + ": " + why + ". Here it is:"
	},
	lostCard: func(what, where, why string) string {
		return "Something waits for a decision" + around(" before I go on with ", what, "") + ", and I could not ask" + around(" in ", where, "") + ": " + why + ". I ask here instead:"
	},
	unheard: func(owner, job string) string {
		return "What the schedule `" + job + "` has made came to nobody: neither the place where it was made nor its owner, " + owner + ", can be written to. `hermes schedule show " + job + "` shows it; pause it, or let somebody else make it anew."
	},
	altered: func(table, key string) string {
		what := map[string]string{"jobs": "The schedule", "runs": "The work", "reports": "The saved report", "facts": "The memory", "spend": "The record of what was spent,"}[table]
		then := map[string]string{"jobs": " It is paused, and can only be deleted and made anew.", "reports": " It is not run, and can only be deleted and saved anew.", "spend": " Budgets count what was spent all the same."}[table]
		return "⚠ " + cmp.Or(what, "The row of the table "+table) + " `" + key + "` was changed in my database, and not by me, so I do not act on it." + then + " Look at who can write to the database; `hermes audit verify` names what else was changed."
	},
	ownerGone: func(name, job, who string) string {
		return "The schedule `" + job + "` (“" + briefly(name, statusWords) + "”) is paused: its owner, " + who + ", is here no more or may not use me any more, and it ran with their rights. For it to go on, give it to somebody: “hand schedule " + job + " to @…”, or `hermes schedule set " + job + " --owner …`."
	},
	approverGone: func(name, job, who string) string {
		return "The schedule `" + job + "` (“" + briefly(name, statusWords) + "”) is paused: " + who + ", who had allowed what it posts, is here no more or may not use me any more. What they allowed for it has ended. “Resume schedule " + job + "” has it go on; its next post is asked for again."
	},
	lostRest: func(what, where, why string) string {
		return "What I had to say" + around(" to ", what, "") + " could not be posted" + around(" in ", where, "") + ": " + why + ". Here it is:"
	},
	lostDoubt: func(what, where, _ string) string {
		return "Nobody knows whether my answer" + around(" to ", what, "") + " has arrived" + around(" in ", where, "") + ". Here it is once more:"
	},
	quoteAsked:    func(text, link string) string { return linked("“"+text+"”", link) },
	unshown:       func(why string) string { return "A report that belongs here could not be shown: " + why + "." },
	nowRuns:       func(n int) string { return fmt.Sprintf("**Under way: %d**", n) },
	nowAsks:       func(n int) string { return fmt.Sprintf("**Waiting for a decision: %d**", n) },
	nowJobs:       func(n int) string { return fmt.Sprintf("**Your schedules: %d, the next:**", n) },
	nowQueue:      func(n int) string { return fmt.Sprintf("**Queued: %d**", n) },
	nothingQueued: "Nothing is queued.",
	nothingAsked:  "Nothing waits for a decision.",
	noJobs:        "You have no schedules.",
	nowState:      map[run.State]string{run.Working: "working", run.Waiting: "waiting for a decision", run.Delivering: "posting"},
	runLine: func(v RunView, state, since, where string) string {
		return fmt.Sprintf("“%s”: %s%s, %s, since %s", briefly(v.Text, statusWords), where, state, plural(v.Steps, "step"), since)
	},
	inPlace: func(name string) string {
		if name == "" {
			return "elsewhere, "
		}
		return "in " + name + ", "
	},
	editLate: "I have answered this already, so your edit changes nothing. To have it done as it reads now, send it as a new message.",
	editDone: "Your edit changes nothing: I have acted on what this message said before. Please send what you want now as a new message.",
	jobLine: func(name, next, to string) string {
		if to != "" {
			to = " → " + to
		}
		return briefly(name, statusWords) + ": " + next + to
	},
	noted: "Noted: taken into the work under way.",
	queued: func(nth int) string {
		if nth == 1 {
			return "Queued: I do it after what is under way."
		}
		return fmt.Sprintf("Queued as number %d: I do it after what is under way and %s before it.", nth, plural(nth-1, "request"))
	},
	dropped: func(n int) string {
		if n == 1 {
			return "1 request of yours that was queued is dropped."
		}
		return fmt.Sprintf("%d requests of yours that were queued are dropped.", n)
	},
	stoppedThere: func(errands []string) string {
		if len(errands) == 1 {
			return "Stopped: " + errands[0] + "."
		}
		return fmt.Sprintf("Stopped %d requests of yours:", len(errands)) + bullets(errands)
	},
	underElsewhere: func(errands []string) string {
		return "Nothing of yours is under way here, but elsewhere:" + bullets(errands) + "\nSay *stop* there to end it."
	},
	errand: func(text, link, where string) string {
		return linked("“"+text+"”", link) + around(" in ", where, "")
	},
	fileSecret: func(names, kinds string) string {
		return "⚠ " + names + ": there is what looks like a secret in it (" + kinds + "). I have taken it out of the text that I read and keep. The file itself still holds it, where you have uploaded it and where it is from: please remove it there, and change the secret."
	},
	secret: func(kinds string) string {
		return "Your message held a secret (" + kinds + "). I have taken it out and kept nothing of it. It still stands in your message: please delete it there, and change it where it is from."
	},
	whoAreYou: "I could not find out whether I may work for you, so I have done nothing. Please ask again later.",
	stopsHere: "I stop here:",
	turnsOver: func(n int) string {
		return fmt.Sprintf("I stop here: this would be more than %s in a row to another bot. I go on once a person writes.", plural(n, "answer"))
	},
	denied: map[denial]func(string) string{
		outsider: func(who string) string { return "I work only for people of this workspace. Please ask " + who + "." },
		visitor:  func(who string) string { return "I do not work for guests here. Please ask " + who + "." },
		onlyTalk: func(who string) string {
			return "With guests I only talk: I look nothing up and do nothing. For more, please ask " + who + "."
		},
		onlyChat: func(who string) string {
			return "With people of other organisations I only talk: I look nothing up and do nothing. For more, please ask " + who + "."
		},
		unlisted: func(who string) string { return "You are not among those I work for here. Please ask " + who + "." },
		wrongPlace: func(who string) string {
			return "I do not work in this channel. Write to me directly, or ask " + who + "."
		},
	},
	operator: "whoever runs me",
	away: func(at []time.Time) string {
		if len(at) == 1 {
			return "I was away when you wrote this at " + clock(at[0]) + ". Shall I do it now?"
		}
		return fmt.Sprintf("I was away when you wrote these %d messages, from %s to %s. Shall I do them now?", len(at), at[0].Format("15:04"), clock(at[len(at)-1]))
	},
	awayDone: map[string]func(string) string{
		choiceYes: func(n string) string { return n + ": yes, do it now" },
		choiceNo:  func(n string) string { return n + ": no, leave it" },
	},
	awayLate: "I asked this more than a day ago and have left it. Please write again what you need.",
	yes:      "Yes",
	no:       "No",
	tookBack: "The request was taken back, so nothing is done.",
	explain:  "Explain this message in short, and say what could be done about it.",
	whatIsIt: "What is in this file?",
	stands:   func(why string) string { return "The post still stands as it was: " + why + "." },
	why:      "**Why this answer?**",
	whyTaken: map[string]string{"chitchat": "small talk", "question": "a question", "task": "a task"},
	whyRouted: func(taken string, sure float64, terms []string) string {
		text := fmt.Sprintf("Taken for: %s (%.0f%% sure)", taken, 100*sure)
		if len(terms) > 0 {
			text += ", by: " + strings.Join(terms, ", ")
		}
		return text
	},
	whyNone:  "No tool was used: it is words alone.",
	whyModel: func(model string) string { return "Thought by: " + model },
	whyCost: func(in, out int, nanos int64) string {
		return fmt.Sprintf("Cost: %d tokens in, %d out", in, out) + price(nanos)
	},
	whySource: func(s []string) string { return "Figures from: " + strings.Join(s, ", ") },
	whyMore:   func(n int) string { return fmt.Sprintf("… and %d more", n) },
	whyLink:   "All of it: ",
	ruled: map[Ruling]func(string) string{
		Approved: func(n string) string { return "approved by " + n },
		Granted:  func(n string) string { return "allowed for the schedule by " + n },
		Denied:   func(n string) string { return "denied by " + n },
		Returned: func(n string) string { return n + " asked for changes" },
		Answered: func(n string) string { return "answered by " + n },
	},
	didFail:  "failed",
	notShown: "Only who asked, and those who may see their work, are told why.",
	thanks: map[bool]string{
		true:  "Thank you. I have kept that this helped.",
		false: "Thank you. I have kept that this did not help. If you say here what was wrong, I try again.",
	},
}

var chineseRemarks = remarks{
	lostAnswer: func(what, where, why string) string {
		return "我" + around("对", what, "") + "的回答没能发" + chineseTo(where) + "：" + why + "。内容如下："
	},
	lostCard: func(what, where, why string) string {
		return around("", what, "：") + "有一件事要先有人决定，但没能发" + chineseTo(where) + "：" + why + "。改在这里问："
	},
	unheard: func(owner, job string) string {
		return "日程 `" + job + "` 的结果没有人收到：创建它的地方和它的所有者" + owner + "都无法发送。用 `hermes schedule show " + job + "` 查看；请暂停它，或让别人重新创建。"
	},
	altered: func(table, key string) string {
		what := map[string]string{"jobs": "定时任务", "runs": "工作", "reports": "已保存的报表", "facts": "记忆", "spend": "费用记录"}[table]
		then := map[string]string{"jobs": "它已暂停，只能删除后重新创建。", "reports": "它不会再运行，只能删除后重新保存。", "spend": "预算仍按实际花费计算。"}[table]
		return "⚠ " + cmp.Or(what, "数据表 "+table+" 中的记录") + " `" + key + "` 在我的数据库里被改动过，不是我改的，所以我不会按它行事。" + then + "请检查谁能写入数据库；`hermes audit verify` 会列出其他被改动的内容。"
	},
	ownerGone: func(name, job, who string) string {
		return "定时任务 `" + job + "`（“" + briefly(name, statusWords) + "”）已暂停：它的所有者" + who + "已不在这里，或不能再使用我，而它是以其权限运行的。要让它继续，请交给别人：“把定时任务 " + job + " 交给 @…”，或用 `hermes schedule set " + job + " --owner …`。"
	},
	approverGone: func(name, job, who string) string {
		return "定时任务 `" + job + "`（“" + briefly(name, statusWords) + "”）已暂停：批准它发送的" + who + "已不在这里，或不能再使用我，其批准随之作废。说“恢复定时任务 " + job + "”即可继续，下次发送会重新请求批准。"
	},
	lostRest: func(what, where, why string) string {
		return "我" + around("对", what, "") + "要说的话没能发" + chineseTo(where) + "：" + why + "。内容如下："
	},
	lostDoubt: func(what, where, _ string) string {
		return "不确定我" + around("对", what, "") + "的回答是否已经发" + chineseTo(where) + "。再发一次，内容如下："
	},
	quoteAsked:    func(text, link string) string { return linked("“"+text+"”", link) },
	unshown:       func(why string) string { return "有一份属于这里的报告没能显示：" + why + "。" },
	nowRuns:       func(n int) string { return fmt.Sprintf("**正在进行：%d 件**", n) },
	nowAsks:       func(n int) string { return fmt.Sprintf("**等待决定：%d 件**", n) },
	nowJobs:       func(n int) string { return fmt.Sprintf("**你的定时任务：%d 个，接下来是：**", n) },
	nowQueue:      func(n int) string { return fmt.Sprintf("**排队：%d 件**", n) },
	nothingQueued: "没有排队的事。",
	nothingAsked:  "没有等待决定的事。",
	noJobs:        "你没有定时任务。",
	nowState:      map[run.State]string{run.Working: "处理中", run.Waiting: "等待决定", run.Delivering: "发送中"},
	runLine: func(v RunView, state, since, where string) string {
		return fmt.Sprintf("“%s”：%s%s，%d 步，从 %s 开始", briefly(v.Text, statusWords), where, state, v.Steps, since)
	},
	inPlace: func(name string) string {
		if name == "" {
			return "在别处，"
		}
		return "在 " + name + "，"
	},
	editLate: "这条消息我已经答复过了，所以你的修改不会起作用。要按现在的内容重做，请另发一条消息。",
	editDone: "你的修改不会起作用：我已经按这条消息原来的内容处理了。请把现在的要求另发一条消息。",
	jobLine: func(name, next, to string) string {
		if to != "" {
			to = " → " + to
		}
		return briefly(name, statusWords) + "：" + next + to
	},
	noted: "收到：已加到正在做的事情里。",
	queued: func(nth int) string {
		if nth == 1 {
			return "已排队：手上的事做完就做。"
		}
		return fmt.Sprintf("已排队，第 %d 位：手上的事和前面 %d 件做完就做。", nth, nth-1)
	},
	dropped: func(n int) string { return fmt.Sprintf("你排队的 %d 件事已取消。", n) },
	stoppedThere: func(errands []string) string {
		if len(errands) == 1 {
			return "已停止：" + errands[0] + "。"
		}
		return fmt.Sprintf("已停止您的 %d 件事：", len(errands)) + bullets(errands)
	},
	underElsewhere: func(errands []string) string {
		return "这里没有您正在进行的事，别处有：" + bullets(errands) + "\n要停止，请到那里说*停*。"
	},
	errand: func(text, link, where string) string {
		return around("", where, " 里的") + linked("“"+text+"”", link)
	},
	fileSecret: func(names, kinds string) string {
		return "⚠ " + names + " 里有看起来像密钥的内容（" + kinds + "）。我读取和保存的文字里已经去掉了；文件本身（上传的那份和原件）里还有，请删除，并更换它。"
	},
	secret: func(kinds string) string {
		return "你的消息里有密钥或口令（" + kinds + "）。我已把它去掉，没有保存。它还在你的消息里：请删除那条消息，并到来源处更换。"
	},
	whoAreYou: "没能确认我是否可以为你工作，所以什么也没有做。请稍后再问。",
	stopsHere: "我先停在这里：",
	turnsOver: func(n int) string {
		return fmt.Sprintf("我先停在这里：再说就超过连续回答另一个机器人 %d 次的上限。有人发言后我再继续。", n)
	},
	denied: map[denial]func(string) string{
		outsider: func(who string) string { return "我只为本工作区的人工作。请联系" + who + "。" },
		visitor:  func(who string) string { return "我在这里不为访客工作。请联系" + who + "。" },
		onlyTalk: func(who string) string {
			return "和访客我只聊天：不查数据，也不做事。需要更多请联系" + who + "。"
		},
		onlyChat: func(who string) string {
			return "和其他组织的人我只聊天：不查数据，也不做事。需要更多请联系" + who + "。"
		},
		unlisted:   func(who string) string { return "你不在我服务的名单里。请联系" + who + "。" },
		wrongPlace: func(who string) string { return "我不在这个频道工作。请私聊我，或联系" + who + "。" },
	},
	operator: "管理我的人",
	away: func(at []time.Time) string {
		if len(at) == 1 {
			return "您在 " + clock(at[0]) + " 写这条消息时我不在线。现在做吗？"
		}
		return fmt.Sprintf("您在 %s 到 %s 写这 %d 条消息时我不在线。现在做吗？", at[0].Format("15:04"), clock(at[len(at)-1]), len(at))
	},
	awayDone: map[string]func(string) string{
		choiceYes: func(n string) string { return n + "：好，现在做" },
		choiceNo:  func(n string) string { return n + "：不用了" },
	},
	awayLate: "这是一天多以前问的，我已经放下了。需要什么请再写一次。",
	yes:      "好",
	no:       "不用",
	tookBack: "这个请求已被撤回，什么也没有做。",
	explain:  "简要解释这条消息，并说明可以怎么处理。",
	whatIsIt: "这个文件里有什么？",
	stands:   func(why string) string { return "那条消息还是原来的样子：" + why + "。" },
	why:      "**为什么这样回答？**",
	whyTaken: map[string]string{"chitchat": "闲聊", "question": "提问", "task": "任务"},
	whyRouted: func(taken string, sure float64, terms []string) string {
		text := fmt.Sprintf("理解为：%s（把握 %.0f%%）", taken, 100*sure)
		if len(terms) > 0 {
			text += "，依据：" + strings.Join(terms, "、")
		}
		return text
	},
	whyNone:  "没有用工具，只是文字回答。",
	whyModel: func(model string) string { return "思考者：" + model },
	whyCost: func(in, out int, nanos int64) string {
		return fmt.Sprintf("花费：输入 %d tokens，输出 %d", in, out) + price(nanos)
	},
	whySource: func(s []string) string { return "数据来自：" + strings.Join(s, "、") },
	whyMore:   func(n int) string { return fmt.Sprintf("……还有 %d 步", n) },
	whyLink:   "全部内容：",
	ruled: map[Ruling]func(string) string{
		Approved: func(n string) string { return n + " 已批准" },
		Granted:  func(n string) string { return n + " 已允许按计划执行" },
		Denied:   func(n string) string { return n + " 已拒绝" },
		Returned: func(n string) string { return n + " 要求修改" },
		Answered: func(n string) string { return n + " 已回答" },
	},
	didFail:  "失败",
	notShown: "只有提出的人和可以看到其工作的人，才能知道原因。",
	thanks: map[bool]string{
		true:  "谢谢，我已记下这个回答有用。",
		false: "谢谢，我已记下这个回答没有用。请在这里说说哪里不对，我再试一次。",
	},
}

// around puts words around a text, if there is one.
func around(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

// linked is a text that leads to a link, if there is one.
func linked(text, link string) string {
	if link == "" {
		return text
	}
	return "[" + text + "](" + link + ")"
}

func chineseTo(where string) string {
	if where == "" {
		return "出去"
	}
	return "到 " + where
}

// bullets are lines under a head.
func bullets(lines []string) string {
	text := ""
	for _, line := range lines {
		text += "\n- " + line
	}
	return text
}

// clock is a time of day with its zone: who reads it may be in another.
func clock(t time.Time) string {
	zone := t.Location().String()
	if zone == "Local" {
		zone, _ = t.Zone()
	}
	return t.Format("15:04") + " (" + zone + ")"
}
