package rules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// lastWords say what came of a plan: what was done, what was not, and why. What a
// report shows is shown beside them and is not said again.
func (w work) lastWords() string {
	var parts []string
	say := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	failed, back := false, false
	for i, s := range w.steps {
		r, done := w.talk.result(i + 1)
		if !done {
			continue
		}
		if who, what, ok := changes(r.Text); ok && r.Failed {
			if !back {
				say(w.sayWanted(who, what))
			}
			back = true
			continue
		}
		switch s.name {
		case queryMetric, makeReport:
			if r.Failed {
				if !failed {
					say(w.sayFailed(r.Text))
				}
				failed = true
			}
		case postMessage:
			say(w.sayPosted(s, r.Text, r.Failed))
		case scheduleAdd:
			say(w.sayScheduled(r.Text, r.Failed))
		default:
			say(w.sayOp(s, r.Text, r.Failed))
		}
	}
	if w.reading.wants() && !failed {
		if figures := w.sayFigures(); figures != "" {
			parts = append([]string{figures}, parts...)
		}
	}
	if len(parts) == 0 {
		return w.pick("Done.", "完成。")
	}
	return strings.Join(parts, "\n\n")
}

// sayFailed hands on what a tool said, and that nothing came of it.
func (w work) sayFailed(said string) string {
	if who, ok := refusal(said); ok {
		return w.pick("Not done: "+who+" said no.", "没有做："+who+"没有同意。")
	}
	return w.pick("That did not work: ", "没有成功：") + sentence(said)
}

// changes reads who wants a call otherwise, and how.
func changes(said string) (who, what string, ok bool) {
	rest, found := strings.CutPrefix(said, "not run: ")
	who, what, ok = strings.Cut(rest, " asks for changes: ")
	return who, unquoted(what), found && ok
}

// sayWanted hands on what somebody wants otherwise. What it is takes words that are read
// as a request is.
func (w work) sayWanted(who, what string) string {
	return w.pick("Not done yet: "+who+" asks for changes: “"+what+"”. Ask me again with them, and I prepare it anew.",
		"还没有做："+who+"要求修改：“"+what+"”。请按这个重新说一遍，我再准备。")
}

// unquoted is a text without the marks that it was put between.
func unquoted(s string) string {
	if plain, err := strconv.Unquote(s); err == nil {
		return strings.Join(strings.Fields(plain), " ")
	}
	return s
}

// refusal reads who denied a call.
func refusal(said string) (who string, ok bool) {
	if rest, found := strings.CutPrefix(said, "denied"); found {
		rest = strings.TrimLeft(rest, ": ")
		rest = strings.TrimPrefix(rest, "by ")
		rest, _, _ = strings.Cut(rest, ":")
		rest, _, _ = strings.Cut(rest, " approved ")
		return strings.TrimSpace(rest), true
	}
	return "", false
}

// note is what somebody wrote beside a no.
func note(said string) string {
	rest, found := strings.CutPrefix(said, "denied by ")
	if !found {
		return ""
	}
	_, why, _ := strings.Cut(rest, ":")
	return unquoted(strings.TrimSpace(why))
}

func sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:399]) + "…"
	}
	switch last, _ := utf8.DecodeLastRuneInString(s); {
	case s == "", strings.ContainsRune(".!?。！？…", last):
	case unicode.Is(unicode.Han, last), strings.ContainsRune("”）", last):
		s += "。"
	default:
		s += "."
	}
	return s
}

func (w work) sayPosted(s step, said string, failed bool) string {
	channel, _ := s.args["channel"].(string)
	var p struct {
		Link, Why, Channel string
		Rehearsed          bool
	}
	if json.Unmarshal([]byte(said), &p) != nil {
		p.Link = ""
	}
	channel = cmp.Or(p.Channel, channel) // who approved it may have changed it
	if failed {
		who, denied := refusal(said)
		switch {
		case denied && who == "":
			return w.pick("Not posted: it was not approved.", "没有发送：没有得到批准。")
		case denied:
			text := w.pick("Not posted: "+who+" said no.", "没有发送："+who+"没有同意。")
			if why := note(said); why != "" {
				text += " " + w.pick("Reason: ", "理由：") + sentence(why)
			}
			return text
		case strings.HasPrefix(said, "expired"):
			return w.pick("Not posted: nobody answered in time.", "没有发送：没有人及时答复。")
		}
		said = cmp.Or(p.Why, said)
		return w.pick("Not posted to "+channel+": ", "没有发到 "+channel+"：") + sentence(said)
	}
	switch {
	case p.Rehearsed:
		return w.pick("Rehearsal: it would be posted to "+channel+"; nothing was posted.", "演练：会发到 "+channel+"，这次没有发送。")
	case p.Link != "":
		to := "[" + channel + "](" + p.Link + ")"
		return w.pick("Posted to "+to+".", "已发到 "+to+"。")
	}
	return w.pick("Posted to "+channel+".", "已发到 "+channel+"。")
}

