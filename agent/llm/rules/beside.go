package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
)

// What stands beside a request: files, what others said, and what the bot posted
// itself. Rules count and quote, and interpret nothing.

var (
	threadEn = regexp.MustCompile(`(?i)\b(?:summari[sz]e|summary of|sum up|recap|tl;?dr|catch (?:me|us) up|digest|what (?:did (?:they|everyone|everybody|people|we)|(?:was|is being|has been|have they|have people|have we)) (?:say|said|discuss(?:ed)?|talk(?:ing|ed)? about)|what(?:'s| is) (?:going on|this thread about|this about|being discussed)|what happened)\b`)
	aThread  = regexp.MustCompile(`(?i)\b(?:thread|conversation|discussion|chat|channel|messages?|above|so far|here|they|everyone|everybody|people)\b`)
	caughtUp = regexp.MustCompile(`(?i)^\W*(?:please\s+|can you\s+|could you\s+)*(?:catch (?:me|us) up|tl;?dr|recap|what did i miss|what have i missed|what(?:'s| is) going on here|我错过了什么|这里在聊什么|这里在讨论什么|在聊什么)(?:\s+please)?\W*$`)
	threadZh = regexp.MustCompile(`(?:总结|概括|归纳|梳理|小结|回顾|汇总|整理)[^，。]{0,6}(?:讨论|话题|线程|对话|聊天|聊的|说的|消息记录|消息|帖子|上面)|(?:上面|大家|他们|前面|刚才|这里|这个(?:帖子|话题|讨论))[^，。]{0,4}(?:说|聊|讨论|谈)(?:了|过|到)?(?:些|的是)?(?:什么|啥|哪些)|(?:把)?(?:上面|前面)[^，。]{0,6}(?:总结|概括|归纳|梳理)`)

	fileAsk  = regexp.MustCompile(`(?i)\b(?:summari[sz]e|summary|sum up|tl;?dr|what|which|who|how (?:many|long|big|large)|describe|read|look|tell|show|analy[sz]e|analysis|explain|overview|contents?|open|check|review|go through|statistics|stats|rows|columns)\b|总结|概括|归纳|小结|分析|看|读|介绍|说明|解释|讲|什么|多少|内容|概述|统计|几行|几列`)
	fileNoun = regexp.MustCompile(`(?i)\b(?:files?|attachments?|attached|documents?|docs?|pdf|csv|tsv|xlsx?|excel|spreadsheet|workbook|sheets?|image|picture|photo|screenshot|upload(?:ed)?|table)\b|文件|附件|表格|文档|图片|截图|表里|这(?:个|张|份)表|这(?:份|张|个)(?:东西|资料|材料)?`)
	fileIt   = regexp.MustCompile(`(?i)^\W*(?:hi\W+|hey\W+|hello\W+|please\s+|can you\s+|could you\s+|so\W+)*(?:summari[sz]e|sum up|describe|explain|analy[sz]e|read|check|review|look at|tell me about|give me (?:a |an )?(?:summary|overview)(?: of)?|what(?:'s| is)(?: (?:in|inside|about))?|what does)?\s*(?:it|this|that|these|those|here|them)?(?:\s+(?:one|about|say|contain|please|for (?:me|us)))*\W*$|^(?:请|麻烦|帮我|帮忙|给我)*(?:把)?(?:这个|它|这)?(?:总结|概括|分析|看|读|介绍|说明|解释|归纳)(?:一下|看看|下)?(?:这个|它|这)?(?:吧|呢|好吗)?[。！？!?]*$|^(?:这|这个|里面|它)(?:是|有|里面有|里有)(?:些)?(?:什么|啥)(?:内容)?[。？?]*$`)
	// What wants more than to be told: it is read like any other request.
	more    = regexp.MustCompile(`(?i)#|\b(?:post|send|e-?mail|share|publish|every|each|daily|weekly|monthly|tomorrow|remind|schedule|remember|forget)\b|发到|发给|发送|每天|每周|每月|每个?工作日|提醒|定时|记住|忘记`)
	lasting = regexp.MustCompile(`(?i)\b(?:every|each|daily|weekly|monthly|tomorrow|remind|schedule|remember|forget|e-?mail)\b|每天|每周|每月|每个?工作日|提醒|定时|记住|忘记|邮件`)
	fileRep = regexp.MustCompile(`(?i)\b(?:report|chart|graph|plot)\b|报告|报表|图表|作图|画图`)
)

// beside is what is asked of what stands beside the request. It reports false where
// that is something else.
func (w work) beside() (llm.Message, bool) {
	text := w.talk.text()
	if m, ok := w.takeBack(text); ok {
		return m, true
	}
	if m, ok := w.whoDecided(text); ok {
		return m, true
	}
	scene := w.request.Scene
	if n := len(scene.Heard); n > 0 && aMessage.MatchString(text) {
		return llm.Message{Text: w.sayMessage(scene.Heard[n-1], w.fresh())}, true
	}
	files := about(scene.Files, text)
	switch wants := more.MatchString(text); {
	case wants && len(files) > 0 && (fileNoun.MatchString(text) || named(files, text)):
		return w.fileWork(files, text)
	case wants:
		return llm.Message{}, false
	}
	thread := (scene.Lost || len(scene.Heard) > 0) &&
		(caughtUp.MatchString(text) || threadZh.MatchString(text) || threadEn.MatchString(text) && aThread.MatchString(text))
	switch {
	case len(files) > 0 && fileRep.MatchString(text) && (fileNoun.MatchString(text) || named(files, text)):
		return w.fileReport(files)
	case len(files) > 0 && (!thread || fileNoun.MatchString(text)):
		return llm.Message{Text: w.sayFiles(files)}, true
	case thread && scene.Lost:
		return llm.Message{Text: w.pick("I could not read what was said in this thread before, so I cannot sum it up. An operator may have to let me read the history of this channel.",
			"我读不到这个话题里之前说过的话，所以没法总结。可能需要管理员允许我读取本频道的历史消息。")}, true
	case thread:
		return llm.Message{Text: w.sayHeard(scene.Heard)}, true
	}
	return llm.Message{}, false
}

