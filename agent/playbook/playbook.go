// Package playbook is the saved report: the calls that make it, with a period for a
// variable, what must be true of it before others see it (its Contract), and where it
// goes. It has the noun, its YAML, how one is pinned from a run that has ended (Pin), and
// what comes next of one that runs (Next). It reads and writes nothing but text: who runs
// the calls, who approves and where reports are kept is decided elsewhere.
//
// What a newcomer would break: what runs is what was saved. A value that is neither in the
// text nor one of its variables does not get into a call, and all of the text that
// matters is in its Hash: a grant is bound to that.
package playbook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"hermes/internal/slip"
	"hermes/scheduler"
	"hermes/scheduler/calendar"
)

// The tools that a saved report knows by name.
const (
	MakeReport  = "make_report"
	PostMessage = "post_message"
	QueryMetric = "query_metric"
	CheckReport = "report_check"
)

// A Playbook is one saved report.
type Playbook struct {
	Name  string // what it is called for ever: letters and digits of any script, small, with dashes
	Title Label
	Words []string // other names by which people know it, in any language
	Lang  string   // "en" or "zh": the language it is written in; empty: that of who runs it
	// Period is the unit that it is about: day, week, month, quarter or year. Empty: it
	// is about none, and has no variables of time.
	Period     calendar.Unit
	Steps      []Step
	Commentary *Commentary // nil: no model writes anything
	Contract   Contract
	// Formats is the kind of file that goes with it ("xlsx", "csv", "pdf", or "none"), in place
	// of what the steps say. Policy is what becomes of times that are no good ones, of
	// schedules that are made of it.
	Formats []string         `json:",omitempty"`
	Policy  scheduler.Wishes `json:",omitzero"`
	Post    string           // channel as people call it, "#sales"; empty: it answers where it is asked for
}

// A Label is a name in both languages; one of them may be empty.
type Label struct{ En, Zh string }

// In returns the name in a language, or the one that there is.
func (l Label) In(lang string) string {
	if lang == "zh" && l.Zh != "" || l.En == "" {
		return l.Zh
	}
	return l.En
}

// A Step is one call. Args are as encoding/json reads them with numbers as they are
// written (json.Number); texts in them may hold references.
type Step struct {
	ID   string
	Tool string
	Args map[string]any
}

// A Commentary says what a language model, if there is one, writes under the figures.
type Commentary struct{ About string }

// Called is what people call the report.
func (p Playbook) Called(lang string) string {
	if t := p.Title.In(lang); t != "" {
		return t
	}
	return p.Name
}

// Report is the step whose report is posted: the last one that makes any. It is negative
// if there is none.
func (p Playbook) Report() int {
	for i := len(p.Steps) - 1; i >= 0; i-- {
		if p.Steps[i].Tool == MakeReport {
			return i
		}
	}
	return -1
}

// step returns the one of that id.
func (p Playbook) step(id string) (Step, bool) {
	i := slices.IndexFunc(p.Steps, func(s Step) bool { return s.ID == id })
	if i < 0 {
		return Step{}, false
	}
	return p.Steps[i], true
}

// Units are those that a report may be about.
var Units = []calendar.Unit{calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.Year}

var (
	nameForm = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{N}](?:[\p{Ll}\p{Lo}\p{N}-]{0,58}[\p{Ll}\p{Lo}\p{N}])?$`)
	idForm   = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,30}$`)
	toolForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// Slug makes a Name of what people call a report: "Sales by Region" is sales-by-region.
// It is empty where nothing of the text can stand in one.
func Slug(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.ToLower(strings.TrimSpace(text)) {
		if !nameForm.MatchString(string(r)) {
			r = '-'
		}
		if r == '-' && (b.Len() == 0 || strings.HasSuffix(b.String(), "-")) {
			continue
		}
		if n++; n > 60 {
			break
		}
		b.WriteRune(r)
	}
	name := strings.Trim(b.String(), "-")
	if !nameForm.MatchString(name) {
		return ""
	}
	return name
}

// Most are bounds of what a report may hold: an end is certain.
const (
	mostSteps  = 20
	mostText   = 64 << 10 // bytes of its YAML
	mostWords  = 20
	mostChecks = 40
)

