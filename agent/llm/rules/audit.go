package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/agent/llm"
)

// auditTool says who decided what.
const auditTool = "audit_find"

// The words by which people ask who decided. What they ask about may be named, may be
// of a time and of a channel; anything more is no such question.
var (
	decidedEn = regexp.MustCompile(`(?i)^(?:hi\W+|hey\W+|please\s+|can you tell me\s+|could you tell me\s+|tell me\s+|do you know\s+|and\s+|so\W+)*who (?:has |had |was it (?:that )?)?(?:last |just |most recently )?(approved|allowed|confirmed|signed off(?: on)?|said yes to|decided(?: on)?|denied|declined|rejected|refused|said no to|pressed the button(?: for| on)?|tried)\b\s*(.*?)[\s?!.]*$`)
	decidedBy = regexp.MustCompile(`(?i)^(?:please\s+|and\s+|so\W+)*(?:by whom|who) (?:was|were) (.*?)\s*(approved|allowed|denied|declined|rejected)(?:\s+by)?[\s?!.]*$`)
	decidedZh = regexp.MustCompile(`^(?:请问|麻烦|告诉我|帮我查一下|查一下|那|那么)*[，,\s]*(?:(?P<what1>[^，。？?]*?)(?:是|都是|都)?(?:被|由)?谁(?:来)?(?P<what4>在[^，。？?]*?)?(?P<verb1>批准|同意|审批|通过|授权|批|拒绝|否决|点)(?:的|了|过)?(?P<what2>[^，。？?]*?)|(?P<what3>[^，。？?]*?)的?(?:审批人|批准人)(?:是|有)(?:谁|哪些人?))[？?。！!\s]*$`)

	// About what, when it is said.
	aboutPost  = regexp.MustCompile(`(?i)\b(?:posts?|reports?|messages?|answers?|publication|posting)\b|帖子|帖|报告|报表|月报|周报|日报|季报|年报|简报|消息|公告|通知|发布|发的|发到|推送`)
	aboutGrant = regexp.MustCompile(`(?i)\b(?:grants?|standing approvals?)\b|长期授权|授权`)
	aboutJob   = regexp.MustCompile(`(?i)\b(?:schedules?|jobs?|reminders?)\b|定时任务|日程|任务`)
	// The newest of them, whatever came before it.
	aboutLast = regexp.MustCompile(`(?i)\b(?:last|latest|newest|most recent(?:ly)?|previous|just(?: now)?)\b|上一?[个条份篇次回]|上[帖报]|最后|最近|最新|刚才|刚刚|方才|前一`)
	// What may stand there and says no more.
	plainly = regexp.MustCompile(`(?i)\b(?:the|a|an|that|this|these|those|it|them|last|latest|newest|most|recent|recently|previous|just|now|one|my|our|your|of|in|to|for|from|on|during|into|channel|was|were|which|you|made|sent|posted|published|here|all|any|card|request|action|change|thing|what|has|been|by|and|sales|monthly|weekly|daily)\b|'s|什么|哪些|这|那|个|条|份|篇|些|次|的|在|里|了|中|上|前|一|最后|最近|最新|刚才|刚刚|方才|它|我们|我|你|您|发|到|频道|申请|卡片|请求|所有|全部|并|月报|周报|日报|销售`)
)

