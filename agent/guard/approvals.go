package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/agent/run"
)

// Who may decide, besides persons (platform:workspace:user) and groups of a platform
// (GroupMark and then platform:workspace:group).
const (
	Requester = "requester" // who asked for it
	Admins    = "admins"
	GroupMark = "group:"
)

// An Approval says who decides on the calls that it fits. The first that fits a call
// counts for it, and nothing else does.
type Approval struct {
	Name string // for people
	// Tools and Channels are globs, of which one must fit: of the tool's name, and of
	// the channel (slack:T1:C1, or #sales) on which it acts. None fits all; a call that
	// acts on no channel fits no Channels.
	Tools, Channels []string
	Where           []Match  // all must hold
	By              []string // who may decide; nobody else does, admins neither
	Others          bool     // not who asked, whatever By says: the two-person rule
	Quorum          int      // how many must say yes; 0 is 1
	// After is how long it is asked of By alone; then also of To. 0: for ever.
	After time.Duration
	To    []string
}

// A Match is what one argument must be; of a list one element is enough. What cannot
// be compared holds: the rule that somebody has written is the stricter one.
type Match struct {
	Arg   string // name of an argument, as it is approved
	Is    string // it is equal to this, if this is not empty
	Like  string // it fits this glob
	Above *float64
}

// A Delegate decides for somebody who is away.
type Delegate struct {
	Of, To      string    // persons
	From, Until time.Time // up to, but without, Until
}

// stands reports whether it counts at a time.
func (x Delegate) stands(at time.Time) bool { return !at.Before(x.From) && at.Before(x.Until) }

// approval returns the place of the first Approval that fits a call; -1 if none does.
func (d Deciders) approval(c run.Planned) int {
	return slices.IndexFunc(d.Approvals, func(a Approval) bool { return a.fits(c) })
}

func (a Approval) fits(c run.Planned) bool {
	if len(a.Tools) > 0 && !fitsOne(a.Tools, c.Name) {
		return false
	}
	if len(a.Channels) > 0 && !fitsOne(a.Channels, channel(c.To)) && !fitsOne(a.Channels, c.ToName) {
		return false
	}
	if len(a.Where) == 0 {
		return true
	}
	var args map[string]any
	exact := json.NewDecoder(bytes.NewReader(c.Args))
	exact.UseNumber()
	if exact.Decode(&args) != nil {
		return true
	}
	return !slices.ContainsFunc(a.Where, func(m Match) bool { return !m.holds(args[m.Arg]) })
}

// channel is a place as a configuration names it: platform:workspace:channel.
func channel(place string) string {
	f := strings.SplitN(place, "/", 4)
	if len(f) < 3 {
		return ""
	}
	for i := range f {
		plain, err := url.PathUnescape(f[i])
		if err != nil {
			return ""
		}
		f[i] = plain
	}
	return strings.Join(f[:3], ":")
}

// holds compares a value of JSON; nil is one that is not there.
func (m Match) holds(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, m.holds)
	case map[string]any:
		return true
	case nil:
		return m.Above != nil // the tool has its own, and nobody knows which
	case json.Number:
		return m.says(v.String())
	case bool:
		return m.says(strconv.FormatBool(v))
	default:
		return m.says(fmt.Sprint(v))
	}
}

func (m Match) says(text string) bool {
	if m.Above != nil {
		n, known := number(text)
		return !known || n > *m.Above
	}
	if m.Like != "" {
		return fitsOne([]string{m.Like}, text)
	}
	return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(m.Is))
}

// number reads a number that is written as a text. One with a comma is none: 1,500 is
// more than a thousand here and less than two there.
func number(s string) (float64, bool) {
	var n float64
	err := json.Unmarshal([]byte(strings.TrimSpace(s)), &n)
	return n, err == nil
}

// slash is no sign of its own in a glob: a * goes over it.
var slash = strings.NewReplacer("/", "\x1f")

func fitsOne(globs []string, s string) bool {
	s = slash.Replace(strings.ToLower(s))
	return s != "" && slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(slash.Replace(strings.ToLower(g)), s)
		return ok || err != nil // one that is broken is the stricter for it
	})
}