// A planned is what the tools of the schedule say of a job.
type planned struct {
	Job, Name, Say, Zone, Channel, State string
	About                                string
	Next                                 []string
	GrantUntil                           string `json:"grant_until"`
	Rehearsed                            bool
}

func (w work) sayScheduled(said string, failed bool) string {
	if failed {
		posted := false
		for i, s := range w.steps {
			r, done := w.talk.result(i + 1)
			posted = posted || s.name == postMessage && done && !r.Failed
		}
		who, denied := refusal(said)
		switch {
		case denied && posted:
			return w.pick("Posted once; nothing is scheduled.", "只发这一次，没有设置定时任务。")
		case denied && w.denied(postMessage):
			return w.pick("Nothing is scheduled either.", "也没有设置定时任务。")
		case denied && who != "":
			return w.pick("Nothing is scheduled: "+who+" said no.", "没有设置定时任务："+who+"没有同意。")
		case denied:
			return w.pick("Nothing is scheduled: it was not approved.", "没有设置定时任务：没有得到批准。")
		case strings.HasPrefix(said, "expired"):
			return w.pick("Nothing is scheduled: nobody answered in time.", "没有设置定时任务：没有人及时答复。")
		}
		return w.pick("Nothing is scheduled: ", "没有设置定时任务：") + sentence(said)
	}
	var p planned
	if json.Unmarshal([]byte(said), &p) != nil || p.Job == "" {
		return w.pick("Scheduled.", "已设置定时任务。")
	}
	var b strings.Builder
	words := p.Say
	if words == "" {
		words = w.sayTimes(w.reading.schedule)
	}
	once := w.reading.schedule.Once() && len(p.Next) == 1
	if once {
		words = w.pick("once, on ", "只做一次，") + w.date(p.Next[0], p.Zone)
	}
	if w.lang == "zh" {
		fmt.Fprintf(&b, "已设置定时任务 %s：%s（%s）。", p.Job, words, p.Zone)
	} else {
		fmt.Fprintf(&b, "Scheduled as %s: %s (%s).", p.Job, words, p.Zone)
	}
	if len(p.Next) > 0 && !once {
		b.WriteString(w.pick(" Next:", "接下来："))
		for _, n := range p.Next {
			b.WriteString("\n- " + w.date(n, p.Zone))
		}
		b.WriteString("\n\n")
	} else {
		b.WriteString(w.pick(" ", ""))
	}
	if p.About != "" {
		b.WriteString(p.About + w.pick(". ", "。"))
	}
	if w.reading.whenNote != "" {
		b.WriteString(w.reading.whenNote + w.pick(" ", ""))
	}
	if until, err := time.Parse(time.RFC3339, p.GrantUntil); err == nil {
		b.WriteString(w.pick("Approved until "+until.Format("2 January 2006")+". ", "批准有效期至"+until.Format("2006年1月2日")+"。"))
	}
	fmt.Fprintf(&b, w.pick("To pause it, say: pause %s. To end it, say: delete %s.", "要暂停就说：暂停 %s；要取消就说：删除 %s。"), p.Job, p.Job)
	return b.String()
}

// denied says whether a step of that name was denied.
func (w work) denied(name string) bool {
	for i, s := range w.steps {
		if r, done := w.talk.result(i + 1); done && s.name == name && r.Failed {
			if _, ok := refusal(r.Text); ok {
				return true
			}
		}
	}
	return false
}

// sayTimes says a schedule back.
func (c reader) sayTimes(s calendar.Schedule) string { return phrase.Say(s, c.lang) }

// date says a time of RFC 3339 with its day of the week, in the job's zone.
func (c reader) date(rfc, zone string) string {
	t, err := time.Parse(time.RFC3339, rfc)
	if err != nil {
		return rfc
	}
	if loc, err := time.LoadLocation(zone); err == nil && zone != "" {
		t = t.In(loc)
	}
	if c.lang == "zh" {
		return t.Format("2006年1月2日") + "（周" + string([]rune("日一二三四五六")[t.Weekday()]) + "）" + t.Format("15:04")
	}
	return t.Format("Mon 2 January 2006, 15:04")
}

