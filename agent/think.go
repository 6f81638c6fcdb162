package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/agent/decision"
	"hermes/agent/guard"
	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/result"
	"hermes/agent/run"
)

// think has the model say the next thing.
func (a *Agent) think(ctx context.Context, r run.Run) (run.Run, error) {
	m, err := a.Models.pick(r)
	if err != nil && a.Models.none() {
		a.Log.Warn("run cannot go on: the model that began it is configured no more", "run", r.Key, "model", r.Model)
		r = a.end(r, guard.Verdict{Guard: "model", State: run.Suspended, Why: run.Misset}, "")
		r.Outcome.Stuck, r.Outcome.Detail = "", "model.provider"
		return r, nil
	}
	if err != nil {
		a.Log.Warn("run cannot go on", "run", r.Key, "model", r.Model, "err", err)
		return a.end(r, guard.Verdict{Guard: "model", State: run.Suspended, Why: run.ModelGone}, ""), nil
	}
	if m.Rules && r.Instead == "" {
		r.Instead = a.Models.instead()
	}
	began := a.Now()
	req, err := a.request(ctx, r, m)
	if err != nil {
		return r, err
	}
	switch over, err := a.overdrawn(ctx, r, m, req, closingCost(r, m, req)); {
	case err != nil:
		return r, err
	case over != nil:
		return a.spentUp(ctx, r, *over)
	}
	asked := a.Now()
	within, cancel := a.within(ctx, r)
	defer cancel()
	req.Stream = a.drafts(r, m)
	reply, err := m.Model.Generate(within, req)
	if !errors.Is(context.Cause(ctx), errStopped) {
		a.live.says(r.Key, "") // a Run that is stopped ends with it
	}
	switch {
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		// The time of the whole task is over; the guard says so at the next move.
		a.Log.Warn("model was cut off at the end of the task's time", "run", r.Key, "model", m.Model.Name())
		r.Model = m.Model.Name() // it was at work
		return r, nil
	case errors.Is(err, llm.ErrEmpty):
		reply.Message = llm.Message{Role: llm.Assistant}
	case err != nil:
		return a.gone(ctx, r, m, err)
	}
	a.Models.well(m)
	r.Model, reply.Model = m.Model.Name(), m.Model.Name()
	step := a.read(reply, m, req.Tools)
	step.Began, step.At, step.Took = asked.Sub(began), asked, a.Now().Sub(asked)
	r = r.WithStep(step)
	r = dropped(r)
	if r.Light && step.Fault == "" && len(step.Reply.Message.Calls) == 0 {
		// Small talk ends in the save that it begins with; other words could have
		// been stopped meanwhile.
		return a.finish(ctx, r, step.Reply.Message.Text)
	}
	return r, nil
}

// within bounds a move by what is left of the task's time.
func (a *Agent) within(ctx context.Context, r run.Run) (context.Context, context.CancelFunc) {
	limit := a.cfg.Profiles.For(r.Request).Time
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(0, limit-r.Worked))
}

// read is a step of what a model wrote. What cannot be read is told to the model as
// a Fault, and counts as a round like any other.
func (a *Agent) read(reply llm.Reply, m Member, tools []llm.Tool) run.Step {
	step := run.Step{Reply: reply, Form: string(m.Form)}
	if m.Rules {
		return step
	}
	opts := a.reading(m)
	for _, t := range tools {
		opts.Tools = append(opts.Tools, t.Name)
	}
	opts.Called = reply.Called && opts.Native && len(tools) > 0
	said := reply.Message
	d, err := decision.Read(said, opts)
	if err == nil && d.Form == decision.Text {
		d.Result, err = spoken(d.Result)
	}
	if err != nil {
		step.Reply.Message = llm.Message{Role: llm.Assistant, Text: decision.Brief(said.Text)}
		step.Raw, step.Fault = said.Text, decision.Repair(err, m.Form)
		return step
	}
	step.Form, step.Finished, step.Scraped = string(d.Form), d.Finished, d.Scraped
	if kept := guard.MostCalls + 1; len(d.Calls) > kept {
		// The first that is too many says so; the others would only be read again.
		step.Left, d.Calls = len(d.Calls)-kept, slices.Clip(d.Calls[:kept])
	}
	a.meant(d.Calls)
	step.Reply.Message = llm.Message{Role: llm.Assistant, Text: d.Result, Calls: d.Calls, Thought: said.Thought}
	if len(d.Calls) > 0 && d.Result == "" {
		why := d.Thought
		if d.Intent != "" {
			why = "# intent: " + d.Intent
		}
		step.Reply.Message.Text = decision.Brief(why)
	}
	if said.Text != step.Reply.Message.Text {
		step.Raw = said.Text
	}
	return step
}

