package querydb

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The dialects of SQL. MySQL is MariaDB too.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
	MySQL    = "mysql"
)

// A Layer declares what may be asked of one database: figures and what they may
// be broken down by, with the words that people use for them. It is written by
// who runs the bot; a model only ever names its parts.
type Layer struct {
	Name    string // of the source, as in the name of a tool
	Dialect string
	DSN     string // a path for SQLite, a URL for PostgreSQL and MySQL
	// Files or Web is where the tables come from instead; then the dialect is SQLite.
	Files *Files
	Web   *Web
	Fresh time.Duration // how long what Web answers is believed; 0: a minute
	// Functions may be called beside those that are known only to compute: of an
	// extension, or defined in the database.
	Functions  []string
	Measures   []Measure
	Dimensions []Dimension
}

// A Label is what a thing is called when it is shown.
type Label struct{ En, Zh string }

// In returns the label in a language, "en" or "zh", or in the other if it has
// none in that.
func (l Label) In(lang string) string {
	if isZh(lang) && l.Zh != "" || l.En == "" {
		return l.Zh
	}
	return l.En
}

func isZh(lang string) bool { return strings.HasPrefix(strings.ToLower(lang), "zh") }

// A Measure is a figure, such as sales.
type Measure struct {
	Name     string
	Label    Label
	Synonyms []string // in any language
	SQL      string   // an aggregate: SUM(o.amount) / 100.0
	From     string   // what stands after FROM: orders o JOIN regions r ON r.id = o.region
	// Time is the expression of the day that a row belongs to: a date or time
	// in PostgreSQL, text that starts with 2006-01-02 in SQLite.
	Time  string
	Unit  string // "USD"; empty for a count
	Scale int    // digits after the point
	// Daily says that a day without a row is a day whose data is missing.
	Daily bool
	// NoTotal says that the parts do not add up to the whole, as those of an
	// average, a share or a count of different things.
	NoTotal bool
	// Dimensions are those that go with this From; none means all of them.
	Dimensions []string
}

// A Dimension is what a Measure can be broken down by, such as region.
type Dimension struct {
	Name     string
	Label    Label
	Synonyms []string
	SQL      string // r.name; of the From of the measures that it goes with
	// From is where all the values stand, for the list of them; empty means the
	// From of the first measure that the dimension goes with.
	From          string
	ValueSynonyms []Value
	Time          bool // sorted by itself, not by the figures
}

// A Value is one value of a Dimension with the words that mean it.
type Value struct {
	Value string // as it stands in the database
	Label Label  // how it is shown; empty means as it stands
	Words []string
}

