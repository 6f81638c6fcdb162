package rules

import (
	"regexp"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/scheduler/calendar"
)

// aMessage is how people ask about one message that somebody else wrote. What that
// says is then something to quote, and asks for nothing.
var aMessage = regexp.MustCompile(`(?i)^\W*(?:please\s+|can you\s+|could you\s+)*(?:(?:explain|summari[sz]e|sum up|describe)(?: to me| for me)?|what (?:is|does)) (?:this|that|the) (?:message|post|line)\b` +
	`|^(?:请|麻烦|帮我)*(?:简要|简单|大概)?(?:地)?(?:解释|说明|总结|概括|介绍)(?:一下)?(?:这|那)(?:条|个)(?:消息|帖子|话)|^(?:这|那)(?:条|个)(?:消息|帖子|话)(?:是)?(?:什么意思|说了?(?:些)?什么)`)

// longestQuote is how much of a message is quoted, in characters.
const longestQuote = 400

// sayMessage says who wrote a message, what it says, and what of it can be asked here.
func (w work) sayMessage(l llm.Line, files []llm.File) string {
	var b strings.Builder
	name := l.Name
	if name == "" {
		name = w.pick("Somebody", "有人")
	}
	b.WriteString("**" + plainWords(name, 40) + "**")
	if !l.At.IsZero() {
		b.WriteString(w.pick(" wrote at ", " 在 ") + l.At.In(w.loc).Format(clockOf(l.At, w.now)) + w.pick("", " 写道"))
	} else {
		b.WriteString(w.pick(" wrote", " 写道"))
	}
	if text := plainWords(l.Text, longestQuote); text != "" {
		b.WriteString(w.pick(": “", "：“") + text + "”")
	} else {
		b.WriteString(w.pick(" a message without words.", "的是一条没有文字的消息。"))
	}
	b.WriteString("\n\n" + w.pick(
		"Without a language model I cannot say what it means, and nothing of it was done.",
		"我没有语言模型，说不了它的意思；它说的事也都没有做。"))
	if len(files) > 0 {
		b.WriteString("\n\n" + w.sayFiles(files))
	}
	b.WriteString("\n\n" + w.sayAskable(l.Text))
	return b.String()
}

// sayAskable says what a text has in it that can be asked here.
func (w work) sayAskable(text string) string {
	var measures []string
	for _, t := range w.scan(strings.ToValidUTF8(text[:min(len(text), longest)], ""), nil) {
		if t.kind == measure && !slices.Contains(measures, t.name) {
			measures = append(measures, t.name)
		}
	}
	r := w.read(text)
	if len(measures) > 0 && len(r.unclaimed) == 0 && r.chat == "" {
		return w.pick("What it asks for I can do: write it here yourself, and I begin.", "它提的要求我能做：请您自己在这里说一遍，我就开始。")
	}
	var examples []string
	for _, m := range measures[:min(len(measures), 2)] {
		g := figures{measures: []string{m}, period: calendar.Ago(calendar.Month, 1)}
		if len(w.vocabulary.Dimensions) > 0 {
			g.by = []string{w.vocabulary.Dimensions[0].Name}
		}
		examples = append(examples, w.describeFigures(g))
	}
	if len(examples) > 0 {
		var labels []string
		for _, m := range measures {
			labels = append(labels, w.labelOf(w.vocabulary.Measures, m))
		}
		return w.pick("It speaks of "+strings.Join(labels, ", ")+". You can ask here, for example: ", "它提到了"+strings.Join(labels, "、")+"。可以在这里问，例如：") + starred(examples)
	}
	return w.pick("It names no figures that I know. You can ask here, for example: ", "里面没有我知道的数据。可以在这里问，例如：") + starred(w.nearest(text, 2))
}

// starred are texts that somebody may write.
func starred(all []string) string {
	for i, s := range all {
		all[i] = "*" + s + "*"
	}
	return strings.Join(all, " · ")
}
