package config

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Approvals say who may decide, where it is not for admins or for who asked.
type Approvals struct {
	// OfferAfter is after how many approvals of one kind by one person in a week the card
	// offers to allow more of the kind; 0: never.
	OfferAfter int            `mapstructure:"offer_after"`
	Rules      []ApprovalRule `mapstructure:"rules"` // the first that fits a call counts for it
	Delegates  []Delegate     `mapstructure:"delegates"`
}

// ApprovalRule is who decides on some calls.
type ApprovalRule struct {
	Name     string     `mapstructure:"name"`     // for people; empty: its place in the list
	Tools    []string   `mapstructure:"tools"`    // globs; none: all
	Channels []string   `mapstructure:"channels"` // globs of #sales or slack:T1:C1; none: all, and what is in none
	Where    []ArgMatch `mapstructure:"where"`    // all must hold
	By       []string   `mapstructure:"by"`       // persons, group:slack:T1:S1, requester, admins
	Others   bool       `mapstructure:"others"`   // never who asked
	Quorum   int        `mapstructure:"quorum"`   // 0: 1
	Escalate Escalation `mapstructure:"escalate"`
}

// ArgMatch is what an argument must be: one of the three is written.
type ArgMatch struct {
	Arg   string `mapstructure:"arg"`
	Is    string `mapstructure:"is"`
	Like  string `mapstructure:"like"`  // glob
	Above string `mapstructure:"above"` // number
}

// Escalation is who may decide as well, and how long after it was asked.
type Escalation struct {
	After time.Duration `mapstructure:"after"` // 0: never
	To    []string      `mapstructure:"to"`    // as ApprovalRule.By
}

// Delegate decides for a person who is away. From and Until are days, both counted in,
// or times such as 2026-12-20T18:00; in Config.Zone.
type Delegate struct {
	Of    string `mapstructure:"of"`
	To    string `mapstructure:"to"`
	From  string `mapstructure:"from"`
	Until string `mapstructure:"until"`
}

// Label is how a rule is called, i being its place in the list.
func (r ApprovalRule) Label(i int) string {
	if r.Name != "" {
		return r.Name
	}
	return fmt.Sprintf("rule %d", i+1)
}

// Number is Above, and false if there is none.
func (m ArgMatch) Number() (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(m.Above), 64)
	return n, err == nil && m.Above != ""
}

// Span is when a Delegate counts: from the one up to, but without, the other.
func (d Delegate) Span(zone *time.Location) (from, until time.Time, err error) {
	if from, _, err = moment(d.From, zone); err != nil {
		return from, until, err
	}
	until, day, err := moment(d.Until, zone)
	if day {
		until = until.AddDate(0, 0, 1)
	}
	return from, until, err
}

// moment reads a day or a time of a day, and says which.
func moment(s string, zone *time.Location) (at time.Time, day bool, err error) {
	if at, err = time.ParseInLocation(time.DateOnly, s, zone); err == nil {
		return at, true, nil
	}
	if at, err = time.Parse(time.RFC3339, s); err == nil {
		return at, false, nil
	}
	at, err = time.ParseInLocation("2006-01-02T15:04", s, zone)
	return at, false, err
}

const (
	deciderHint = "write persons (slack:T0123ABC:U0456DEF), groups (group:slack:T0123ABC:S0789), requester or admins"
	groupPrefix = "group:"
)

// channelGlob is a channel by its name or by its ids, with signs of a glob in it.
var channelGlob = regexp.MustCompile(`^(#\S+|[a-z*?\[\]]+:[^:\s]+:[^:\s]+)$`)