// TimeDimensions go with every measure that has a Time. Their values are the
// words of a period: 2026-10-31, 2026-W44, 2026-10, 2026-Q4, 2026.
func TimeDimensions() []Dimension {
	return []Dimension{
		{Name: "day", Label: Label{"day", "日"}, Synonyms: []string{"daily", "date", "days", "天", "日期", "每天", "每日", "按天", "按日"}, Time: true},
		{Name: "week", Label: Label{"week", "周"}, Synonyms: []string{"weekly", "weeks", "星期", "每周", "按周"}, Time: true},
		{Name: "month", Label: Label{"month", "月"}, Synonyms: []string{"monthly", "months", "月份", "每月", "按月"}, Time: true},
		{Name: "quarter", Label: Label{"quarter", "季度"}, Synonyms: []string{"quarterly", "quarters", "季", "每季度", "按季度"}, Time: true},
		{Name: "year", Label: Label{"year", "年"}, Synonyms: []string{"yearly", "annual", "years", "年度", "每年", "按年"}, Time: true},
	}
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Validate returns every fault of the layer, each with the key that it is at.
func (l Layer) Validate() error {
	v := &checker{where: "sources[" + l.Name + "]", functions: l.Functions}
	v.name("", l.Name)
	var feed error
	switch {
	case l.Files != nil:
		feed = l.Files.validate()
	case l.Web != nil:
		feed = l.Web.validate()
	case l.DSN == "":
		v.fault("dsn", "missing")
	}
	if feed != nil {
		v.faults = append(v.faults, fmt.Errorf("%s.%w", v.where, feed))
	}
	dialect := l.Dialect
	if !slices.Contains([]string{SQLite, Postgres, MySQL}, dialect) {
		v.fault("dialect", "%q is none of sqlite, postgres, mysql", dialect)
		dialect = "any" // and go on, for the other faults
	}
	measures, dimensions := map[string]bool{}, map[string]bool{}
	for _, d := range TimeDimensions() {
		dimensions[d.Name] = true
	}
	for _, d := range l.Dimensions {
		key := "dimensions[" + d.Name + "]."
		v.name(key, d.Name)
		if dimensions[d.Name] {
			v.fault(key+"name", "used twice, or the name of a built-in one")
		}
		dimensions[d.Name] = true
		v.expression(key+"sql", d.SQL, "SELECT %s FROM t", dialect)
		if d.From != "" {
			v.expression(key+"from", d.From, "SELECT 1 FROM %s", dialect)
		}
		seen := map[string]bool{}
		for _, value := range d.ValueSynonyms {
			if value.Value == "" || seen[value.Value] {
				v.fault(key+"value_synonyms", "value %q is empty or used twice", value.Value)
			}
			seen[value.Value] = true
		}
	}
	for _, m := range l.Measures {
		key := "measures[" + m.Name + "]."
		v.name(key, m.Name)
		if measures[m.Name] {
			v.fault(key+"name", "used twice")
		}
		measures[m.Name] = true
		v.expression(key+"sql", m.SQL, "SELECT %s FROM t", dialect)
		v.expression(key+"from", m.From, "SELECT 1 FROM %s", dialect)
		v.expression(key+"time", m.Time, "SELECT %s FROM t", dialect)
		if m.Scale < 0 || m.Scale > 9 {
			v.fault(key+"scale", "%d is not between 0 and 9", m.Scale)
		}
		for _, d := range m.Dimensions {
			if !dimensions[d] {
				v.fault(key+"dimensions", "there is no dimension %q", d)
			}
		}
	}
	return errors.Join(v.faults...)
}

type checker struct {
	where     string
	functions []string
	faults    []error
}

func (v *checker) fault(key, format string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf("%s.%s: %s", v.where, key, fmt.Sprintf(format, args...)))
}

func (v *checker) name(key, name string) {
	if !nameForm.MatchString(name) {
		v.fault(key+"name", "%q: write small letters, digits and _, a letter first", name)
	}
}

// expression checks that a piece of SQL stays one piece where it is put.
func (v *checker) expression(key, piece, frame, dialect string) {
	if strings.TrimSpace(piece) == "" {
		v.fault(key, "missing")
		return
	}
	toks, fault := lex(piece, dialect)
	if fault == "" {
		fault = balance(toks)
	}
	switch {
	case fault != "":
	case slices.ContainsFunc(toks, func(t token) bool { return t.is(";") }):
		fault = "has a semicolon"
	case strings.Contains(piece, "--") || strings.Contains(piece, "/*") || dialect == MySQL && strings.Contains(piece, "#"):
		fault = "has a comment"
	default:
		if ok, why := judged(fmt.Sprintf(frame, piece), dialect, v.functions); !ok {
			fault = why
		}
	}
	if fault != "" {
		v.fault(key, "%s", fault)
	}
}

// Words returns every word that means the measure: its name, labels, synonyms.
func (m Measure) Words() []string { return words(m.Name, m.Label, m.Synonyms) }

// Words returns every word that means the dimension.
func (d Dimension) Words() []string { return words(d.Name, d.Label, d.Synonyms) }

func words(name string, l Label, synonyms []string) []string {
	all := []string{name}
	for _, w := range append([]string{l.En, l.Zh}, synonyms...) {
		if w != "" && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// AllDimensions returns the declared dimensions and those of time.
func (l Layer) AllDimensions() []Dimension {
	return append(slices.Clone(l.Dimensions), TimeDimensions()...)
}

func (m Measure) goesWith(d Dimension) bool {
	return isTimeDimension(d.Name) || len(m.Dimensions) == 0 || slices.Contains(m.Dimensions, d.Name)
}

func isTimeDimension(name string) bool {
	return slices.ContainsFunc(TimeDimensions(), func(d Dimension) bool { return d.Name == name })
}
