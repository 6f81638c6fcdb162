package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// detailFaults are those of lists, words and texts: what would be taken for a value
// and do nothing, or something else.
func (c *Config) detailFaults(fault func(key, wrong, hint string)) {
	if strings.TrimSpace(c.Data) == "" {
		fault("data", "it is empty", "name a folder, or leave the key out for hermes-data")
	}
	wordsOf("safety.words", c.Safety.Words, "a word that stops a call; [] for none", fault)
	wordsOf("loop.interrupt_before", c.Loop.Interrupt, toolNames, fault)
	for i, p := range c.Loop.Profiles {
		key := fmt.Sprintf("loop.profiles[%d].", i)
		wordsOf(key+"interrupt_before", p.Interrupt, toolNames, fault)
		if p.VerifyStep != "" {
			wordsOf(key+"verify_step", []string{p.VerifyStep}, toolNames, fault)
		}
		wordsOf(key+"ends", p.Ends, "a status in which it may end: "+strings.Join(endNames, ", "), fault)
	}
	if f := strings.ToLower(c.Reports.Font); f != "" && !strings.HasSuffix(f, ".ttf") && !strings.HasSuffix(f, ".ttc") {
		fault("reports.font", fmt.Sprintf("%q is no file of TrueType outlines", c.Reports.Font), "name a .ttf or .ttc, such as /usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
	}
	c.Exec.toolFaults(fault)
	for i, s := range c.Sources {
		s.faults(fmt.Sprintf("sources[%d]", i), fault)
	}
	names := map[string]bool{}
	for i, s := range c.Sources {
		if names[s.Name] {
			fault(fmt.Sprintf("sources[%d].name", i), fmt.Sprintf("%q is used twice", s.Name), "give each source a name of its own")
		}
		names[s.Name] = true
	}
}

const toolNames = "the name of a tool; `hermes tools` lists them"

// wordsOf refuses what is no word: an empty one would be in every text, or in none.
func wordsOf(key string, words []string, hint string, fault func(key, wrong, hint string)) {
	seen := map[string]bool{}
	for i, w := range words {
		switch {
		case strings.TrimSpace(w) == "":
			fault(fmt.Sprintf("%s[%d]", key, i), "it is empty", "write "+hint)
		case seen[w]:
			fault(fmt.Sprintf("%s[%d]", key, i), fmt.Sprintf("%q is there twice", w), "take one of them away")
		}
		seen[w] = true
	}
}

// unbroken refuses a secret with a space in it, such as the end of a line that was
// copied with it. Its words hold nothing of it.
func unbroken(key string, s Secret, fault func(key, wrong, hint string)) {
	if strings.ContainsFunc(string(s), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		fault(key, "it has a space or a line break in it", "copy it again, without what stands around it")
	}
}

// webAddress refuses what no request can be sent to. An empty one is none.
func webAddress(key, address, hint string, fault func(key, wrong, hint string)) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		if strings.Contains(address, "@") {
			address = "what stands there" // it may hold a password
		} else {
			address = fmt.Sprintf("%q", address)
		}
		fault(key, address+" is not a URL", hint)
	case u.RawQuery != "" || u.Fragment != "":
		fault(key, "it has a ? or a # in it", hint)
	}
}

func (e Exec) toolFaults(fault func(key, wrong, hint string)) {
	names := map[string]bool{}
	for i, t := range e.Tools {
		key := fmt.Sprintf("exec.tools[%d]", i)
		if t.Name == "" || names[t.Name] {
			fault(key+".name", fmt.Sprintf("%q is empty or used twice", t.Name), "write "+toolNames)
		}
		names[t.Name] = true
	}
}

var sourceName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// faults are what is wrong with how a source is reached; what its measures must be,
// its own room says when the program is built.
func (s Source) faults(key string, fault func(key, wrong, hint string)) {
	dsn := string(s.DSN)
	if !sourceName.MatchString(s.Name) {
		fault(key+".name", fmt.Sprintf("%q is no name", s.Name), "write small letters, digits and _, a letter first")
	}
	s.kindFaults(key, fault)
	s.listFaults(key, fault)
	if s.IsFiles() || s.IsHTTP() {
		return
	}
	postgres := strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
	switch {
	case !slices.Contains([]string{"sqlite", "postgres", "mysql"}, s.Dialect):
		fault(key+".dialect", fmt.Sprintf("%q is none of sqlite, postgres, mysql", s.Dialect), "write which of the three it is; mysql is MariaDB too")
	case dsn == "":
	case s.Dialect == "postgres" && !postgres && !keyValue.MatchString(dsn):
		fault(key+".dsn", "it is no address of PostgreSQL", "write postgres://reader@host/name")
	case s.Dialect == "mysql" && !strings.Contains(dsn, "@"):
		fault(key+".dsn", "it is no address of MySQL", "write mysql://reader:password@host:3306/name")
	case s.Dialect == "sqlite" && (postgres || strings.Contains(dsn, "://") && !strings.HasPrefix(dsn, "file:")):
		fault(key+".dsn", "it is no path of a file", "write the path of a SQLite file, or dialect: postgres")
	}
	if strings.TrimSpace(dsn) == "" {
		fault(key+".dsn", "it is empty", "write the path of a SQLite file, postgres://reader@host/name or mysql://reader:password@host:3306/name; or files, or http")
	}
}

func (s Source) listFaults(key string, fault func(key, wrong, hint string)) {
	for i, f := range s.Functions {
		if strings.ToLower(f) != f || strings.TrimSpace(f) == "" || strings.ContainsAny(f, " .()\"") {
			fault(fmt.Sprintf("%s.functions[%d]", key, i), fmt.Sprintf("%q is no name of a function", f), "write it in small letters, without a schema and brackets")
		}
	}
	for i, m := range s.Measures {
		if m.Scale < 0 || m.Scale > 9 {
			fault(fmt.Sprintf("%s.measures[%d].scale", key, i), fmt.Sprintf("%d is not between 0 and 9", m.Scale), "it is how many digits are shown after the point")
		}
	}
}