// reading is how a model is read.
func (a *Agent) reading(m Member) decision.Options {
	opts := a.cfg.Reading
	opts.Tools = slices.Clip(opts.Tools)
	opts.Model = m.Model.Name()
	opts.Native = m.Form == "" || m.Form == decision.Native
	return opts
}

// spoken is an answer in words. A model that has learned to write JSON puts its answer
// into some; what holds none is told to it.
func spoken(text string) (string, error) {
	var all map[string]any
	switch err := json.Unmarshal([]byte(text), &all); {
	case err != nil && wreck(text):
		return "", &decision.UnreadableError{Why: "it is broken JSON without an answer in it"}
	case err != nil && !slices.Contains([]string{"[]", "null", `""`}, strings.TrimSpace(text)):
		return text, nil // words
	case len(all) == 1:
		for _, key := range []string{"answer", "result", "final_answer", "response", "text", "message", "content"} {
			if said, ok := all[key].(string); ok && strings.TrimSpace(said) != "" {
				return said, nil
			}
		}
		return text, nil
	case len(all) == 0:
		return "", &decision.UnreadableError{Why: "it is JSON without an answer in it"}
	}
	return text, nil
}

// wreck reports whether a text begins as JSON does and holds mostly its signs.
func wreck(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	signs := 0
	for _, c := range text {
		if strings.ContainsRune("{}[]:,\"\\ \n\t", c) {
			signs++
		}
	}
	return 2*signs > utf8.RuneCountInString(text)
}

// dropped leaves out the calls of a reply that says of itself that it is the last,
// if all of them only look once more at what is known: the answer is there.
func dropped(r run.Run) run.Run {
	last, _ := r.Last()
	said := last.Reply.Message
	if !last.Finished || said.Text == "" || len(said.Calls) == 0 {
		return r
	}
	for _, c := range said.Calls {
		if _, known := r.Ran(c); !known {
			return r
		}
	}
	return r.Note(func(s *run.Step) { s.Reply.Message.Calls = nil })
}

// gone says what becomes of a Run whose model has failed: another takes over if one
// can; else what has begun waits for a person to press Continue.
func (a *Agent) gone(ctx context.Context, r run.Run, m Member, cause error) (run.Run, error) {
	if ctx.Err() != nil {
		return r, fmt.Errorf("generate step %d: %w", len(r.Steps)+1, cause)
	}
	if errors.Is(cause, llm.ErrTooLong) && r.Short < prompt.Levels {
		r.Short++
		a.Log.Warn("model found the run too long; less is told", "run", r.Key, "model", m.Model.Name(), "level", r.Short)
		return r, nil
	}
	next, over := a.Models.failed(m, r, cause)
	a.Log.Warn("model failed", "run", r.Key, "model", m.Model.Name(), "step", len(r.Steps)+1, "taken_over", over, "err", cause, "hint", hint(cause))
	switch {
	case over:
		r.Model = next.Model.Name()
		if next.Rules {
			r.Instead = reasonOf(cause)
		}
		return r, nil
	case len(r.Steps) > 0, errors.Is(cause, llm.ErrTooLong):
		detail := ""
		switch {
		case errors.Is(cause, llm.ErrRejected):
			detail = "model.api_key, model.name"
		case errors.Is(cause, llm.ErrUnfit):
			detail = "model.name, model.base_url"
		}
		r = a.end(r, guard.Verdict{Guard: "model", State: run.Suspended, Why: reasonOf(cause)}, "")
		r.Outcome.Stuck, r.Outcome.Detail = "", detail
		return r, nil
	default:
		return r, fmt.Errorf("generate step %d: %w", len(r.Steps)+1, worth(cause))
	}
}

