package slack

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// job shows a schedule with what can be done about it.
func (d desk) job(j bot.JobView) []slack.Block {
	alone := bot.UserOf(j.Owner) != d.user && j.To == "" && private(j.Home) // its owner reads it alone
	if alone {
		j.Name = d.say("A schedule in somebody's direct messages", "某人私信中的定时任务")
	}
	lines := []string{"*" + strings.ReplaceAll(oneLineOf(j.Name, 150), "*", "") + "*"}
	when := oneLineOf(j.When, 200) + d.say(" (", "（") + escaped.Replace(j.Zone) + d.say(")", "）")
	if j.To != "" {
		when += " → " + oneLineOf(j.To, 90)
	}
	if bot.UserOf(j.Owner) != d.user {
		when += " · " + d.who(j.Owner)
	}
	lines = append(lines, when)
	state := d.jobState(j.State)
	if len(j.Next) > 0 {
		state += " · " + d.say("next on ", "下一次：") + date(j.Next[0], d.lang)
	}
	lines = append(lines, state)
	if j.To != "" && j.State != "ended" {
		lines = append(lines, d.allowed(j.Grant))
	}
	if len(j.Slots) > 0 {
		lines = append(lines, d.slot(j.Slots[0]))
	}
	out := []slack.Block{section(strings.Join(lines, "\n"))}
	if !d.plans {
		return out
	}
	var row []slack.BlockElement
	switch j.State {
	case "active":
		row = append(row, viewButton(actPause, j.ID, d.say("Pause", "暂停"), slack.StyleDefault))
	case "paused":
		row = append(row, viewButton(actResume, j.ID, d.say("Resume", "恢复"), slack.StyleDefault))
	}
	gone := viewButton(actDelete, j.ID, d.say("Delete", "删除"), slack.StyleDanger)
	gone.Confirm = slack.NewConfirmationBlockObject(
		plainText(d.say("Delete this schedule?", "删除这个定时任务？"), 100),
		plainText(d.say("“"+cut(j.Name, 150)+"” will not run again.", "“"+cut(j.Name, 150)+"”以后不会再执行。"), 300),
		plainText(d.say("Delete", "删除"), 30), plainText(d.say("Keep", "保留"), 30),
	).WithStyle(slack.StyleDanger)
	if !alone {
		row = append(row, viewButton(actEdit, j.ID, d.say("Edit", "修改"), slack.StyleDefault))
	}
	return append(out, slack.NewActionBlock("", append(row, gone)...))
}

// private reports whether nobody but one person sees a place.
func private(p bot.Place) bool {
	switch p.Platform {
	case platform:
		return p.Channel != "" && strings.Contains("DUW", p.Channel[:1])
	case "web":
		return strings.HasPrefix(p.Channel, "dm-")
	}
	return p.Platform != "" // a terminal has one person
}

// allowed says whether the posts of a schedule wait for somebody.
func (d desk) allowed(g *bot.GrantView) string {
	switch {
	case g == nil:
		return d.say("Each post waits for an approval", "每次发送都要先得到批准")
	case g.Once:
		return d.say("Its post is approved", "发送已得到批准")
	}
	until := date(g.Until.In(d.zone), d.lang)
	return d.say("Posts are approved until "+until+", "+d.counted(g.Left, "more time", ""), fmt.Sprintf("发送已批准到%s，还剩 %d 次", until, g.Left))
}

func (d desk) jobState(state string) string {
	switch state {
	case "active":
		return d.say("Active", "运行中")
	case "paused":
		return d.say("Paused", "已暂停")
	case "ended":
		return d.say("Over: it has no further times", "已结束：没有下一次了")
	default:
		return escaped.Replace(state)
	}
}

// slot says what became of the last time of a schedule.
func (d desk) slot(s bot.SlotView) string {
	said := map[string][2]string{
		"claimed":  {"is under way", "正在执行"},
		"ran":      {"done", "已完成"},
		"late":     {"done, but late", "已完成，但晚了"},
		"skipped":  {"skipped", "已跳过"},
		"deferred": {"deferred", "已推迟"},
		"missed":   {"missed, as I was not running", "错过了，我当时没有运行"},
		"blocked":  {"waits for a decision", "等待决定"},
		"failed":   {"failed", "失败"},
	}[s.State]
	outcome := d.say(said[0], said[1])
	if outcome == "" {
		outcome = escaped.Replace(s.State)
	}
	if s.Link != "" {
		outcome = linkTo(s.Link, outcome)
	}
	text := d.say("Last on ", "上一次：") + date(s.At, d.lang) + d.say(": ", "，") + outcome
	if s.Trace != "" {
		text += " · `" + s.Trace + "`"
	}
	return text
}

// run shows one piece of work, with a button that asks why it came out so.
func (d desk) run(r bot.RunView) []slack.Block {
	if bot.UserOf(r.Asker) != d.user && private(r.Home) {
		// What somebody has said to us alone is nobody else's, be they an admin.
		return []slack.Block{section(d.say("_A request in somebody's direct messages_", "_某人私信中的请求_") + "\n" +
			strings.Join([]string{d.status(r), since(r.Created, d.zone, d.lang), d.who(r.Asker)}, " · "))}
	}
	asked := oneLineOf(r.Text, 120)
	if asked == "" {
		asked = "…"
	}
	about := []string{d.status(r), since(r.Created, d.zone, d.lang)}
	if bot.UserOf(r.Asker) != d.user {
		about = append(about, d.who(r.Asker))
	}
	if r.Steps > 0 {
		about = append(about, d.counted(r.Steps, "step", "步"))
	}
	if n := r.In + r.Out; n > 0 {
		about = append(about, d.counted(n, "token", " tokens"))
	}
	about = append(about, "`"+r.Trace+"`")
	b := section(asked + "\n" + strings.Join(about, " · "))
	if act := chosen + "why:" + r.Key; len(act) <= actionLimit-numberRoom {
		b.Accessory = slack.NewAccessory(viewButton(act, "", d.say("Why?", "为什么？"), slack.StyleDefault))
	}
	return []slack.Block{b}
}

func (d desk) counted(n int, en, zh string) string {
	if d.lang == "zh" {
		return strconv.Itoa(n) + zh
	}
	if n != 1 {
		en += "s"
	}
	return strconv.Itoa(n) + " " + en
}

// status says how a run stands.
func (d desk) status(r bot.RunView) string {
	said := map[string][2]string{
		"working":           {"⏳ under way", "⏳ 进行中"},
		"awaiting_approval": {"✋ waits for an answer", "✋ 等待答复"},
		"done":              {"✓ done", "✓ 完成"},
		"partial":           {"◐ in part", "◐ 部分完成"},
		"suspended":         {"⏸ interrupted", "⏸ 中断"},
		"stalled":           {"⏸ came no further", "⏸ 没有进展"},
		"repeated":          {"⏸ went in circles", "⏸ 原地打转"},
		"timeout":           {"⏸ ran out of time", "⏸ 超时"},
		"budget_exceeded":   {"⏸ used up its budget", "⏸ 预算用完"},
		"config_blocked":    {"✗ something is set up wrong", "✗ 配置有误"},
		"cancelled":         {"■ stopped", "■ 已停止"},
		"failed":            {"✗ failed", "✗ 失败"},
	}[r.Status]
	if r.Status == "done" {
		// What the thread calls not done is not done here either.
		if short := r.Fate.Short(d.lang); short != "" {
			return "✗ " + escaped.Replace(short)
		}
	}
	if said[0] == "" {
		return escaped.Replace(r.Status)
	}
	return d.say(said[0], said[1])
}
