package result

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// troubles are words by which a line of a log is worth reading.
var troubles = []string{"error", "fail", "panic", "fatal", "exception", "denied", "错误", "失败", "异常"}

// idle are words of a request that say nothing of what it is about.
var idle = map[string]bool{
	"about": true, "could": true, "does": true, "each": true, "find": true, "from": true, "give": true, "have": true, "into": true,
	"just": true, "last": true, "list": true, "make": true, "need": true, "please": true, "report": true, "show": true, "tell": true,
	"than": true, "that": true, "their": true, "them": true, "then": true, "there": true, "they": true, "this": true, "those": true,
	"want": true, "were": true, "what": true, "when": true, "where": true, "which": true, "will": true, "with": true, "would": true, "your": true,
}

// maxTerms is how many words of a request are looked for.
const maxTerms = 16

// terms are the words of a request that may stand in a result: words of the Latin
// script, and each two signs of Chinese that stand together.
func terms(goal string) []string {
	var out []string
	add := func(s string) {
		if len(out) < maxTerms && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	words := strings.FieldsFunc(strings.ToLower(goal), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.'
	})
	for _, w := range words {
		var latin, han []rune
		flush := func() {
			s := strings.Trim(string(latin), "-._")
			if len(s) >= 4 && !idle[s] || len(s) >= 2 && strings.ContainsAny(s, "0123456789") {
				add(s)
			}
			for i := range len(han) - 1 {
				add(string(han[i : i+2]))
			}
			latin, han = nil, nil
		}
		for _, r := range w {
			switch isHan := unicode.Is(unicode.Han, r); {
			case isHan && len(latin) > 0, !isHan && len(han) > 0:
				flush()
			}
			if unicode.Is(unicode.Han, r) {
				han = append(han, r)
			} else {
				latin = append(latin, r)
			}
		}
		flush()
	}
	return out
}

// points are the places of at most so many parts that have words which few others
// have: what a request is about, and what has gone wrong.
func points(parts, words []string, most int) []int {
	if len(words) == 0 || len(words) > 64 {
		return nil
	}
	needles := make([][]byte, len(words))
	for i, w := range words {
		needles[i] = []byte(w)
	}
	has := make([]uint64, len(parts))
	count := make([]int, len(words))
	var low []byte
	for i, p := range parts {
		low = lower(low[:0], p)
		for j, n := range needles {
			if bytes.Contains(low, n) {
				has[i] |= 1 << j
				count[j]++
			}
		}
	}
	score := func(i int) (s float64) {
		for j, n := range count {
			if n > 0 && n <= max(3, len(parts)/20) && has[i]&(1<<j) != 0 {
				s += 1 / float64(n)
			}
		}
		return s
	}
	type point struct {
		at    int
		score float64
	}
	var best []point
	for i := range parts {
		if has[i] == 0 {
			continue
		}
		if s := score(i); s > 0 {
			best = append(best, point{i, s})
		}
	}
	slices.SortStableFunc(best, func(a, b point) int { return cmp.Compare(b.score, a.score) })
	var out []int
	for _, p := range best[:min(most, len(best))] {
		out = append(out, p.at)
	}
	return out
}

// lower appends a text in small letters, as far as they are ASCII.
func lower(out []byte, s string) []byte {
	out = append(out, s...)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return out
}

// quality looks at what a search has found: nothing, things without the version or
// year that was asked for, or old things where new ones were.
func (r *reader) quality(p Parts) {
	nothing := len(p.all) == 0
	if p.unit == "member" {
		nothing = slices.ContainsFunc(p.all, func(s string) bool { return emptyHits.MatchString(s) })
		if !nothing {
			return
		}
	}
	if nothing {
		r.notes = append(r.notes, "empty: nothing matched"+r.instead())
		return
	}
	if p.all[0][0] != '{' || !isPage(p.all[0]) {
		return
	}
	for _, v := range versions.FindAllString(r.in.Goal, 3) {
		if !slices.ContainsFunc(p.all, func(s string) bool { return strings.Contains(s, v) }) {
			r.notes = append(r.notes, fmt.Sprintf("none of the %d hits mentions %s%s", len(p.all), name(v), r.instead()))
			return
		}
	}
	newest := time.Time{}
	for _, s := range p.all {
		for _, key := range []string{"date", "published", "published_at", "updated", "updated_at", "time"} {
			if d, ok := dayOf(member(s, key)); ok && d.After(newest) {
				newest = d
			}
		}
	}
	if newest.IsZero() || r.in.Now.IsZero() || !recent.MatchString(r.in.Goal) || r.in.Now.Sub(newest) < stale {
		return
	}
	r.notes = append(r.notes, fmt.Sprintf("the newest of the %d hits is of %s%s", len(p.all), newest.Format(time.DateOnly), r.instead()))
}

// isPage reports whether an object is a web page: it has a title and an address.
func isPage(raw string) bool {
	title, link, n := false, false, 0
	for k := range members(raw) {
		title = title || k == `"title"`
		link = link || k == `"url"` || k == `"link"`
		if n++; n == 30 {
			break
		}
	}
	return title && link
}

// instead says what helps more than to word the same thing anew.
func (r *reader) instead() string {
	if len(r.in.Spec.Alternates) == 0 {
		return "; a more precise query helps more than other words"
	}
	return "; a more precise query or " + oneLine(strings.Join(r.in.Spec.Alternates, " or ")) + " helps more than other words"
}

// stale is how old the newest hit may be where something recent was asked for.
const stale = 365 * 24 * time.Hour

var (
	emptyHits = regexp.MustCompile(`^"(?:items|results|rows|hits|matches)"\s*:\s*\[\s*\]$`)
	versions  = regexp.MustCompile(`\b20\d\d\b|\b\d+(?:\.\d+)+\b`)
	recent    = regexp.MustCompile(`(?i)\b(?:latest|newest|recent|recently|current|currently|today|now|news|this (?:week|month|quarter|year)|up to date)\b|最新|最近|近期|今天|今日|当前|目前|现在|本周|本月|今年|新闻|动态`)
	days      = regexp.MustCompile(`(?:19|20)\d\d[-/年.]\d{1,2}[-/月.]\d{1,2}`)
)

// dayOf reads the day in a JSON string.
func dayOf(raw string) (time.Time, bool) {
	found := days.FindString(raw)
	if found == "" {
		return time.Time{}, false
	}
	f := strings.FieldsFunc(found, func(r rune) bool { return !unicode.IsDigit(r) })
	d, err := time.Parse("2006-1-2", strings.Join(f, "-"))
	return d, err == nil
}