// hint tells an operator what to look at.
func hint(err error) string {
	switch {
	case errors.Is(err, llm.ErrRejected), errors.Is(err, llm.ErrUnfit):
		return "check model.api_key, model.name and model.base_url; `hermes check` asks the model once"
	case errors.Is(err, llm.ErrTooLong):
		return "the model's window is too small for the work; a model with a larger one, or fewer tools"
	default:
		return "it is asked again after a while"
	}
}

// request is what the model is told.
func (a *Agent) request(ctx context.Context, r run.Run, m Member) (llm.Request, error) {
	req := llm.Request{Messages: r.Transcript(), Scene: llm.Scene{
		Run: r.Key, Asker: r.Asker, Home: r.Home, Profile: r.Profile, Lang: r.Lang, Now: r.Now, Zone: r.Zone,
		From: r.Period.From, To: r.Period.To,
	}}
	if !r.Light {
		req.Scene.Facts = a.recall(ctx, r.Request)
		beside(&req.Scene, r.Request)
	}
	if m.Rules {
		if !r.NoTools {
			req.Tools = told(a.specs(ctx, r), r)
		}
		return req, nil
	}
	if !r.NoTools {
		req.Tools = a.tools(ctx, r)
	}
	low := a.cfg.Profiles.For(r.Request).Warn(r, a.cfg.WarnAt)
	system, err := a.system(req.Scene, prompt.About{Light: r.Light, Job: r.Job != "", Rehearse: r.Rehearse, Low: low && len(r.Steps) > 0})
	if err != nil {
		return req, err
	}
	req.System, req.Fixed = system, prompt.Fixed(system)
	req.Messages = urged(r, fenced(r, req.Messages))
	if !r.Light {
		req.Messages = slices.Insert(req.Messages, len(r.Turns), prompt.Beside(r.Request)...)
	}
	req.Messages = a.upgraded(result.Pair(result.Collapse(req.Messages)))
	req.Messages = prompt.Shorten(req.Messages, result.Clean(r.Text), r.Short)
	if m.Form != "" && m.Form != decision.Native {
		req = decision.Plain(req, m.Form)
	}
	return req, nil
}

// urged is what the model reads of a Run, with a word after a round that has brought
// nothing new: to go on in the same way would be the next one.
func urged(r run.Run, m []llm.Message) []llm.Message {
	last, ok := r.Last()
	if !ok || len(last.Results) == 0 || last.Gained() || last.Closing {
		return m
	}
	results := slices.Clone(m[len(m)-1].Results)
	if len(results) == 0 {
		return m
	}
	note := &results[len(results)-1].Note
	*note = strings.TrimSpace(*note + "\n⟦nothing new came of this round: change the plan, or answer with what there is⟧")
	m[len(m)-1].Results = results
	return m
}

// upgraded has the calls of old steps in the words of today's tools.
func (a *Agent) upgraded(messages []llm.Message) []llm.Message {
	for i, m := range messages {
		for j, c := range m.Calls {
			t := a.Tools.Lookup(c.Name)
			if t == nil {
				continue
			}
			spec := t.Spec()
			if args, changed := spec.Upgrade(c.Args); changed || spec.Name != c.Name {
				calls := append([]llm.Call(nil), m.Calls...)
				calls[j].Name, calls[j].Args = spec.Name, args
				messages[i].Calls, m.Calls = calls, calls
				a.Log.Info("arguments of an old call are told by their new names", "tool", c.Name, "call", c.ID)
			}
		}
	}
	return messages
}

// close ends a Run at a guard: the model is asked once more for what is known,
// without tools, and what has not run will not.
func (a *Agent) close(ctx context.Context, r run.Run, v guard.Verdict) (run.Run, error) {
	for _, c := range r.OpenCalls() {
		r = r.With(unrun(c, run.Ended, "not run: "+reasons[v.Why]))
	}
	text, err := "", error(nil)
	m, picked := a.Models.pick(r)
	if picked == nil && !m.Rules && r.Saved == nil && !(v.Why == run.Spent && len(r.Steps) == 0) {
		r, text, err = a.lastWords(ctx, r, m, v)
	}
	if err != nil {
		return r, err
	}
	if v.State == run.Done && v.Why == "" {
		r = a.reread(ctx, r)
	}
	o := a.objection(r, text)
	if v.State == run.Done && v.Why == "" {
		v = a.verdict(r, o, v)
	}
	return a.held(ctx, a.end(r, v, text), o)
}

