package rules

import (
	"regexp"
	"strings"

	"hermes/scheduler/phrase"
)

// A reminder is words that are said again at a time. It needs no figures: the job
// answers with them where it was asked for.
var (
	remindCall = regexp.MustCompile(`(?i)\b(?:remind (?:me|us)|(?:set|create|make) (?:me )?(?:up )?a reminder(?: for (?:me|us))?)\b|提醒(?:一下)?(?:我们|我|咱们|大家)(?:一下)?|(?:设置?|建|定)(?:一)?个提醒`)
	// What may stand before it beside a time.
	remindHead = regexp.MustCompile(`(?i)^[\s,，、:：]*(?:(?:please|pls|hey|hi|hello|ok|okay|can you|could you|would you|will you|and|at|on|in|also|i want you to|i need you to|hermes|请|麻烦|帮我|你|可以|能不能|能|到时候?|要|记得|都|再|时|的时候|给我|，|,)[\s,，]*)*$`)
	// What is no reminder: a question, a condition.
	noReminder = regexp.MustCompile(`(?i)^\s*(?:what|which|who|whose|where|why|how|when|whenever|if|unless|once|as soon as|before|after|until|about what)\b|^\s*(?:如果|要是|当|一旦|什么|哪|谁|怎么|为什么)`)
	timePad    = regexp.MustCompile(`(?i)^(?:for|at|on|in|by|of|the|again|please|[\s,，])*$`)
	told       = regexp.MustCompile(`(?i)^\s*(?:.*\s)?(?:of|about)\s`)
	taskLead   = regexp.MustCompile(`(?i)^(?:[\s,，。.:：;；、]|(?:to|that|about|of|for|and)\s|要(?:记得)?|去|记得)+`)
	taskTail   = regexp.MustCompile(`[\s,，。.:：;；、!！?？]+$|(?i)\s(?:please|pls)[.! ]*$`)
	storedTask = regexp.MustCompile(`(?i)^(?:remind me|提醒我)[:：]\s*(.+)$`)
)

// remind reads a reminder into r, if the text is one as a whole.
func (c reader) remind(text string, r *reading) bool {
	at := remindCall.FindStringIndex(text)
	if at == nil || len(text) > 1000 {
		return false
	}
	head, tail := text[:at[0]], text[at[1]:]
	if noReminder.MatchString(tail) {
		return false
	}
	before, rest := c.timed(head)
	if !remindHead.MatchString(rest) {
		return false
	}
	if c.slot {
		r.reminder = task(tail)
		if m := storedTask.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
			r.reminder = strings.TrimSpace(m[1])
		}
		return r.reminder != ""
	}
	if before.Kind != phrase.None {
		r.reminder = task(tail)
		c.take(r, head, before)
	} else {
		c.timeOfTask(tail, r)
	}
	switch {
	case r.reminder == "":
		r.unclaimed, r.hint = []string{strings.TrimSpace(text)}, c.pick("Of what shall I remind you? Please say it in one sentence, as in “remind me tomorrow at 15:00 to call the bank”.", "提醒什么？请在一句话里说完，例如“明天下午3点提醒我给银行打电话”。")
	case c.namesFigures(tail, r.reminder):
		r.unclaimed, r.hint = []string{strings.TrimSpace(text)}, c.pick("A reminder only repeats words. For figures say “every Monday at 9:00 send me last week's sales”.", "提醒只会重复文字。要数据就说“每周一早上9点把上周的销售额发给我”。")
	case r.schedule.IsZero() && r.whenAsk == "":
		r.whenAsk = c.pick("When shall I remind you?", "什么时候提醒您？")
	}
	return true
}

// take is settle for a reminder.
func (c reader) take(r *reading, text string, t timing) {
	c.settle(r, text, t)
	if t.SkipHolidays {
		known := false
		if r.schedule, known = c.lessHolidays(r.schedule); !known {
			r.unclaimed = append(r.unclaimed, holidaysIn(text))
		}
	}
}

// namesFigures says whether a reminder is of figures, which its words would not
// have: "remind me of last week's sales". To check them is a task.
func (c reader) namesFigures(tail, what string) bool {
	tokens := c.scan(what, nil)
	if len(tokens) == 0 || !hasToken(tokens, measure) || hasToken(tokens, unknown, send) {
		return false
	}
	if ascii(what) {
		return told.MatchString(tail)
	}
	return tokens[0].kind != filler
}

// timed reads a stretch that can hold little but a time, and returns what else is
// in it.
func (c reader) timed(text string) (timing, string) {
	const verb = "remind " // so that figures in the task do not make it a question
	t := timing{Reading: phrase.Read(verb+text, c.now, c.loc, c.lang)}
	for _, s := range t.Spans {
		s.Start, s.End = s.Start-len(verb), s.End-len(verb)
		if s.Start >= 0 && s.Start < s.End && s.End <= len(text) && saysTime(text[s.Start:s.End]) {
			t.spans = append(t.spans, s)
		}
	}
	if len(t.spans) == 0 {
		t.Kind = phrase.None
	}
	return t, without(text, t.spans)
}

// timeOfTask finds the time in what stands behind "remind me": before the task, or
// at one of its ends. A time inside the task ("the Friday meeting") is the task's.
func (c reader) timeOfTask(tail string, r *reading) {
	for _, join := range []string{" to ", ": ", " that ", " about ", " of "} {
		before, what, ok := strings.Cut(tail, join)
		if !ok {
			continue
		}
		if t, rest := c.timed(before); t.Kind != phrase.None && timePad.MatchString(rest) {
			r.reminder = task(what)
			c.take(r, tail, t)
			return
		}
	}
	t, _ := c.timed(tail)
	r.reminder = task(tail)
	if len(t.spans) == 0 {
		return
	}
	first, last := t.spans[0], t.spans[len(t.spans)-1]
	leads, ends := task(tail[:first.Start]) == "", task(tail[last.End:]) == ""
	if leads == ends && len(t.spans) > 1 {
		return // "tomorrow … at 9", or both in the middle: asked about
	}
	switch {
	case leads:
		r.reminder, t = task(tail[first.End:]), c.alone(tail[:first.End])
	case ends:
		r.reminder, t = atOn.ReplaceAllString(task(tail[:last.Start]), ""), c.alone(tail[last.Start:])
	default:
		return
	}
	c.take(r, tail, t)
}

// alone reads one stretch without what stands beside it.
func (c reader) alone(text string) timing {
	t, _ := c.timed(text)
	return t
}

var atOn = regexp.MustCompile(`(?i)\s(?:at|on|in|by)$|[，,]?在$`)

// task is what is to be remembered, without what joins it to the rest.
func task(s string) string {
	for {
		cut := taskTail.ReplaceAllString(taskLead.ReplaceAllString(s, ""), "")
		if cut == s {
			return s
		}
		s = cut
	}
}

// keptReminder is the request of the job that reminds.
func (c reader) keptReminder(what string) string { return c.pick("remind me: ", "提醒我：") + what }

// sayReminder is what is said at its time.
func (c reader) sayReminder(what string) string {
	return c.pick("Reminder: "+what+".", "提醒您："+what+"。")
}
