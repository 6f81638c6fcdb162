package playbook

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/agent/run"
)

// Written is the Form of a step in which a model has written the commentary, or has not
// been able to.
const Written = "commentary"

// A Call is one call of a round.
type Call struct {
	ID, Name string
	Args     json.RawMessage
}

// A Decision is what a run that has become a saved report does next: the Calls of one
// round, or the commentary, or its end.
type Decision struct {
	Calls []Call
	Write bool
	End   *End
}

// An End is how a saved report has ended.
type End struct {
	Failed string   // the step that has failed; empty: none
	Why    string   // of that, or of a post that has not gone out
	Broken []string // what its contract says against it; nothing was posted then
	Denied string   // who has said no to the post
	Wanted string   // what somebody wants changed before it is posted
	To     string   // the channel that it was posted to
	Link   string
	Dry    bool // it would have been posted
	Silent bool // a commentary is wanted, and no model has written one
}

// A progress is how far the last attempt has come.
type progress struct {
	attempt int
	over    bool              // it has failed, and somebody wants another
	called  map[string]bool   // by step
	made    map[string]string // artifact by step
	failed  string
	why     string
	written bool
	text    string
	verdict *Verdict
	post    *run.Result
	posted  string // arguments of the post
}

const (
	checkID = "check"
	postID  = "post"
)

var callForm = regexp.MustCompile(`^p(\d+)-(?:s-(.+)|(check|post))$`)

// progressOf reads how far a run has come. An attempt is over if a step of it has failed
// before the last Continue, or if a person wants it made anew.
func progressOf(r run.Run) progress {
	p := fresh(1)
	for i := r.Saved.From; i < len(r.Steps); i++ {
		s := r.Steps[i]
		if s.Form == Written {
			p.written, p.text = true, s.Reply.Message.Text
		}
		for _, c := range s.Reply.Message.Calls {
			m := callForm.FindStringSubmatch(c.ID)
			if m == nil {
				continue
			}
			var attempt int
			if _, err := fmt.Sscanf(m[1], "%d", &attempt); err != nil || attempt < p.attempt {
				continue
			}
			if attempt > p.attempt {
				p = fresh(attempt)
			}
			if m[2] != "" {
				p.called[m[2]] = true
			}
			for _, res := range s.Results {
				if res.ID == c.ID {
					p.take(m[2], m[3], string(c.Args), res, i < r.From)
				}
			}
		}
	}
	if p.over {
		p = fresh(p.attempt + 1)
	}
	return p
}

func fresh(attempt int) progress {
	return progress{attempt: attempt, called: map[string]bool{}, made: map[string]string{}}
}

// take takes in the result of a call. before says that somebody has pressed Continue
// since.
func (p *progress) take(step, other, args string, res run.Result, before bool) {
	switch {
	case other == postID:
		p.post, p.posted = &res, args
		p.over = p.over || res.Unrun == run.Remade
		return
	case res.Failed:
		p.over = p.over || before
		if p.failed == "" {
			p.failed, p.why = or(step, other), res.Text
		}
	case other == checkID:
		var v Verdict
		if err := json.Unmarshal([]byte(res.Text), &v); err != nil {
			p.failed, p.why = checkID, err.Error()
			return
		}
		p.verdict = &v
		p.over = p.over || before && !v.Met
	default:
		p.made[step] = ArtifactOf(res.Text)
	}
}