// whoDecided is a question about who approved, denied or tried something.
func (w work) whoDecided(text string) (llm.Message, bool) {
	text = strings.TrimSpace(text)
	about, verb := "", ""
	switch {
	case decidedEn.MatchString(text):
		m := decidedEn.FindStringSubmatch(text)
		verb, about = m[1], m[2]
	case decidedBy.MatchString(text):
		m := decidedBy.FindStringSubmatch(text)
		about, verb = m[1], m[2]
	case decidedZh.MatchString(text):
		m := decidedZh.FindStringSubmatch(text)
		verb = m[decidedZh.SubexpIndex("verb1")]
		for _, name := range []string{"what1", "what2", "what3", "what4"} {
			about += m[decidedZh.SubexpIndex(name)] + " "
		}
	default:
		return llm.Message{}, false
	}
	if !w.has(auditTool) {
		return llm.Message{}, false
	}
	args, rest := w.auditArgs(about)
	args["what"] = auditKind(verb, about)
	newest := aboutLast.MatchString(rest) || lastlyEn.MatchString(text)
	if aboutLast.MatchString(rest) && lastOne.MatchString(rest) && args["what"] == "decision" && !saysNo.MatchString(verb) {
		args["what"] = "post" // the last one is something said, and no card
	}
	if strings.TrimSpace(strings.Trim(plainly.ReplaceAllString(rest, " "), " ,，、。?？")) != "" {
		return llm.Message{}, false // it asks for something that nobody here has read
	}
	w.steps = []step{{auditTool, args, 1}}
	if r, done := w.talk.result(1); done && !r.Failed && newest && args["channel"] == "here" && readDeeds(r.Text).none() {
		// Nothing was asked for in this conversation, so it is the last anywhere.
		args = copyOf(args)
		delete(args, "channel")
		w.steps = append(w.steps, step{auditTool, args, 2})
	}
	n := len(w.steps)
	r, done := w.talk.result(n)
	switch {
	case !done:
		return llm.Message{Calls: []llm.Call{call(stepID(n), auditTool, args)}}, true
	case r.Failed:
		return llm.Message{Text: w.sayFailed(r.Text)}, true
	}
	found := readDeeds(r.Text)
	if newest && len(found.Deeds) > 1 {
		found.Deeds = found.Deeds[:1] // the newest stands first
	}
	return llm.Message{Text: w.sayDeeds(found)}, true
}

// lastOne is what was said, by the word for one of it.
var lastOne = regexp.MustCompile(`(?i)^[^申卡请]*[条篇份则][^申卡请]*$|^\s*(?:the |that |our )?(?:(?:very )?last|latest|newest|most recent|previous) one\s*$`)

// lastlyEn asks for the newest with the verb.
var lastlyEn = regexp.MustCompile(`(?i)\bwho (?:has |had )?(?:last|just|most recently) `)

// auditArgs reads the time and the channel of what is asked about, and returns what is
// left of the words.
func (w work) auditArgs(about string) (args map[string]any, rest string) {
	args, rest = map[string]any{}, about
	for _, p := range w.periodsIn(about) {
		if args["period"] == nil && !p.Range.IsZero() {
			args["period"] = p.Range.String()
			rest = rest[:p.Span.Start] + strings.Repeat(" ", p.Span.End-p.Span.Start) + rest[p.Span.End:]
		}
	}
	if ch := channels.FindString(rest); ch != "" {
		args["channel"] = ch
		rest = strings.Replace(rest, ch, " ", 1)
	}
	if args["period"] == nil && args["channel"] == nil {
		args["channel"] = "here" // "it"
	}
	for _, p := range []*regexp.Regexp{aboutPost, aboutGrant, aboutJob} {
		rest = p.ReplaceAllString(rest, " ")
	}
	return args, rest
}

func auditKind(verb, about string) string {
	switch {
	case strings.EqualFold(verb, "tried"):
		return "refused"
	case aboutGrant.MatchString(about), verb == "授权":
		return "grant"
	case aboutPost.MatchString(about) && !saysNo.MatchString(verb):
		return "post"
	}
	return "decision"
}

var saysNo = regexp.MustCompile(`(?i)^(?:denied|declined|rejected|refused|said no to|拒绝|否决)$`)

// A deed is as the tool says it.
type deed struct {
	What, At, By, Allowed, When, Under, Tool, Title, Channel, Link, Asked, Hash, Choice string
	Grant                                                                               bool
}

// deeds are what the tool has found.
type deeds struct {
	Deeds  []deed
	Hidden int
}

// readDeeds reads what the tool says, which is nothing where it is none of that.
func readDeeds(said string) deeds {
	var found deeds
	if json.Unmarshal([]byte(said), &found) != nil {
		return deeds{}
	}
	return found
}

func (d deeds) none() bool { return len(d.Deeds) == 0 && d.Hidden == 0 }

// sayDeeds says who decided, when, about what, and under what.
func (w work) sayDeeds(found deeds) string {
	var lines []string
	for _, d := range found.Deeds {
		lines = append(lines, w.sayDeed(d))
	}
	if found.Hidden > 0 {
		lines = append(lines, w.pick(fmt.Sprintf("%d more I may tell only in a direct message.", found.Hidden), fmt.Sprintf("还有 %d 条只能在私信里告诉您。", found.Hidden)))
	}
	switch {
	case len(lines) == 0:
		return w.pick("The audit has nothing of that kind that I may tell you.", "审计记录里没有可以告诉您的这类内容。")
	case len(lines) == 1:
		return lines[0]
	}
	return w.pick("The audit says:", "审计记录：") + "\n- " + strings.Join(lines, "\n- ")
}

