package run

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// OpenCalls returns the calls of the last step that have no result yet.
func (r Run) OpenCalls() []llm.Call {
	if len(r.Steps) == 0 {
		return nil
	}
	last := r.Steps[len(r.Steps)-1]
	return slices.DeleteFunc(slices.Clone(last.Reply.Message.Calls), func(c llm.Call) bool {
		return slices.ContainsFunc(last.Results, func(res Result) bool { return res.ID == c.ID })
	})
}

// Last returns the last step.
func (r Run) Last() (Step, bool) {
	if len(r.Steps) == 0 {
		return Step{}, false
	}
	return r.Steps[len(r.Steps)-1], true
}

// Ended reports whether nothing more will come of the Run by itself.
func (r Run) Ended() bool { return r.State == Suspended || r.State == Done || r.State == Failed }

// Idle reports whether a Run must wait for somebody, or has ended.
func (r Run) Idle() bool {
	switch r.State {
	case Working:
		return false
	case Waiting:
		return r.Open() && r.Stopped == ""
	case Delivering:
		return r.Sending.Receipt == nil
	case Suspended:
		return r.Resumed <= r.Resumes
	default:
		return true
	}
}

// Started returns the ID of the Write that has begun in the last step.
func (r Run) Started() string {
	if len(r.Steps) == 0 {
		return ""
	}
	return r.Steps[len(r.Steps)-1].Started
}

// Heard returns the Run with one more reply of the model, as WithStep does.
func (r Run) Heard(reply llm.Reply, at time.Time, took time.Duration) Run {
	return r.WithStep(Step{Reply: reply, At: at, Took: took})
}

// WithStep returns the Run with one more step. The calls of its reply keep their ids, by
// which a model knows them again; one without a fit id, or with one that the Run has
// seen, gets another.
func (r Run) WithStep(s Step) Run {
	calls := slices.Clone(s.Reply.Message.Calls)
	for i := range calls {
		// An id is part of the key of what the call does, so two never share one.
		for n := i + 1; !fitID(calls[i].ID) || r.called(calls[i].ID) || called(calls[:i], calls[i].ID); n++ {
			calls[i].ID = fmt.Sprintf("s%dc%d", len(r.Steps)+1, n)
		}
	}
	s.Reply.Message.Calls = calls
	steps := make([]Step, len(r.Steps)+1)
	steps[copy(steps, r.Steps)] = s
	r.Steps = steps
	return r
}

// called reports whether a call of the Run has that id.
func (r Run) called(id string) bool {
	for i := range r.Steps {
		if called(r.Steps[i].Reply.Message.Calls, id) {
			return true
		}
	}
	return false
}

func called(calls []llm.Call, id string) bool {
	return slices.ContainsFunc(calls, func(c llm.Call) bool { return c.ID == id })
}

// fitID reports whether an id looks like those of providers, and may stand in a key.
func fitID(id string) bool {
	return len(id) > 0 && len(id) <= 64 && !strings.ContainsFunc(id, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
	})
}

// Note returns the Run with more noted on its last step.
func (r Run) Note(more func(*Step)) Run {
	r.Steps = slices.Clone(r.Steps)
	more(&r.Steps[len(r.Steps)-1])
	return r
}

// Start returns the Run with the Write marked as begun. hash is that of what it does.
func (r Run) Start(callID, hash string) Run {
	return r.Note(func(s *Step) {
		s.Started = callID
		s.Did = append(slices.Clone(s.Did), Deed{callID, hash})
	})
}

// Did returns the result of the Write with that hash that this Run has done.
func (r Run) Did(hash string) (Result, bool) {
	for _, s := range slices.Backward(r.Steps) {
		for _, d := range s.Did {
			for _, res := range s.Results {
				if d.Hash == hash && res.ID == d.Call && !res.Failed && res.Unrun == "" {
					return res, true
				}
			}
		}
	}
	return Result{}, false
}

// TwinOf returns the call of the last step that stands on a card for another one too,
// since both come to the same.
func (r Run) TwinOf(callID string) (string, bool) {
	for _, q := range slices.Backward(r.Questions) {
		if q.Step != len(r.Steps) {
			continue
		}
		for _, c := range q.Calls {
			if slices.Contains(c.Twins, callID) {
				return c.ID, true
			}
		}
	}
	return "", false
}

// With returns the Run with more results in its last step. Those of one call after
// the first are not taken: each call has one result.
func (r Run) With(results ...Result) Run {
	steps := slices.Clone(r.Steps)
	last := &steps[len(steps)-1]
	last.Results = slices.Clone(last.Results)
	for _, res := range results {
		if !slices.ContainsFunc(last.Results, func(x Result) bool { return x.ID == res.ID }) {
			res.New = r.news(res)
			last.Results = append(last.Results, res)
		}
	}
	r.Steps = steps
	return r
}