// fresh are the files that came with the request and could be read.
func (w work) fresh() []llm.File {
	return slices.DeleteFunc(slices.Clone(w.request.Scene.Files), func(f llm.File) bool { return f.Earlier || !f.Read })
}

func named(files []llm.File, text string) bool {
	return slices.ContainsFunc(files, func(f llm.File) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(f.Name)) })
}

// about are the files that a text asks about: those that came with it, or one of
// before that it names or speaks of as a file.
func about(files []llm.File, text string) []llm.File {
	lower := strings.ToLower(text)
	var meant, fresh, old []llm.File
	for _, f := range files {
		switch {
		case strings.Contains(lower, strings.ToLower(f.Name)):
			meant = append(meant, f)
		case f.Earlier:
			old = append(old, f)
		default:
			fresh = append(fresh, f)
		}
	}
	asks, noun := fileAsk.MatchString(text) || fileRep.MatchString(text), fileNoun.MatchString(text)
	switch {
	case len(meant) > 0 && asks:
		return meant
	case len(fresh) > 0 && (asks && noun || fileIt.MatchString(text)):
		return fresh
	case len(fresh)+len(meant) == 0 && len(old) > 0 && asks && noun:
		return old[:1]
	}
	return nil
}

// sayFiles gives an account of files.
func (w work) sayFiles(files []llm.File) string {
	parts := []string{w.pick(
		"Without a language model I do not understand a text, but I can count and quote. This is what is there:",
		"我没有语言模型，读不懂文字的意思，但可以统计和摘录。内容如下：")}
	for _, f := range files {
		if f.Read {
			parts = append(parts, f.Said)
		}
	}
	if len(parts) == 1 {
		return w.pick("There is nothing in what you sent that I could read.", "您发来的内容里没有我能读的。")
	}
	return strings.Join(parts, "\n\n")
}

// fileReport has a report made of the tables of files, to be posted to channels.
func (w work) fileReport(files []llm.File, channels ...string) (llm.Message, bool) {
	var tables []string
	for _, f := range files {
		tables = append(tables, f.Tables...)
	}
	if len(tables) == 0 {
		return llm.Message{Text: w.pick("A report takes a table, and there is none in it. ", "做报告需要表格，里面没有。") + w.sayFiles(files)}, true
	}
	if !w.has(makeReport) || len(channels) > 0 && !w.has(postMessage) {
		return llm.Message{}, false
	}
	w.steps = []step{{makeReport, map[string]any{"tables": tables[:min(len(tables), 6)]}, 2}}
	for _, ch := range channels {
		w.steps = append(w.steps, step{postMessage, map[string]any{"report": ref(1), "channel": ch}, 3})
	}
	w.reading = reading{}
	return w.stage(), true
}

// fileWork is what is wanted of files beside an account of them: their tables can be
// posted as a report, and that is all.
func (w work) fileWork(files []llm.File, text string) (llm.Message, bool) {
	if to := channels.FindAllString(text, -1); len(to) > 0 && !lasting.MatchString(text) {
		return w.fileReport(files, slices.Compact(slices.Sorted(slices.Values(to)))...)
	}
	return llm.Message{Text: w.sayFiles(files) + "\n\n" + w.pick("Nothing else was done: what more you ask of a file takes a language model.", "别的什么都没有做：对文件的其他要求需要语言模型。")}, true
}

// Bounds of an account of a thread.
const (
	linesSaid = 20
	lineSaid  = 160
)

// sayHeard says who said what in a thread, in short.
func (w work) sayHeard(lines []llm.Line) string {
	var people []string
	for _, l := range lines {
		if !slices.Contains(people, l.Name) {
			people = append(people, l.Name)
		}
	}
	var b strings.Builder
	b.WriteString(w.pick(
		fmt.Sprintf("Without a language model I cannot say what it means, only who said what, in short: %s by %s.", counted(len(lines), "message"), counted(len(people), "person")),
		fmt.Sprintf("我没有语言模型，概括不了意思，只能列出谁说了什么：%d 个人，%d 条消息。", len(people), len(lines))))
	for i, l := range lines {
		if len(lines) > linesSaid && i == linesSaid/4 {
			left := len(lines) - linesSaid
			b.WriteString("\n- " + w.pick(fmt.Sprintf("… %d more …", left), fmt.Sprintf("……还有 %d 条……", left)))
		}
		if len(lines) > linesSaid && i >= linesSaid/4 && i < linesSaid/4+len(lines)-linesSaid {
			continue
		}
		name := l.Name
		if name == "" {
			name = w.pick("somebody", "有人")
		}
		b.WriteString("\n- **" + plainWords(name, 40) + "**")
		if !l.At.IsZero() {
			b.WriteString(" " + l.At.In(w.loc).Format(clockOf(l.At, w.now)))
		}
		b.WriteString(": " + plainWords(l.Text, lineSaid))
	}
	return b.String()
}

// clockOf is how a time is told: by the clock on the same day.
func clockOf(t, now time.Time) string {
	if t.In(now.Location()).Format(time.DateOnly) == now.Format(time.DateOnly) {
		return "15:04"
	}
	return "2006-01-02 15:04"
}

func counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "person":
		return fmt.Sprintf("%d people", n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// plainWords is somebody's text in one line that begins nothing of its own.
func plainWords(s string, most int) string {
	s = strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "'", "#", "＃", "|", "¦").Replace(s)), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return s
}