func (w work) sayDeed(d deed) string {
	what := w.deedName(d)
	by := d.By
	if d.What == "posted" || d.What == "write" {
		by = d.Allowed
	}
	var text string
	switch d.What {
	case "posted", "write":
		done := w.pick("posted", "发出")
		if d.What == "write" {
			done = w.pick("done", "执行")
		}
		switch {
		case by == "":
			text = w.pick(fmt.Sprintf("%s was %s on %s; the audit has no decision for it", what, done, w.moment(d.At)), fmt.Sprintf("%s于%s%s；审计记录里没有对应的决定", what, w.moment(d.At), done))
		case d.Grant:
			text = w.pick(fmt.Sprintf("%s approved %s: it was %s on %s under the standing approval %s of %s", by, what, done, w.moment(d.At), d.Under, w.moment(d.When)),
				fmt.Sprintf("%s批准了%s：%s%s，依据%s给出的长期授权 %s", by, what, w.moment(d.At), done, w.moment(d.When), d.Under))
		default:
			text = w.pick(fmt.Sprintf("%s approved %s on %s; it was %s on %s", by, what, w.moment(d.When), done, w.moment(d.At)), fmt.Sprintf("%s于%s批准了%s，%s%s", by, w.moment(d.When), what, w.moment(d.At), done))
		}
	case "expired":
		text = w.pick(fmt.Sprintf("Nobody decided about %s; the time was over on %s", what, w.moment(d.At)), fmt.Sprintf("没有人对%s作出决定，%s已过期", what, w.moment(d.At)))
	default:
		en, zh := deedVerb(d.What)
		if by == "" {
			by = w.pick("Hermes", "Hermes")
		}
		text = w.pick(fmt.Sprintf("%s %s %s on %s", by, en, what, w.moment(d.At)), fmt.Sprintf("%s于%s%s%s", by, w.moment(d.At), zh, what))
	}
	var more []string
	if d.Asked != "" && d.Asked != by {
		more = append(more, w.pick("asked for by "+d.Asked, "由"+d.Asked+"提出"))
	}
	if d.Under != "" && !d.Grant {
		more = append(more, w.pick("question ", "问题 ")+d.Under)
	}
	if d.Hash != "" {
		more = append(more, "`"+d.Hash+"`")
	}
	if len(more) > 0 {
		text += w.pick(" (", "（") + strings.Join(more, w.pick(", ", "，")) + w.pick(")", "）")
	}
	return text + w.pick(".", "。")
}

// deedName is what it was done to.
func (w work) deedName(d deed) string {
	name := "**" + plainWords(d.Title, 60) + "**"
	if d.Title == "" {
		name = strings.ReplaceAll(d.Tool, ",", " + ")
	}
	if name == "" {
		name = w.pick("a question", "一个问题")
	}
	switch {
	case d.Link != "" && d.Channel != "":
		return name + w.pick(" in ", "（") + "[" + d.Channel + "](" + d.Link + ")" + w.pick("", "）")
	case d.Channel != "":
		return name + w.pick(" in "+d.Channel, "（"+d.Channel+"）")
	}
	return name
}

func deedVerb(what string) (en, zh string) {
	switch what {
	case "approved":
		return "approved", "批准了"
	case "denied":
		return "denied", "拒绝了"
	case "called off":
		return "called off", "取消了"
	case "granted":
		return "gave a standing approval for", "长期授权了"
	case "grant used":
		return "used a standing approval for", "使用了长期授权："
	case "grant over":
		return "saw the end of a standing approval for", "到期结束了长期授权："
	case "revoked":
		return "revoked a standing approval for", "撤销了长期授权："
	case "refused":
		return "tried, and was refused,", "尝试但被拒绝："
	}
	return what + ":", what + "："
}

// moment says a time of RFC 3339.
func (c reader) moment(rfc string) string {
	t, err := time.Parse(time.RFC3339, rfc)
	if err != nil {
		return rfc
	}
	t = t.In(c.loc)
	if c.lang == "zh" {
		return t.Format("2006年1月2日 15:04")
	}
	return t.Format("2 January 2006, 15:04")
}