// Ask returns the Run stopped at q.
func (r Run) Ask(q Question, expires time.Time) Run {
	q.ID = fmt.Sprintf("%s/q%d", r.Key, len(r.Questions)+1)
	q.Run, q.Home, q.Step, q.Asked, q.Lang = r.Key, r.Home, len(r.Steps), r.Asker, r.Lang
	q.Expires = expires
	if q.Grant != nil {
		g := *q.Grant
		g.ID, g.Question = "g"+TraceOf(q.ID), q.ID
		q.Grant = &g
	}
	q.Scopes = slices.Clone(q.Scopes)
	for i := range q.Scopes {
		q.Scopes[i].ID, q.Scopes[i].Question = "g"+TraceOf(fmt.Sprintf("%s/%d", q.ID, i+1)), q.ID
	}
	r.Questions = append(slices.Clone(r.Questions), q)
	r.State = Waiting
	shows := r.unseen()
	r.Outcome = Outcome{Key: q.ID, Question: &q, Asks: q.ID, State: Waiting, Shows: shows}
	r.Shown = slices.Concat(r.Shown, shows)
	return r
}

// Wait returns the Run stopped at a Question that it has asked before.
func (r Run) Wait(q Question) Run {
	r.State = Waiting
	r.Outcome = Outcome{Key: q.ID, Question: &q, Asks: q.ID, State: Waiting}
	return r
}