// sayOp says what came of a call for the memory or a schedule. The tools of the
// memory already speak to the person.
func (w work) sayOp(s step, said string, failed bool) string {
	who, denied := refusal(said)
	switch {
	case failed && denied && who != "":
		return w.pick("Not done: "+who+" said no.", "没有做："+who+"没有同意。")
	case failed && denied:
		return w.pick("Not done: it was not approved.", "没有做：没有得到批准。")
	case failed && strings.HasPrefix(said, "expired"):
		return w.pick("Not done: nobody answered in time.", "没有做：没有人及时答复。")
	case failed && (s.name == "memory_forget" || s.name == "remember"):
		return sentence(said)
	case failed && (s.name == scheduleChange || s.name == scheduleSet):
		which, _ := s.args["job"].(string)
		several := strings.Contains(said, "could be any of") || strings.Contains(said, "可能是其中任何一个")
		switch {
		case strings.Contains(said, "no schedules here"), strings.Contains(said, "这里没有定时任务"):
			return w.pick("Nothing is scheduled here.", "这里没有定时任务。")
		case jobPattern.MatchString(which) && (several || strings.Contains(said, "there is no schedule")):
			return w.pick("There is no schedule "+which+" here. Say “show my schedules” to see which there are.", "这里没有定时任务 "+which+"。说“有哪些定时任务”可以查看。")
		case several:
			return w.pick("Nothing was done: ", "没有做：") + sentence(said)
		}
		return sentence(said)
	case failed:
		return w.sayFailed(said)
	}
	switch s.name {
	case reportSave:
		return w.saySaved(said)
	case reportGone:
		return w.sayGone(said)
	case reportList:
		return w.sayReports(said)
	case "schedule_list":
		return w.sayJobs(said)
	case scheduleChange:
		return w.sayJob(s.args["action"], said)
	case scheduleSet:
		return w.saySet(s.args, said)
	case scheduleEdit:
		return w.sayEdited(said)
	case "memory_list":
		return w.sayFacts(s, said)
	}
	return said
}

// sayJob says what an action has made of a job.
func (w work) sayJob(action any, said string) string {
	var p planned
	if json.Unmarshal([]byte(said), &p) != nil || p.Job == "" {
		return said
	}
	called := p.Job
	if p.Name != "" {
		called += w.pick(" (“"+p.Name+"”)", "（“"+p.Name+"”）")
	}
	switch action {
	case "pause":
		return w.pick(fmt.Sprintf("Paused: %s. To go on, say: resume %s.", called, p.Job), fmt.Sprintf("已暂停：%s。要恢复就说：恢复 %s。", called, p.Job))
	case "delete":
		return w.pick("Deleted: "+called+". It will not run again.", "已删除："+called+"，以后不会再执行。")
	}
	text := w.pick("Resumed: "+called+".", "已恢复："+called+"。")
	if len(p.Next) > 0 {
		text += w.pick(" Next: ", "下一次：") + w.date(p.Next[0], p.Zone) + w.pick(" ("+p.Zone+").", "（"+p.Zone+"）。")
	}
	return text
}

func (w work) sayJobs(said string) string {
	var list struct{ Jobs []planned }
	if json.Unmarshal([]byte(said), &list) != nil {
		return said
	}
	if len(list.Jobs) == 0 {
		return w.pick("Nothing is scheduled here.", "这里没有定时任务。")
	}
	var b strings.Builder
	b.WriteString(w.pick("Scheduled:", "定时任务："))
	for _, p := range list.Jobs {
		fmt.Fprintf(&b, "\n- **%s** %s: %s (%s)", p.Job, p.Name, p.Say, p.Zone)
		if p.Channel != "" {
			b.WriteString(w.pick(", to ", "，发到 ") + p.Channel)
		}
		switch {
		case p.State == "paused":
			b.WriteString(w.pick(", paused", "，已暂停"))
		case len(p.Next) > 0:
			b.WriteString(w.pick(", next ", "，下一次 ") + w.date(p.Next[0], p.Zone))
		}
	}
	b.WriteString(w.pick("\nSay “pause”, “resume” or “delete” with the id.", "\n说“暂停”“恢复”或“删除”加编号即可。"))
	return b.String()
}

func (w work) sayFacts(s step, said string) string {
	var lines []struct {
		Text, Said, Source, By, Status string
		InUse                          bool `json:"in_use"`
	}
	if json.Unmarshal([]byte(said), &lines) != nil {
		return said
	}
	if len(lines) == 0 && s.args["query"] == nil && s.args["about"] != "here" {
		return w.pick("I remember nothing about you yet.", "我还没有记住关于您的任何事。")
	}
	if len(lines) == 0 {
		return w.pick("I remember nothing about that.", "这方面我没有记住什么。")
	}
	var b strings.Builder
	b.WriteString(w.pick("What I remember:", "我记得的："))
	for _, l := range lines {
		b.WriteString("\n- " + l.Text)
		var from []string
		for _, s := range []string{l.Said, l.By, l.Source} {
			switch {
			case s == "" || s == l.Source && !strings.Contains(s, "://") && !strings.HasPrefix(s, "/"):
				// A place without a link says nothing to people.
			case s == l.Source:
				from = append(from, w.pick("[where]("+s+")", "[原话]("+s+")"))
			default:
				from = append(from, s)
			}
		}
		if len(from) > 0 {
			b.WriteString(w.pick(" ("+strings.Join(from, ", ")+")", "（"+strings.Join(from, "，")+"）"))
		}
		if l.Status == "disputed" {
			if l.InUse {
				b.WriteString(w.pick(" — unsettled, in use for now", "——有分歧，暂按这条"))
			} else {
				b.WriteString(w.pick(" — unsettled", "——有分歧"))
			}
		}
	}
	return b.String()
}