func (c *Config) approvalFaults(fault func(key, wrong, hint string)) {
	names := map[string]bool{}
	for i, r := range c.Approvals.Rules {
		key := fmt.Sprintf("approvals.rules[%d]", i)
		if r.Name != "" && (names[r.Name] || strings.TrimSpace(r.Name) != r.Name || strings.ContainsAny(r.Name, "\r\n")) {
			fault(key+".name", fmt.Sprintf("%q is there twice, or has space around it", r.Name), "give each rule a name of its own, or none")
		}
		names[r.Name] = true
		if above := slices.IndexFunc(c.Approvals.Rules[:i], ApprovalRule.fitsAll); above >= 0 {
			fault(key, fmt.Sprintf("it is never reached: %s before it fits everything", c.Approvals.Rules[above].Label(above)), "the first rule that fits counts; put the one for everything last")
		}
		r.faults(key, c, fault)
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		return // zone says it
	}
	for i, d := range c.Approvals.Delegates {
		d.faults(fmt.Sprintf("approvals.delegates[%d]", i), zone, fault)
	}
}

func (r ApprovalRule) fitsAll() bool {
	all := func(globs []string) bool { return len(globs) == 0 || slices.Contains(globs, "*") }
	return all(r.Tools) && len(r.Channels) == 0 && len(r.Where) == 0
}

func (r ApprovalRule) faults(key string, c *Config, fault func(key, wrong, hint string)) {
	globs(key+".tools", r.Tools, "a name of a tool such as post_message, or a glob such as schedule_*", nil, fault)
	globs(key+".channels", r.Channels, "#sales, slack:T0123ABC:C0456DEF or a glob of one of them", channelGlob, fault)
	if len(r.Where) > 0 && len(r.Tools) == 0 {
		fault(key+".where", "arguments mean something for a tool alone, and it names none", "write the tools under tools")
	}
	for i, m := range r.Where {
		m.faults(fmt.Sprintf("%s.where[%d]", key, i), fault)
	}
	if len(r.By) == 0 {
		fault(key+".by", "it names nobody, so nobody could decide", deciderHint)
	}
	deciders(key+".by", r.By, fault)
	deciders(key+".escalate.to", r.Escalate.To, fault)
	switch {
	case r.Escalate.After > 0 && len(r.Escalate.To) == 0:
		fault(key+".escalate.to", "it names nobody who may decide after "+inWords(r.Escalate.After), deciderHint)
	case r.Escalate.After == 0 && len(r.Escalate.To) > 0:
		fault(key+".escalate.after", "it does not say after which time", "write it with its unit, such as 4h")
	case r.Escalate.After > 0 && r.Escalate.After >= min(c.Agent.QuestionTTL, c.Agent.JobQuestion):
		// Nobody would ever be asked a second time, and nothing would say so.
		name, ttl := "agent.question_ttl", c.Agent.QuestionTTL
		if c.Agent.JobQuestion < ttl {
			name, ttl = "agent.job_question_ttl", c.Agent.JobQuestion
		}
		fault(key+".escalate.after", fmt.Sprintf("a question is over after %s (%s), before %s are", inWords(ttl), name, inWords(r.Escalate.After)), "write less than "+inWords(ttl)+" here, or more in "+name)
	}
	if len(r.By) == 0 {
		return
	}
	most, known := r.most(c)
	switch {
	case !known:
	case most == 0:
		fault(key+".others", "nobody could decide: who asked may not, and it names nobody else", "name others under by, or leave others out")
	case r.Quorum > most:
		fault(key+".quorum", fmt.Sprintf("it takes %d who say yes and names %d", r.Quorum, most), "name more people or a group, or write a smaller quorum")
	}
}

// most is how many could say yes to one question, and false if that is not known: a
// group has as many as it has.
func (r ApprovalRule) most(c *Config) (int, bool) {
	people := map[string]bool{}
	requester := 0
	for _, who := range slices.Concat(r.By, r.Escalate.To) {
		switch {
		case strings.HasPrefix(who, groupPrefix):
			return 0, false
		case who == "requester" && !r.Others:
			requester = 1
		case who == "requester":
		case who == "admins":
			if len(c.Admins) == 0 {
				return 0, false // the console's owner is one, and `hermes check` says that there are no others
			}
			for _, a := range c.Admins {
				people[a] = true
			}
		default:
			people[who] = true
		}
	}
	return len(people) + requester, true
}

