package playbook

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/run"
	"hermes/scheduler/calendar"
)

// Names are all words by which people know a report.
func (p Playbook) Names() []string {
	names := []string{p.Name, strings.ReplaceAll(p.Name, "-", " ")}
	for _, w := range append([]string{p.Title.En, p.Title.Zh}, p.Words...) {
		if w = strings.TrimSpace(w); w != "" && !slices.Contains(names, w) {
			names = append(names, w)
		}
	}
	return slices.Compact(names)
}

// Find returns the report that words name; else the names of those that come near, or of
// all of a few.
func Find(all []Kept, words string) (Kept, []string, bool) {
	want := bare(words)
	for _, k := range all {
		for _, n := range k.Names() {
			if bare(n) == want && want != "" {
				return k, nil, true
			}
		}
	}
	var hits []Kept
	var names []string
	for _, k := range all {
		names = append(names, k.Name)
		if slices.ContainsFunc(k.Names(), func(n string) bool { return want != "" && strings.Contains(bare(n), want) }) {
			hits = append(hits, k)
		}
	}
	if len(hits) == 1 {
		return hits[0], nil, true
	}
	if len(hits) > 1 {
		names = nil
		for _, k := range hits {
			names = append(names, k.Name)
		}
	}
	return Kept{}, names[:min(len(names), 8)], false
}

// Is reports whether words are a name of the report, and no part of one.
func (p Playbook) Is(words string) bool {
	return slices.ContainsFunc(p.Names(), func(n string) bool { return bare(n) == bare(words) })
}

// bare is a name as it is compared: small, without marks and the words around it.
func bare(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, cut := range []string{"the ", "my ", "our "} {
		s = strings.TrimPrefix(s, cut)
	}
	for _, cut := range []string{" report", "报表", "报告"} {
		if rest := strings.TrimSuffix(s, cut); rest != "" {
			s = rest
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_“”\"'’`的", r) {
			return -1
		}
		return r
	}, s)
}

// WordOf is a period of a unit in one canonical word: 2026-10, 2026-Q3.
func WordOf(unit calendar.Unit, p run.Period, loc *time.Location) string {
	if unit == "" || p.To.IsZero() {
		return ""
	}
	return spanOf(unit, p, loc, 0).word()
}

var wishes = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:please\s+)?(?:run|do|make|produce|send|post|show me|give me)\s+(?:the\s+|my\s+|our\s+)?(saved\s+)?report\s+(?:called\s+|named\s+)?[“"'‘]?(.+?)[”"'’]?(?:,?\s+(?:and\s+)?(?:post|send)(?:ed)?\s+(?:it\s+)?to\s+#\S+)?[.!]?$`),
	regexp.MustCompile(`(?i)^(?:please\s+)?(?:run|do|make|produce|send|post|show me|give me)\s+(?:the\s+|my\s+|our\s+)?(saved\s+)?[“"'‘]?(.+?)[”"'’]?\s+report(?:,?\s+(?:and\s+)?(?:post|send)(?:ed)?\s+(?:it\s+)?to\s+#\S+)?[.!]?$`),
	regexp.MustCompile(`^(?:请)?(?:运行|跑一下|跑一遍|跑|执行|做一下|做|生成|发送|发)(?:一下)?(已?保存的|存好的)?(?:报表|报告)\s*[“"‘《]?(.+?)[”"’》]?(?:[，,]?(?:并)?发到\s*#\S+)?[。！]?$`),
	regexp.MustCompile(`^(?:请)?(?:运行|跑一下|跑一遍|跑|执行|做一下|做|生成|发送|发)(?:一下)?(已?保存的|存好的)?\s*[“"‘《]?(.+?)[”"’》]?\s*(?:这个|这份)?(?:报表|报告)(?:[，,]?(?:并)?发到\s*#\S+)?[。！]?$`),
}

// Wished reads a text that asks for nothing but to run a report, by whatever it calls it.
// saved tells that it says of a saved one; else it may be of none.
func Wished(text string) (name string, saved, ok bool) {
	text = strings.TrimSpace(text)
	for _, w := range wishes {
		if m := w.FindStringSubmatch(text); m != nil && len(m[2]) <= 200 {
			return strings.TrimSpace(m[2]), m[1] != "", true
		}
	}
	return "", false, false
}
