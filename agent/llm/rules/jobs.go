package rules

import (
	"slices"
	"strings"
)

// listsJobs says whether a clause asks what is scheduled.
func (p *parser) listsJobs(c clause) bool {
	if c.has(pause, resume, remove, when, send, measure, jobID, unknown) {
		return false
	}
	return c.has(job) || p.asksSchedule(c)
}

// asksSchedule says whether a clause is "what is the schedule?" and no more.
func (p *parser) asksSchedule(c clause) bool {
	found := false
	for _, t := range c.tokens {
		switch t.kind {
		case again:
			if !strings.EqualFold(p.text[t.start:t.end], "schedule") {
				return false
			}
			found = true
		case filler, asking, polite, toMe, here:
		default:
			return false
		}
	}
	return found
}

// namesJob says whether a clause is about a job that is named in words of its
// owner, which the lexicon need not know: the tool finds it or says that it does
// not. It must say that it means a job.
func (p *parser) namesJob(c clause) bool {
	return c.has(pause, resume, remove) && p.saysJob(c) && !c.has(jobID)
}

// saysJob says whether a clause has a word for a job in it: beside "cancel", the
// schedule is one.
func (p *parser) saysJob(c clause) bool {
	return c.has(job) || slices.ContainsFunc(c.tokens, func(t token) bool {
		return t.kind == again && strings.EqualFold(p.text[t.start:t.end], "schedule")
	})
}

// job claims a clause about what is scheduled.
func (p *parser) job(c clause) bool {
	r := p.reading
	if p.listsJobs(c) {
		r.ops = append(r.ops, op{"schedule_list", map[string]any{}})
		return true
	}
	action := ""
	for _, t := range c.tokens {
		switch t.kind {
		case pause:
			action = "pause"
		case resume:
			action = "resume"
		case remove:
			action = "delete"
		}
	}
	switch {
	case action == "" && len(c.tokens) > 0 && c.has(jobID):
		p.giveUp(c)
		return true
	case action == "":
		return false
	case c.has(send, channel, instead), c.has(everything) && !c.has(jobID):
		// Of "all my schedules" only one could be meant by a call.
		p.giveUp(c)
		return true
	}
	which := p.jobWords(c)
	switch {
	case which == "it" && p.oneOfMany(c):
		which = ""
	case which == "it" && p.reader.job != "":
		which = p.reader.job
	case which == "it" && !p.jobs:
		if !p.saysJob(c) && !onlyVerbAndPronoun(c) {
			p.giveUp(c)
			return true
		}
		which = ""
		r.vague = !p.saysJob(c) && (action == "delete" || action == "pause") && !c.has(pronoun)
	case !p.saysJob(c) && !c.has(jobID, report, when) && which != "it":
		// "delete last month's sales": data, not a job.
		p.giveUp(c)
		return true
	}
	r.ops = append(r.ops, op{scheduleChange, map[string]any{"job": which, "action": action}})
	for _, t := range c.tokens {
		if t.kind == when {
			p.named++
		}
	}
	return true
}

// oneOfMany says whether a clause speaks of a job without saying which: "a
// schedule", 一个定时任务.
func (p *parser) oneOfMany(c clause) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool {
		switch strings.ToLower(strings.TrimSpace(p.text[t.start:t.end])) {
		case "a", "an", "one", "some", "any", "一个", "某个", "一些", "个":
			return true
		}
		return false
	})
}

func onlyVerbAndPronoun(c clause) bool {
	for _, t := range c.tokens {
		switch t.kind {
		case filler, pause, resume, remove, pronoun, polite, toMe:
		default:
			return false
		}
	}
	return true
}

// jobWords returns how the clause names the job: its id, its words, or "it".
func (p *parser) jobWords(c clause) string {
	from, to := -1, -1
	for i, t := range c.tokens {
		switch t.kind {
		case jobID:
			return t.name
		case measure, dimension, value, period, report, unknown, chart, when, trend, by:
			if from < 0 {
				from = i
			}
			to = i
		case channel:
			return t.name
		}
	}
	if from < 0 {
		return "it"
	}
	return strings.TrimSpace(p.text[c.tokens[from].start:c.tokens[to].end])
}