// globs are lists of patterns of path.Match; shape is what one must look like, nil for
// anything.
func globs(key string, all []string, hint string, shape *regexp.Regexp, fault func(key, wrong, hint string)) {
	for i, g := range all {
		_, err := path.Match(g, "")
		if err != nil || strings.TrimSpace(g) != g || g == "" || shape != nil && !shape.MatchString(g) {
			fault(fmt.Sprintf("%s[%d]", key, i), fmt.Sprintf("%q fits nothing", g), "write "+hint)
		}
	}
}

func (m ArgMatch) faults(key string, fault func(key, wrong, hint string)) {
	if strings.TrimSpace(m.Arg) != m.Arg || m.Arg == "" {
		fault(key+".arg", fmt.Sprintf("%q is no argument", m.Arg), "`hermes tools NAME` shows those of a tool")
	}
	written := 0
	for _, s := range []string{m.Is, m.Like, m.Above} {
		if s != "" {
			written++
		}
	}
	if written != 1 {
		fault(key, fmt.Sprintf("it has %d of is, like and above", written), "write one of them: is: prod, like: \"*@example.com\" or above: 1000")
	}
	globs(key+".like", slices.DeleteFunc([]string{m.Like}, func(s string) bool { return s == "" }), "a glob such as \"*@example.com\"", nil, func(_, wrong, hint string) {
		fault(key+".like", wrong, hint)
	})
	if strings.TrimSpace(m.Is) != m.Is {
		fault(key+".is", "it has space around it", "write the value alone")
	}
	if _, ok := m.Number(); m.Above != "" && !ok {
		fault(key+".above", fmt.Sprintf("%q is not a number", m.Above), "write it such as 1000 or 0.5")
	}
}

// deciders are persons, groups and the two words.
func deciders(key string, all []string, fault func(key, wrong, hint string)) {
	seen := map[string]bool{}
	for i, who := range all {
		at := fmt.Sprintf("%s[%d]", key, i)
		name, isGroup := strings.CutPrefix(who, groupPrefix)
		switch {
		case seen[who]:
			fault(at, fmt.Sprintf("%q is there twice", who), "take one of them away")
		case who == "requester", who == "admins":
		case !person.MatchString(name) || named.MatchString(name):
			fault(at, fmt.Sprintf("%q is nobody", who), deciderHint)
		case isGroup && !strings.HasPrefix(name, "slack:"):
			fault(at, fmt.Sprintf("%q is on a platform that has no groups", who), "Slack alone has groups: group:slack:T0123ABC:S0789")
		}
		seen[who] = true
	}
}

func (d Delegate) faults(key string, zone *time.Location, fault func(key, wrong, hint string)) {
	for name, who := range map[string]string{key + ".of": d.Of, key + ".to": d.To} {
		if f, bad := personFault(name, who); bad || named.MatchString(who) {
			fault(name, f.Wrong, f.Hint)
		}
	}
	if d.Of == d.To && d.Of != "" {
		fault(key+".to", "nobody stands in for themselves", "name somebody else")
	}
	const hint = "write a day such as 2026-12-20, or a time such as 2026-12-20T18:00"
	from, _, err := moment(d.From, zone)
	if err != nil {
		fault(key+".from", fmt.Sprintf("%q is no day", d.From), hint)
	}
	if _, _, bad := moment(d.Until, zone); bad != nil {
		fault(key+".until", fmt.Sprintf("%q is no day", d.Until), hint)
		return
	}
	if _, until, bad := d.Span(zone); err == nil && bad == nil && !until.After(from) {
		fault(key+".until", fmt.Sprintf("%s is before %s", d.Until, d.From), "write the last day on which they are away")
	}
}
