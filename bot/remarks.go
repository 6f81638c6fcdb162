package bot

import (
	"fmt"
	"strings"
	"time"
)

// remarks are what the bot says about its own work, beside answers and cards.
type remarks struct {
	noted     string // what was said is taken into the work under way
	queued    string // it comes after the work under way
	whoAreYou string // nobody could say what a person is
	turnsOver func(n int) string
	stopsHere string // how turnsOver begins
	denied    map[denial]func(who string) string
	operator  string // who is to be asked, where nobody has a name
	away      func(at []time.Time) string
	awayDone  map[string]func(name string) string // by choice
	awayLate  string
	yes, no   string
	explain   string                  // of a message, when nothing more is said
	whatIsIt  string                  // of files, when nothing is said
	stands    func(why string) string // of a post that was to be taken back or corrected
	why       string
	whyNone   string
	whyModel  func(model string) string
	whyCost   func(in, out int, nanos int64) string
	whySource func(sources []string) string
	whyMore   func(n int) string
	whyLink   string
	ruled     map[Ruling]func(name string) string
	didFail   string
	notShown  string
	thanks    map[bool]string
}

var englishRemarks = remarks{
	noted:     "Noted: taken into the work under way.",
	queued:    "Queued: I do it after what is under way.",
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
		unlisted: func(who string) string { return "You are not among those I work for here. Please ask " + who + "." },
		wrongPlace: func(who string) string {
			return "I do not work in this channel. Write to me directly, or ask " + who + "."
		},
	},
	operator: "whoever runs me",
	away: func(at []time.Time) string {
		if len(at) == 1 {
			return "I was away when you wrote this at " + at[0].Format("15:04") + ". Shall I do it now?"
		}
		return fmt.Sprintf("I was away when you wrote these %d messages, from %s to %s. Shall I do them now?", len(at), at[0].Format("15:04"), at[len(at)-1].Format("15:04"))
	},
	awayDone: map[string]func(string) string{
		choiceYes: func(n string) string { return n + ": yes, do it now" },
		choiceNo:  func(n string) string { return n + ": no, leave it" },
	},
	awayLate: "I asked this more than a day ago and have left it. Please write again what you need.",
	yes:      "Yes",
	no:       "No",
	explain:  "Explain this message in short, and say what could be done about it.",
	whatIsIt: "What is in this file?",
	stands:   func(why string) string { return "The post still stands as it was: " + why + "." },
	why:      "**Why this answer?**",
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
	noted:     "收到：已加到正在做的事情里。",
	queued:    "已排队：手上的事做完就做。",
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
		unlisted:   func(who string) string { return "你不在我服务的名单里。请联系" + who + "。" },
		wrongPlace: func(who string) string { return "我不在这个频道工作。请私聊我，或联系" + who + "。" },
	},
	operator: "管理我的人",
	away: func(at []time.Time) string {
		if len(at) == 1 {
			return "你在 " + at[0].Format("15:04") + " 写这条消息时我不在线。现在做吗？"
		}
		return fmt.Sprintf("你在 %s 到 %s 写这 %d 条消息时我不在线。现在做吗？", at[0].Format("15:04"), at[len(at)-1].Format("15:04"), len(at))
	},
	awayDone: map[string]func(string) string{
		choiceYes: func(n string) string { return n + "：好，现在做" },
		choiceNo:  func(n string) string { return n + "：不用了" },
	},
	awayLate: "这是一天多以前问的，我已经放下了。需要什么请再写一次。",
	yes:      "好",
	no:       "不用",
	explain:  "简要解释这条消息，并说明可以怎么处理。",
	whatIsIt: "这个文件里有什么？",
	stands:   func(why string) string { return "那条消息还是原来的样子：" + why + "。" },
	why:      "**为什么这样回答？**",
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
		Answered: func(n string) string { return n + " 已回答" },
	},
	didFail:  "失败",
	notShown: "只有提出的人和可以看到其工作的人，才能知道原因。",
	thanks: map[bool]string{
		true:  "谢谢，我已记下这个回答有用。",
		false: "谢谢，我已记下这个回答没有用。请在这里说说哪里不对，我再试一次。",
	},
}
