package bot

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"hermes/agent/run"
)

// Bounds of what is read again.
const (
	mostHeard      = 50      // messages
	mostHeardBytes = 8 << 10 // of all of them
	longestHeard   = 2 << 10
	laterRuns      = 50 // at the place, whose own messages are turns
)

// ofThread is how people ask about the thread itself: then all of it is read, however
// much of it was told before.
var ofThread = regexp.MustCompile(`(?i)\b(?:summari[sz]e|summary|sum up|recap|tl;?dr|catch (?:me|us) up|digest|what did (?:i|we|they) (?:miss|say|decide))\b.*\b(?:thread|conversation|discussion|chat|above|here|messages?|so far)\b|^\W*(?:(?:please|can you|could you)\s+)*(?:catch (?:me|us) up|tl;?dr|recap|summari[sz]e)\W*$|\b(?:they|everyone|everybody|people) (?:say|said|talk(?:ed|ing)?|discuss(?:ed|ing)?|decided?)\b|` +
	`(?:总结|概括|归纳|梳理|小结|回顾|汇总|整理).*(?:讨论|话题|线程|对话|聊天|聊的|说的|消息|帖子|上面|前面)|(?:上面|大家|他们|前面|这里|这个(?:话题|讨论)).*(?:说|聊|讨论|谈|决定)(?:了|过)?(?:些)?(?:什么|啥|哪些)|我错过了什么`)

// reread adds what others have said in the thread of a Message to a Request: all of it
// when the bot is first called there, later what came since it was last asked. A
// thread that cannot be read is told of only where the thread is what is asked about.
func (b *Bot) reread(ctx context.Context, it Item, m Message, req *run.Request) error {
	from, ok := b.Chats[m.Place.Platform].(Rereader)
	if !ok || m.Direct || m.Via == ByCommand || it.Place.Thread == "" || begins(m) {
		return nil
	}
	runs, err := b.Agent.Lately(ctx, req.Home, laterRuns)
	if err != nil {
		return fmt.Errorf("what was asked at %s: %w", req.Home, err)
	}
	whole, after := ofThread.MatchString(m.Text), ""
	told := map[string]bool{m.Key: true} // what is said to the bot is a turn
	for _, l := range it.Lines {
		told[l.Key] = true
	}
	for i, r := range runs {
		if r.Key == m.Key {
			return nil // it has begun, and goes by what it was told then
		}
		if i == 0 && !whole {
			after = r.Key
		}
		told[r.Key] = true
		for _, s := range r.Taken {
			told[s.Key] = true
		}
	}
	if m.About != nil {
		told[m.About.Key] = true
	}
	quotes, err := from.Reread(ctx, it.Place, after, m.Key, mostHeard)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.Log.Warn("thread not read", "place", it.Place, "message", m.Key, "err", err)
		req.Lost = whole
		return nil
	}
	quotes = slices.DeleteFunc(quotes, func(q Quote) bool { return told[q.Key] || q.Text == "" })
	req.Heard = append(heardOf(quotes), req.Heard...)
	return nil
}

// heardOf is as much of what was said as has room: the newest.
func heardOf(quotes []Quote) []run.Line {
	quotes = quotes[max(0, len(quotes)-mostHeard):]
	var lines []run.Line
	size := 0
	for _, q := range slices.Backward(quotes) {
		l := lineOf(q)
		if len(l.Text) > longestHeard {
			l.Text = l.Text[:start(l.Text, longestHeard)] + "…"
		}
		if size += len(l.Text) + len(l.Name); size > mostHeardBytes {
			break
		}
		lines = append(lines, l)
	}
	slices.Reverse(lines)
	return lines
}

// start is the last border of a character up to n.
func start(s string, n int) int {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// lineOf is a Quote as a Run keeps it.
func lineOf(q Quote) run.Line {
	return run.Line{From: q.From, Name: q.Name, Text: q.Text, Link: q.Link, At: q.At}
}
