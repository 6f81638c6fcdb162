package guard

import (
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
)

// Rolls know who is where. What they cannot find out they answer with no.
type Rolls interface {
	// InGroup reports whether a person is in a group (platform:workspace:group).
	InGroup(group, person string) bool
	// InPlace reports whether a person is a member of the channel of a place.
	InPlace(place, person string) bool
}

// A Say is who decides on one option of a Question, at one time. It has a need for each
// Approval that its calls come under, and one for all that come under none: a yes runs
// once every need has its people.
type Say struct {
	needs []need
	asked string
	away  []Delegate // who stands in for somebody
	// Widens are when more people may decide, in order; those that have come are
	// among them.
	Widens []time.Time
}

// A need is one set of people, of whom so many must say yes.
type need struct {
	by     []string
	places []string // in which who asked must be a member, to be one of them as such
	others bool
	quorum int
}

// A Lack is how many more must say yes, and of whom.
type Lack struct {
	N      int
	People []string // persons and groups ("group:…")
}

// Say returns who decides on an option of a Question at a time; with an empty one on the
// whole of it: its first option or, as long as it has none, all its calls.
func (d Deciders) Say(q run.Question, option string, at time.Time) Say {
	s := Say{asked: q.Asked}
	if option == "" && len(q.Options) > 0 {
		option = q.Options[0].ID
	}
	if q.Kind != run.Approve {
		s.needs = []need{{by: []string{Requester}, quorum: 1}}
		return s
	}
	for _, x := range d.Delegates {
		if x.stands(at) {
			s.away = append(s.away, x)
		}
	}
	calls, lasts := covered(q, option)
	var rest []run.Planned
	var rules []int
	for _, c := range calls {
		rule := d.approval(c)
		if rule < 0 {
			rest = append(rest, c)
		} else if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
		// What a grant will let pass is decided on by those who would decide then. Its
		// arguments nobody knows, so all that they could be counts.
		later := run.Planned{Name: lasts, To: c.To, ToName: c.ToName}
		switch {
		case lasts == "", lasts != c.Name && c.Job == "":
			continue
		}
		if rule := d.approval(later); rule >= 0 && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	for _, i := range rules {
		s.add(d.Approvals[i], d.Admins, q.At, at)
	}
	if len(rest) > 0 || len(rules) == 0 {
		s.needs = append(s.needs, d.byDefault(rest, lasts != ""))
	}
	slices.SortFunc(s.Widens, time.Time.Compare)
	return s
}

// covered are the calls that an option lets run, and the tool for which a grant stands
// with it; empty for none. An option that lets none run is about all.
func covered(q run.Question, option string) (calls []run.Planned, lasts string) {
	o, ok := q.Option(option)
	if !ok || len(o.Calls) == 0 {
		return q.Calls, ""
	}
	for _, c := range q.Calls {
		if slices.Contains(o.Calls, c.ID) {
			calls = append(calls, c)
		}
	}
	switch {
	case o.Grant && q.Grant != nil:
		return calls, q.Grant.Tool
	case option == run.Like && len(q.Scopes) > 0:
		return calls, q.Scopes[0].Tool
	}
	return calls, ""
}

func (s *Say) add(a Approval, admins []string, asked, at time.Time) {
	by := named(a.By, admins)
	if a.After > 0 && !asked.IsZero() {
		widens := asked.Add(a.After)
		s.Widens = append(s.Widens, widens)
		if !at.Before(widens) {
			by = append(by, named(a.To, admins)...)
		}
	}
	s.needs = append(s.needs, need{by: by, others: a.Others, quorum: max(a.Quorum, 1)})
}

// named replaces admins by who they are.
func named(by, admins []string) []string {
	var out []string
	for _, b := range by {
		if b == Admins {
			out = append(out, admins...)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// byDefault is who decides on calls of which no Approval says it: on what is only the
// asker's, the asker; on what others will see, admins and approvers, and the asker too
// if nothing of it lasts or leaves the channels that the asker is a member of.
func (d Deciders) byDefault(calls []run.Planned, lasts bool) need {
	n := need{by: slices.Concat(d.Admins, d.Approvers), quorum: 1}
	own, may := len(calls) > 0, len(calls) > 0
	for _, c := range calls {
		member := c.Member && c.Job == "" && !lasts
		own, may = own && c.Own, may && (c.Own || member)
		if member && !c.Own {
			n.places = append(n.places, c.To)
		}
	}
	switch {
	case own:
		n.by = []string{Requester}
	case may:
		n.by = append(n.by, Requester)
	}
	return n
}

// May reports whether a person has a say: is one of those of whom some need is. nil
// Rolls know of nobody.
func (s Say) May(person string, in Rolls) bool {
	return slices.ContainsFunc(s.needs, func(n need) bool { return s.seat(n, person, in) != "" })
}

// seat is for whom a person decides in a need: for themselves, or for somebody who is
// away; empty if they do not.
func (s Say) seat(n need, person string, in Rolls) string {
	switch {
	case person == "":
		return ""
	case s.sits(n, person, in):
		return person
	case n.others && person == s.asked:
		return ""
	}
	for _, x := range s.away {
		// Who stands in for the asker is not somebody else.
		if x.To == person && s.sits(n, x.Of, in) {
			return x.Of
		}
	}
	return ""
}

func (s Say) sits(n need, person string, in Rolls) bool {
	if n.others && person == s.asked {
		return false
	}
	return slices.ContainsFunc(n.by, func(by string) bool {
		group, is := strings.CutPrefix(by, GroupMark)
		switch {
		case is:
			return in != nil && in.InGroup(group, person)
		case by == Requester:
			return person == s.asked && !slices.ContainsFunc(n.places, func(p string) bool { return in == nil || !in.InPlace(p, person) })
		}
		return by == person
	})
}

// Quorum is how many must say yes at least.
func (s Say) Quorum() int {
	most := 1
	for _, n := range s.needs {
		most = max(most, n.quorum)
	}
	return most
}

// People are the persons and groups ("group:…") who are asked, in the order of the
// configuration; who stands in for one of them comes after that one.
func (s Say) People() []string {
	var out []string
	for _, n := range s.needs {
		out = s.peopleOf(n, out)
	}
	return out
}

func (s Say) peopleOf(n need, out []string) []string {
	add := func(who string) {
		if who != "" && !(n.others && who == s.asked) && !slices.Contains(out, who) {
			out = append(out, who)
		}
	}
	for _, by := range n.by {
		if by == Requester {
			by = s.asked
		}
		add(by)
		for _, x := range s.away {
			if x.Of == by && !(n.others && by == s.asked) {
				add(x.To)
			}
		}
	}
	return out
}

// Left returns those of some yeses to one option that count, and what is lacking beside
// them at a time: nothing if they are enough. Each is judged by its own time, so that
// whoever stood in for somebody then has done so; who is not named any more does not
// count. Two who sit for one person are one.
func (d Deciders) Left(q run.Question, option string, yeses []run.Answer, now time.Time, in Rolls) (count []run.Answer, left []Lack) {
	say := d.Say(q, option, now)
	seats := make([]map[string]bool, len(say.needs))
	for i := range seats {
		seats[i] = map[string]bool{}
	}
	for _, x := range yeses {
		then, counts := d.Say(q, option, x.At), false
		for i, n := range then.needs { // the same needs, of other people
			if seat := then.seat(n, x.By, in); seat != "" {
				seats[i][seat], counts = true, true
			}
		}
		if counts {
			count = append(count, x)
		}
	}
	for i, n := range say.needs {
		if lacks := n.quorum - len(seats[i]); lacks > 0 {
			left = append(left, Lack{N: lacks, People: slices.DeleteFunc(say.peopleOf(n, nil), func(who string) bool { return seats[i][say.seat(n, who, in)] })})
		}
	}
	return count, left
}