// ArtifactOf is the id of the artifact that a result names first of all; empty if it names
// none.
func ArtifactOf(text string) string {
	if m := artifactProperty.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

var artifactProperty = regexp.MustCompile(`"(?:report|table|artifact|id)"\s*:\s*"(a[0-9a-f]{12})"`)

// Next is what comes next of a run that has become the Playbook. It is told by what stands
// in the run alone. writes says that there is a model to write the commentary.
func (p Playbook) Next(r run.Run, loc *time.Location, writes bool) (Decision, error) {
	at := progressOf(r)
	t := Time{r.Saved.Period, loc, or(r.Saved.Lang, r.Lang)}
	id := func(part string) string { return fmt.Sprintf("p%d-%s", at.attempt, part) }
	if at.failed != "" {
		return Decision{End: &End{Failed: at.failed, Why: at.why}}, nil
	}
	last := p.Report()
	var calls []Call
	write := false
	for i, s := range p.Steps {
		if at.called[s.ID] || !ready(s, at.made) {
			continue
		}
		args := p.argsOf(s)
		if i == last && p.Commentary != nil && writes {
			if !at.written {
				write = true
				continue
			}
			args = withCommentary(args, at.text)
		}
		raw, err := p.filled(args, t, at.made)
		if err != nil {
			return Decision{}, fmt.Errorf("step %s of report %s: %w", s.ID, p.Name, err)
		}
		calls = append(calls, Call{id("s-" + s.ID), s.Tool, raw})
	}
	switch {
	case len(calls) > 0:
		return Decision{Calls: calls}, nil
	case write:
		return Decision{Write: true}, nil
	}
	for _, s := range p.Steps {
		if !at.called[s.ID] {
			return Decision{End: &End{Failed: s.ID, Why: "a step before it has made nothing that could be used"}}, nil
		}
	}
	if !p.Contract.Empty() && at.verdict == nil {
		raw, err := p.checking(at)
		return Decision{Calls: []Call{{id(checkID), CheckReport, raw}}}, err
	}
	var broken []string
	if at.verdict != nil {
		broken = at.verdict.Broken()
	}
	silent := p.Commentary != nil && strings.TrimSpace(at.text) == ""
	switch {
	case at.post != nil:
		end := endOf(at, r.Saved.Channel)
		end.Silent = silent
		return Decision{End: end}, nil
	case r.Saved.Test, r.Saved.Channel == "", last < 0, r.Rehearse && len(broken) > 0:
		return Decision{End: &End{Broken: broken, Silent: silent}}, nil
	}
	raw, err := json.Marshal(map[string]string{"report": at.made[p.Steps[last].ID], "channel": r.Saved.Channel})
	if err != nil {
		return Decision{}, fmt.Errorf("post of report %s: %w", p.Name, err)
	}
	return Decision{Calls: []Call{{id(postID), PostMessage, raw}}}, nil
}

// Broken is what the contract says against the report that a run is about to post.
func Broken(r run.Run) []string {
	if r.Saved == nil {
		return nil
	}
	if v := progressOf(r).verdict; v != nil {
		return v.Broken()
	}
	return nil
}

// ready reports whether all that a step refers to is made.
func ready(s Step, made map[string]string) bool {
	for _, ref := range refsOf(s.Args) {
		if id, _, ok := stepRef(ref); ok && made[id] == "" {
			return false
		}
	}
	return true
}

// withCommentary are the arguments of a report with what a model has written.
func withCommentary(args map[string]any, text string) map[string]any {
	if strings.TrimSpace(text) == "" {
		return args
	}
	out := map[string]any{}
	for k, v := range args {
		out[k] = v
	}
	// What stands between the marks of a reference is the model's, and none.
	out["commentary"] = strings.NewReplacer("{{", "{ {", "}}", "} }").Replace(text)
	return out
}

// A Checking is what report_check is asked.
type Checking struct {
	Contract Contract          `json:"contract"`
	Steps    map[string]string `json:"steps"` // artifact by step
	Report   string            `json:"report,omitempty"`
}

func (p Playbook) checking(at progress) (json.RawMessage, error) {
	c := Checking{Contract: p.Contract, Steps: at.made}
	if i := p.Report(); i >= 0 {
		c.Report = at.made[p.Steps[i].ID]
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("contract of report %s: %w", p.Name, err)
	}
	return raw, nil
}

// endOf is how a post has ended.
func endOf(at progress, channel string) *End {
	end := &End{To: channel}
	var said struct {
		Posted, Rehearsed bool
		Link, Why         string
		Channel           string
	}
	res := at.post
	if json.Unmarshal([]byte(res.Text), &said) == nil && said.Channel != "" {
		end.To = said.Channel // who approved it has changed it
	}
	switch {
	case said.Rehearsed:
		end.Dry = true
	case res.Denied != "":
		end.To, end.Denied = "", res.Denied
	case res.Unrun == run.SentBack:
		end.To, end.Wanted = "", res.Text
	case res.Failed:
		end.To, end.Why = "", or(said.Why, res.Text)
	default:
		end.Link = said.Link
	}
	return end
}

// StepOf is the step that a call of a saved report is, or what else it does; empty for a
// call of none.
func StepOf(callID string) string {
	m := callForm.FindStringSubmatch(callID)
	if m == nil {
		return ""
	}
	return or(m[2], m[3])
}

// ReadVerdict reads what report_check has said.
func ReadVerdict(text string) (*Verdict, error) {
	var v Verdict
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, fmt.Errorf("verdict on a report: %w", err)
	}
	return &v, nil
}