// Validate returns all faults of a Playbook in one error. What the tools take is not
// looked at.
func (p Playbook) Validate() error {
	var faults []error
	bad := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !nameForm.MatchString(p.Name) {
		bad("name: %q is none; write small letters and digits with dashes between, such as sales-by-region", p.Name)
	}
	if p.Lang != "" && p.Lang != "en" && p.Lang != "zh" {
		bad("lang: %q is neither en nor zh", p.Lang)
	}
	if p.Period != "" && !slices.Contains(Units, p.Period) {
		bad("period: %q is none of day, week, month, quarter, year", p.Period)
	}
	if len(p.Words) > mostWords {
		bad("words: %d are too many; at most %d", len(p.Words), mostWords)
	}
	for _, w := range p.Words {
		if strings.TrimSpace(w) == "" {
			bad("words: one of them is empty")
		}
	}
	switch {
	case len(p.Steps) == 0:
		bad("steps: there is none")
	case len(p.Steps) > mostSteps:
		bad("steps: %d are too many; at most %d", len(p.Steps), mostSteps)
	}
	seen := map[string]bool{}
	for i, s := range p.Steps {
		at := fmt.Sprintf("steps[%d]", i)
		if s.ID != "" {
			at = "step " + s.ID
		}
		switch {
		case !idForm.MatchString(s.ID):
			bad("steps[%d].id: %q is none; write small letters, digits, - and _, beginning with a letter", i, s.ID)
		case seen[s.ID]:
			bad("%s: there are two of that id", at)
		}
		switch {
		case s.Tool == PostMessage:
			bad("%s: what is posted is said by post: channel, not by a step", at)
		case s.Tool == CheckReport:
			bad("%s: what must hold is said by contract:, not by a step", at)
		case !toolForm.MatchString(s.Tool):
			bad("%s.tool: %q is no name of a tool", at, s.Tool)
		}
		for _, ref := range refsOf(s.Args) {
			if why := p.refers(ref, seen); why != "" {
				bad("%s: {{%s}}: %s", at, ref, why)
			}
		}
		seen[s.ID] = true
	}
	switch {
	case len(p.Formats) > 1:
		bad("formats: %s are too many; one file goes with a report", strings.Join(p.Formats, ", "))
	case len(p.Formats) == 1 && !slices.Contains(fileFormats, p.Formats[0]):
		bad("formats: %q is none of %s%s", p.Formats[0], strings.Join(fileFormats, ", "), nearest(p.Formats[0], fileFormats))
	case len(p.Formats) > 0 && p.Report() < 0:
		bad("formats: there is no step with %s that they are of", MakeReport)
	}
	if _, err := p.Policy.On(scheduler.Policy{}); err != nil {
		bad("policy: %w", err)
	}
	if p.Post != "" && p.Report() < 0 {
		bad("post: there is nothing to post; a step with %s makes it", MakeReport)
	}
	if p.Commentary != nil && p.Report() < 0 {
		bad("commentary: there is no step with %s that it would stand in", MakeReport)
	}
	faults = append(faults, p.Contract.faults(p)...)
	return errors.Join(faults...)
}

// fileFormats are those of make_report.
var fileFormats = []string{"xlsx", "csv", "pdf", "none"}

// argsOf are the arguments of a step as they run.
func (p Playbook) argsOf(s Step) map[string]any {
	if s.Tool != MakeReport || len(p.Formats) == 0 {
		return s.Args
	}
	args := maps.Clone(s.Args)
	if args == nil {
		args = map[string]any{}
	}
	args["format"] = p.Formats[0]
	return args
}

// refers says what is wrong with a reference that may use the steps before it.
func (p Playbook) refers(ref string, before map[string]bool) string {
	if id, part, ok := stepRef(ref); ok {
		switch {
		case part != "artifact":
			return "of a step only its artifact can be used: {{steps." + id + ".artifact}}"
		case before[id]:
			return ""
		}
		if _, later := p.step(id); later {
			return "the step " + id + " comes later, or is this one"
		}
		return "there is no step " + id + nearest(id, idsOf(p.Steps))
	}
	if !slices.Contains(variables, ref) {
		return "there is no such variable" + nearest(ref, variables)
	}
	if p.Period == "" {
		return "the report has no period; write period: month, for example"
	}
	return ""
}

func idsOf(steps []Step) []string {
	var ids []string
	for _, s := range steps {
		ids = append(ids, s.ID)
	}
	return ids
}

// Canonical is the one JSON text of a Playbook: equal ones have equal texts.
func (p Playbook) Canonical() ([]byte, error) {
	b, err := json.Marshal(p) // maps are written in order of their keys
	if err != nil {
		return nil, fmt.Errorf("encode report %s: %w", p.Name, err)
	}
	return b, nil
}

// Decode reads what Canonical wrote.
func Decode(b []byte) (Playbook, error) {
	var p Playbook
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	if err := dec.Decode(&p); err != nil {
		return p, fmt.Errorf("decode saved report: %w", err)
	}
	return p, nil
}

// Hash names all of a Playbook for ever: whatever is changed in it, the Hash is another.
func (p Playbook) Hash() (string, error) {
	b, err := p.Canonical()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16]), nil
}

// Recipe is what a report artifact made by a Playbook of that Hash carries, so that a
// grant of it holds for no other.
func Recipe(hash string) string { return "saved report " + hash }

// nearest is ", the nearest is x" for a word that somebody may have meant another by.
func nearest(word string, all []string) string {
	best, least := "", len(word)/2+1
	for _, w := range all {
		if d := slip.Between([]rune(strings.ToLower(word)), []rune(strings.ToLower(w))); d < least {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; the nearest is " + best
}
