package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Files are CSV files and workbooks.
type Files struct {
	Path     string `mapstructure:"path"` // a file, a folder or a pattern
	Sheet    string `mapstructure:"sheet"`
	MaxBytes int    `mapstructure:"max_bytes"`
	Cells    `mapstructure:",squash"`
}

// HTTP is an address that answers with JSON. In URL and header values ${NAME} stands for
// a variable of the environment.
type HTTP struct {
	URL      Secret        `mapstructure:"url"`
	Headers  []Header      `mapstructure:"headers"`
	Table    string        `mapstructure:"table"`
	Rows     string        `mapstructure:"rows"`   // where they stand in the answer: data.items
	Next     string        `mapstructure:"next"`   // where the answer names the next page
	Cursor   string        `mapstructure:"cursor"` // the parameter that takes it; empty: it is an address
	Page     string        `mapstructure:"page"`   // or a parameter that counts
	First    int           `mapstructure:"first"`  // from this on
	MaxPages int           `mapstructure:"max_pages"`
	MaxBytes int           `mapstructure:"max_bytes"`
	Timeout  time.Duration `mapstructure:"timeout"`
	Fresh    time.Duration `mapstructure:"fresh"`   // how long an answer is believed by who asks anew
	Private  bool          `mapstructure:"private"` // it may lead into a private network, and be in the clear
	Cells    `mapstructure:",squash"`

	used []Secret // values of the environment in it
}

// Header is one header of a request.
type Header struct {
	Name  string `mapstructure:"name"`
	Value Secret `mapstructure:"value"`
}

// Cells say what cannot be seen of how cells are written.
type Cells struct {
	Encoding string   `mapstructure:"encoding"`
	Decimal  string   `mapstructure:"decimal"`
	Days     string   `mapstructure:"days"`
	Columns  []Column `mapstructure:"columns"`
	MaxRows  int      `mapstructure:"max_rows"`
}

// Column says of which type a column is.
type Column struct {
	Name string `mapstructure:"name"`
	Type string `mapstructure:"type"`
}

// IsFiles and IsHTTP say which of the three kinds a source is.
func (s Source) IsFiles() bool { return s.Files.Path != "" }

// IsHTTP is as IsFiles.
func (s Source) IsHTTP() bool { return s.HTTP.URL != "" }

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// fill puts variables of the environment where sources name them.
func (c *Config) fill(env func(string) string) (faults []Fault) {
	for i := range c.Sources {
		h := &c.Sources[i].HTTP
		put := func(key string, s *Secret) {
			*s = Secret(variable.ReplaceAllStringFunc(string(*s), func(m string) string {
				name := variable.FindStringSubmatch(m)[1]
				v := env(name)
				if v == "" {
					faults = append(faults, Fault{fmt.Sprintf("sources[%d].http.%s", i, key), "there is no variable " + name + " in the environment", "export " + name + "=…, or take ${" + name + "} out"})
				} else {
					h.used = append(h.used, Secret(v))
				}
				return v
			}))
		}
		put("url", &h.URL)
		for k := range h.Headers {
			put(fmt.Sprintf("headers[%d].value", k), &h.Headers[k].Value)
		}
	}
	return faults
}

// kindFaults are what is wrong with what a source is.
func (s Source) kindFaults(key string, fault func(key, wrong, hint string)) {
	switch {
	case s.IsFiles() && (s.IsHTTP() || s.DSN != "" || s.Dialect != ""):
		fault(key+".files.path", "the source is of more than one kind", "write dialect and dsn, or files, or http")
	case s.IsHTTP() && (s.DSN != "" || s.Dialect != ""):
		fault(key+".http.url", "the source is of more than one kind", "write dialect and dsn, or files, or http")
	case s.IsFiles():
		s.Files.Cells.faults(key+".files", fault)
		notLess(key+".files.max_bytes", s.Files.MaxBytes, fault)
	case s.IsHTTP():
		s.HTTP.faults(key+".http", fault)
	}
}

func notLess(key string, n int, fault func(key, wrong, hint string)) {
	if n < 0 {
		fault(key, fmt.Sprintf("%d is less than nothing", n), "leave it out, or write how many")
	}
}

func (c Cells) faults(key string, fault func(key, wrong, hint string)) {
	one := func(name, value string, of ...string) {
		if value != "" && !slices.Contains(of, value) {
			fault(key+"."+name, fmt.Sprintf("%q is none of %s", value, strings.Join(of, ", ")), "leave it out, and it is seen")
		}
	}
	one("encoding", c.Encoding, "utf-8", "utf-16", "gb18030", "windows-1252")
	one("decimal", c.Decimal, "point", "comma")
	one("days", c.Days, "dmy", "mdy")
	notLess(key+".max_rows", c.MaxRows, fault)
	for i, col := range c.Columns {
		if strings.TrimSpace(col.Name) == "" {
			fault(fmt.Sprintf("%s.columns[%d].name", key, i), "it is empty", "write the name of a column")
		}
		if col.Type == "" {
			fault(fmt.Sprintf("%s.columns[%d].type", key, i), "it is empty", "write text, integer, number, date or time")
		}
		one(fmt.Sprintf("columns[%d].type", i), col.Type, "text", "integer", "number", "date", "time")
	}
}

func (h HTTP) faults(key string, fault func(key, wrong, hint string)) {
	h.Cells.faults(key, fault)
	u, err := url.Parse(string(h.URL))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		fault(key+".url", "it is no address of the web", "write https://host/path?key=${NAME}")
	case u.User != nil:
		fault(key+".url", "it has a user in it", "write headers: [{name: Authorization, value: \"Basic ${NAME}\"}]")
	case u.Scheme == "http" && !h.Private:
		fault(key+".url", "it is in the clear", "write https, or private: true for an address of your own network")
	}
	for i, x := range h.Headers {
		if x.Name == "" || strings.ContainsAny(x.Name, " :\r\n") {
			fault(fmt.Sprintf("%s.headers[%d].name", key, i), fmt.Sprintf("%q is no name of a header", x.Name), "write it such as Authorization")
		}
		if x.Value == "" || strings.ContainsAny(string(x.Value), "\r\n") {
			fault(fmt.Sprintf("%s.headers[%d].value", key, i), "it is empty or has a line break in it", "write it such as \"Bearer ${NAME}\"")
		}
	}
	switch {
	case h.Next != "" && h.Page != "":
		fault(key+".page", "next and page cannot be both", "write the one that the address knows")
	case h.Cursor != "" && h.Next == "":
		fault(key+".cursor", "it needs next", "write under next where the answer has the cursor")
	}
	for _, path := range []struct{ name, value string }{{"rows", h.Rows}, {"next", h.Next}} {
		if strings.ContainsAny(path.value, " *?@") {
			fault(key+"."+path.name, fmt.Sprintf("%q is no path", path.value), "write names with dots, such as data.items or pages[0].items")
		}
	}
	if h.Table != "" && !sourceName.MatchString(h.Table) {
		fault(key+".table", fmt.Sprintf("%q is no name", h.Table), "write small letters, digits and _, a letter first")
	}
	notLess(key+".first", h.First, fault)
	notLess(key+".max_pages", h.MaxPages, fault)
	notLess(key+".max_bytes", h.MaxBytes, fault)
	if h.Timeout < 0 || h.Timeout > 5*time.Minute {
		fault(key+".timeout", h.Timeout.String()+" is not between 0 and 5m", "write it such as 30s")
	}
	if h.Fresh < 0 {
		fault(key+".fresh", h.Fresh.String()+" is less than nothing", "write it such as 5m")
	}
}
