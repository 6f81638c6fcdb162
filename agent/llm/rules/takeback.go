package rules

import (
	"encoding/json"
	"regexp"
	"strings"

	"hermes/agent/llm"
)

// takeBackTool takes back or corrects what the bot has posted.
const takeBackTool = "take_back"

// The words by which people want a post taken back or corrected. "Delete that" means
// a schedule where one was spoken of last.
var (
	backEn = regexp.MustCompile(`(?i)^(?:oops\W+|sorry\W+|no\W+|wait\W+)*(?:please\s+|can you\s+|could you\s+)*(?:take (?:that|it|this|the (?:last )?(?:post|message|report|answer)|your (?:last )?(?:post|message|report|answer)) back|take back (?:that|it|this|(?:the|your) (?:last )?(?:post|message|report|answer)|what you (?:just )?(?:said|posted|wrote))|(?:delete|remove|retract|unsend|withdraw|pull|unpost|recall)(?: back)? (?:that|it|this|that one|(?:the|your|that|this) (?:last )?(?:post|message|report|answer|reply)|what you (?:just )?(?:said|posted|wrote)))(?:\s+(?:in|from|on)\s+(#[\p{L}\p{N}_-]+))?(?:\s+(<?https?://[^\s>]+>?))?(?:\s+(?:again|please|now))*[\s.!]*$`)
	backZh = regexp.MustCompile(`^(?:请|麻烦|帮我|快|你)*(?:(?:撤回|撤销|收回|撤掉|删除|删掉|删了)(?:一下|掉)?(?:你)?(?:刚才|刚刚|上一?条|上面|那|这|最后|#[\p{L}\p{N}_-]+里?)?(?:发|说)?(?:的|了)?(?:那|这)?(?:条|个|份|一条)?(?:消息|帖子|回答|报告|话|内容)?|把(?:你)?(?:刚才|刚刚|上一?条|上面|那|这|最后)?(?:在)?\s*(#[\p{L}\p{N}_-]+)?\s*(?:里)?(?:发|说)?(?:的|了)?(?:那|这)?(?:条|个|份|一条)?(?:消息|帖子|回答|报告|话|内容)?(?:给)?(?:删|撤|收|删除|撤回|撤销|收回)(?:掉|了|回来|回去|回)*)(?:吧|了|一下|\s+<?https?://\S+)?[。！!\s]*$`)
	fixEn  = regexp.MustCompile(`(?is)^(?:please\s+|can you\s+|could you\s+)*(?:correct|change|edit|replace|fix) (?:that|it|(?:the|your|that|this) (?:last )?(?:post|message|report|answer|reply)|what you (?:just )?(?:said|posted|wrote))(?:\s+(?:in|on)\s+(#[\p{L}\p{N}_-]+))?(?:\s+(?:to say|to|with))?\s*[:：]\s*(.+)$`)
	fixZh  = regexp.MustCompile(`(?s)^(?:请|麻烦|帮我)*把(?:你)?(?:刚才|刚刚|上一?条|那|这|最后)?(?:发|说)?(?:的)?(?:那|这)?(?:条|个|份|一条)?(?:消息|帖子|回答|报告|话)?(?:改成|改为|更正为|换成)\s*[:：]\s*(.+)$`)

	bareBack = regexp.MustCompile(`(?i)^\W*(?:please\s+)?(?:delete|remove|pull) (?:it|that|this)\W*$|^(?:请)?删(?:除|掉|了)(?:吧)?[。！!]*$`)
	links    = regexp.MustCompile(`https?://[^\s>|]+`)
	channels = regexp.MustCompile(`#[\p{L}\p{N}_-]+`)
)

// takeBack is a wish to take back or to correct a post of the bot's.
func (w work) takeBack(text string) (llm.Message, bool) {
	text = strings.TrimSpace(text)
	args := map[string]any{}
	switch m := fixEn.FindStringSubmatch(text); {
	case m != nil:
		args["text"] = strings.TrimSpace(m[2])
		if m[1] != "" {
			args["post"] = m[1]
		}
	case fixZh.MatchString(text):
		args["text"] = strings.TrimSpace(fixZh.FindStringSubmatch(text)[1])
	case bareBack.MatchString(text) && w.talk.job != "":
		return llm.Message{}, false
	case backEn.MatchString(text), backZh.MatchString(text):
		if link := links.FindString(text); link != "" {
			args["post"] = link
		} else if ch := channels.FindString(text); ch != "" {
			args["post"] = ch
		}
	default:
		return llm.Message{}, false
	}
	if !w.has(takeBackTool) {
		return llm.Message{}, false
	}
	w.steps = []step{{takeBackTool, args, 1}}
	if r, done := w.talk.result(1); done {
		return llm.Message{Text: w.sayBack(r.Text, r.Failed)}, true
	}
	return llm.Message{Calls: []llm.Call{call(stepID(1), takeBackTool, args)}}, true
}

// sayBack says what was asked for. Whether the platform does it nobody knows yet.
func (w work) sayBack(said string, failed bool) string {
	var p struct {
		Asked, First, Where string
		Rehearsed           bool
	}
	if failed {
		return w.sayFailed(said)
	}
	if json.Unmarshal([]byte(said), &p) == nil && p.Rehearsed {
		return w.pick("This was a rehearsal, so the post stands as it was.", "这只是演练，那条消息没有变。")
	}
	where := w.pick(around(p.Where, " in ", ""), p.Where)
	if p.Asked == "correction" {
		return w.pick("I have asked for my post"+where+" to be corrected where it stands. If that is refused, I say so here.",
			"已请求在原处更正我"+around(where, "在 ", " ")+"的消息。如果被拒绝，我会在这里说明。")
	}
	first := around(plainWords(p.First, 60), "“", "”")
	return w.pick("I have asked for my post"+where+" to be taken back"+around(first, ": ", "")+". If that is refused, I say so here.",
		"已请求撤回我"+around(where, "在 ", " ")+"的消息"+around(first, "：", "")+"。如果被拒绝，我会在这里说明。")
}

func around(s, open, shut string) string {
	if s == "" {
		return ""
	}
	return open + s + shut
}