// reasons say in a few words why a Run stops, for the model.
var reasons = map[run.Why]string{
	"":             "the answer was empty",
	run.TooLong:    "the most rounds are used",
	run.InCircle:   "the same call was made again and again",
	run.Stalled:    "the last rounds brought nothing new",
	run.Misfit:     "the last rounds held nothing that could be run",
	run.TimeUp:     "the time is over",
	run.OverBudget: "the budget is used",
	run.Spent:      "the budget is used",
}

// lastWords asks a model for the best answer that it can give. A model that fails
// here is done without, and is paid for all the same.
func (a *Agent) lastWords(ctx context.Context, r run.Run, m Member, v guard.Verdict) (run.Run, string, error) {
	began := a.Now()
	req, err := a.request(ctx, r, m)
	if err != nil {
		return r, "", err
	}
	ask, err := prompt.Closing(reasons[v.Why])
	if err != nil {
		return r, "", err
	}
	req.Tools = nil
	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: ask})
	if over, err := a.overdrawn(ctx, r, m, req, run.Amount{}); err != nil || over != nil {
		return r, "", err // what was found is told by rule
	}
	asked := a.Now()
	limit := a.cfg.Closing
	if v.Why == run.TimeUp {
		limit /= 4 // the time is over already
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reply, err := m.Model.Generate(within, req)
	if ctx.Err() != nil {
		return r, "", fmt.Errorf("closing call of %s: %w", r.Key, ctx.Err())
	}
	reply.Model = m.Model.Name()
	if err != nil {
		a.Log.Warn("no closing words", "run", r.Key, "model", m.Model.Name(), "err", err)
		reply.Message, reply.Usage = llm.Message{Role: llm.Assistant}, spent(req, reply, err)
		return r.WithStep(run.Step{
			Reply: reply, At: asked, Took: a.Now().Sub(asked), Closing: true, Began: asked.Sub(began), Fault: err.Error(),
		}), "", nil
	}
	raw := reply.Message.Text
	opts := a.reading(m)
	for _, s := range a.specs(ctx, r) {
		opts.Tools = append(opts.Tools, s.Name) // by which it shows that it wants to call one
	}
	d, err := decision.Read(llm.Message{Role: llm.Assistant, Text: raw}, opts)
	if err != nil || len(d.Calls) > 0 {
		d.Result = "" // it wants to go on; what was found is told by rule
	}
	text := strings.TrimSpace(d.Result)
	reply.Message = llm.Message{Role: llm.Assistant, Text: text}
	step := run.Step{
		Reply: reply, At: asked, Took: a.Now().Sub(asked), Closing: true, Began: asked.Sub(began), Form: string(decision.Text),
	}
	if raw != text {
		step.Raw = raw
	}
	return r.WithStep(step), text, nil
}

// spent is what a call that has failed has cost: what the model says, or about as much
// as it was told if it began to answer. What was turned away at the door cost nothing.
func spent(req llm.Request, reply llm.Reply, err error) llm.Usage {
	switch {
	case reply.Usage != llm.Usage{}:
	case errors.Is(err, llm.ErrSlow), errors.Is(err, llm.ErrGarbled), errors.Is(err, context.DeadlineExceeded):
		return llm.Estimate(req, llm.Reply{})
	}
	return reply.Usage
}

// worth adds to a model's error what another try is worth.
func worth(err error) error {
	switch {
	case errors.Is(err, llm.ErrBusy):
		return fmt.Errorf("%w: %w", run.ErrBusy, err)
	case errors.Is(err, llm.ErrRefused), errors.Is(err, llm.ErrRejected), errors.Is(err, llm.ErrUnfit):
		return fmt.Errorf("%w: %w", run.ErrRefused, err)
	default:
		return err
	}
}