// unseen returns the artifacts that people should see and have not seen yet, the
// oldest first.
func (r Run) unseen() []string {
	var ids []string
	seen := map[string]bool{}
	for _, id := range r.Shown {
		seen[id] = true
	}
	for _, q := range r.Questions {
		for _, c := range q.Calls {
			// A card shows what it is about.
			seen[c.Artifact] = true
		}
	}
	for _, s := range r.Steps {
		for _, res := range s.Results {
			for _, id := range res.Shows {
				if !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// Open reports whether a Question of the Run has no Answer.
func (r Run) Open() bool {
	return slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Answer == nil })
}

// Asked returns the last Question about a call of the last step.
func (r Run) Asked(callID string) (Question, bool) {
	for _, q := range slices.Backward(r.Questions) {
		if q.Step == len(r.Steps) && slices.ContainsFunc(q.Calls, func(x Planned) bool { return x.ID == callID }) {
			return q, true
		}
	}
	return Question{}, false
}

// Send returns the Run stopped until the Post of a call has arrived. under is the
// question or grant that allows it; grant is set if a use of it is taken.
func (r Run) Send(callID string, p tool.Post, under, grant string) Run {
	key := fmt.Sprintf("%s/%s", r.Key, callID)
	r.Sending = &Post{Key: key, Run: r.Key, Home: r.Home, Call: callID, Under: under, Grant: grant, Post: p}
	r.State, r.Outcome = Delivering, Outcome{}
	return r
}

// Sent returns the Run at work again, with the Receipt as the result of the call.
func (r Run) Sent() Run {
	p := *r.Sending
	res := Result{Result: llm.Result{ID: p.Call}, Under: p.Under}
	var err error
	if res.Text, err = postedText(p, r.changedTo(p)); err != nil || p.Receipt.Failed != "" {
		res.Failed = true
	}
	r.Sending = nil
	return r.With(res).GoOn()
}

// GoOn returns the Run at work again.
func (r Run) GoOn() Run {
	r.State, r.Outcome = Working, Outcome{}
	return r
}

// Resume returns a suspended Run at work again, with as much of everything as it
// had at first.
func (r Run) Resume() Run {
	r.Resumes = r.Resumed
	r.From, r.Worked = len(r.Steps), 0
	return r.GoOn()
}

// Abandon returns a suspended Run at its end: nobody can let it go on any more. What
// its Outcome says stays said. press is by what it was given up.
func (r Run) Abandon(press string) Run {
	r = r.Take() // to what is still unheard nobody answers
	r.State, r.Abandoned = Done, press
	r.Outcome.State, r.Outcome.Why, r.Outcome.Guard = Done, Abandoned, "cancel"
	return r
}

// End returns the Run with its last words.
func (r Run) End(s State, text string, why Why) Run {
	key := r.Key + "/end"
	if r.Resumes > 0 {
		key += strconv.Itoa(r.Resumes)
	}
	r.State = s
	shows := r.unseen()
	r.Outcome = Outcome{Key: key, Text: text, Why: why, Shows: shows, State: s}
	r.Shown = slices.Concat(r.Shown, shows)
	return r
}

// ToolCall is c with who wants it and where.
func (r Run) ToolCall(c llm.Call) tool.Call {
	call := tool.Call{
		ID: r.Key + "/" + c.ID, Args: c.Args, Run: r.Key, Asker: r.Asker, Home: r.Home,
		Lang: r.Lang, Now: r.Now, Zone: r.Zone, Period: r.Period, Job: r.Job, Profile: r.Profile, Expect: r.Expect,
		Snapshot: fmt.Sprintf("%s/s%d", r.Trace(), len(r.Steps)),
	}
	if r.Again != nil {
		call.Revision, call.Replaces = r.Again.Revision, r.Again.Link
	}
	return r.Saved.call(call)
}

// Viewer is for whom tools are described.
func (r Run) Viewer() tool.Viewer {
	return tool.Viewer{Person: r.Asker, Home: r.Home, Lang: r.Lang, Profile: r.Profile, Unattended: r.Job != ""}
}

// Transcript is what the model reads.
func (r Run) Transcript() []llm.Message {
	var m []llm.Message
	for _, t := range r.Turns {
		m = append(m, llm.Message{Role: t.Role, Text: t.Text})
	}
	m = append(m, llm.Message{Role: llm.User, Text: r.Text})
	m = append(m, r.saidAfter(0)...)
	for i, s := range r.Steps {
		switch {
		case s.Closing && s.Fault != "": // nothing was said
		case s.Closing:
			m = append(m, s.Reply.Message, llm.Message{Role: llm.User, Text: "Go on from here."})
		case s.Fault != "":
			m = append(m, s.Reply.Message, llm.Message{Role: llm.User, Text: s.Fault})
		default:
			m = append(m, s.Reply.Message)
		}
		// In the order in which they were asked for, whichever came first.
		var results []llm.Result
		for _, res := range s.Pairs() {
			results = append(results, res.Result)
		}
		if len(results) > 0 {
			m = append(m, llm.Message{Role: llm.User, Results: results})
		}
		m = append(m, r.saidAfter(i+1)...)
	}
	return m
}

// Usage is what the Run has cost so far.
func (r Run) Usage() llm.Usage { return UsageOf(r.Steps) }

// UsageOf is what steps have cost.
func UsageOf(steps []Step) llm.Usage {
	var u llm.Usage
	for _, s := range steps {
		u = u.Add(s.Reply.Usage)
		for _, d := range s.Digests {
			u = u.Add(d.Usage)
		}
	}
	return u
}

// Option returns the option with that id.
func (q Question) Option(id string) (Option, bool) {
	for _, o := range q.Options {
		if o.ID == id {
			return o, true
		}
	}
	return Option{}, false
}

// Approved returns a call as it was approved: with resolved arguments, or those that
// came of what a person has changed. It reports false if it was not, and if what is
// stored is not what was hashed.
func (q Question) Approved(callID string) (llm.Call, bool) {
	if !q.allows(callID) {
		return llm.Call{}, false
	}
	return q.intact(callID)
}

// Altered reports whether a call was approved, and is not stored as it was then.
func (q Question) Altered(callID string) bool {
	if !q.allows(callID) {
		return false
	}
	_, ok := q.intact(callID)
	return !ok
}

// allows reports whether the answer approves a call.
func (q Question) allows(callID string) bool {
	if q.Answer == nil || q.Kind != Approve {
		return false
	}
	o, ok := q.Option(q.Answer.Choice)
	return ok && slices.Contains(o.Calls, callID)
}

// intact returns a call whose arguments are those that were hashed.
func (q Question) intact(callID string) (llm.Call, bool) {
	has := func(p Planned) bool { return p.ID == callID }
	i := slices.IndexFunc(q.Calls, has)
	if i < 0 || q.Forged {
		return llm.Call{}, false
	}
	p := q.Calls[i]
	if changed, ok := q.Answer.Args[callID]; ok {
		e := slices.IndexFunc(q.Answer.Edited, has)
		if e < 0 || q.Answer.Edited[e].Name != p.Name {
			return llm.Call{}, false
		}
		p = q.Answer.Edited[e]
		p.Args = changed
	}
	if hash, err := HashArgs(p.Name, p.Args); err != nil || hash != p.Hash {
		return llm.Call{}, false
	}
	return p.Call(), true
}

// Granted returns the Grant that stands since the Question was answered: the one that
// was proposed, or the Scope that was chosen. Whoever changed the arguments has
// approved them for this time alone: what was proposed was of others.
func (q Question) Granted() (Grant, bool) {
	if q.Answer == nil || len(q.Answer.Args) > 0 {
		return Grant{}, false
	}
	if q.Answer.Choice == Like {
		i := slices.IndexFunc(q.Scopes, func(g Grant) bool { return g.ID == q.Answer.Scope })
		if i < 0 {
			return Grant{}, false
		}
		g := q.Scopes[i]
		g.By = q.Answer.By
		return g, true
	}
	if o, ok := q.Option(q.Answer.Choice); !ok || !o.Grant || q.Grant == nil {
		return Grant{}, false
	}
	g := *q.Grant
	g.By = q.Answer.By
	return g, true
}

// Posted returns the places that the Run has posted to, each with its link, in
// order; and the last reason why a post has failed.
func (r Run) Posted() (links []Receipted, failure string) {
	for _, s := range r.Steps {
		for _, c := range s.Reply.Message.Calls {
			for _, res := range s.Results {
				if res.ID != c.ID || res.Under == "" {
					continue
				}
				if p, ok := readPosted(res.Text); ok && p.Posted {
					links = append(links, Receipted{p.To, p.Link})
				} else if ok {
					failure = p.Why
				}
			}
		}
	}
	return links, failure
}

// A Receipted is a place posted to, and where people see the post.
type Receipted struct{ To, Link string }
