package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"hermes/scheduler/calendar"
	"hermes/scheduler/phrase"
)

// A token is a part of a request that was recognised, or the unknown words
// between two that were.
type token struct {
	kind       kind
	name       string // as of entry; the channel, the job, a free value
	in         string
	n          int // of top
	period     phrase.PeriodMatch
	start, end int  // bytes of the text
	learned    bool // what it means somebody has said
}

// normal is a text without what does not tell two requests apart: case, width,
// kinds of quote, runs of space. at[i] is the byte at which runes[i] starts; it
// has one entry more than runes.
type normal struct {
	runes []rune
	at    []int
}

func normalise(text string) normal {
	var n normal
	for i, r := range text {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E && !strings.ContainsRune("，。；：！？（）", r):
			r = unicode.ToLower(r - 0xFEE0)
		case r == '’' || r == '‘' || r == '´':
			r = '\''
		case unicode.IsSpace(r) || r == '-' || r == '‑':
			r = ' '
		default:
			r = unicode.ToLower(r)
			if s, ok := simple[r]; ok {
				r = s
			}
		}
		if r == ' ' && len(n.runes) > 0 && n.runes[len(n.runes)-1] == ' ' {
			continue
		}
		n.runes, n.at = append(n.runes, r), append(n.at, i)
	}
	n.at = append(n.at, len(text))
	return n
}

// isWord says whether r is part of a word that needs a boundary. Han characters
// need none, since they have none.
func isWord(r rune) bool {
	return unicode.IsDigit(r) || unicode.IsLetter(r) && !unicode.Is(unicode.Han, r)
}

var (
	channelPattern = regexp.MustCompile(`<#[A-Z0-9]+(?:\|([^>]*))?>|#[\p{L}\p{N}][\p{L}\p{N}_\-]*`)
	namedChannel   = regexp.MustCompile(`(?i)\b(?:to|in|into|on) the ([a-z0-9][a-z0-9_\-]*) channel\b|([A-Za-z0-9][A-Za-z0-9_\-]*) ?(?:频道|群)`)
	jobPattern     = regexp.MustCompile(`\bj[0-9a-f]{6,12}\b`)
	rangePattern   = regexp.MustCompile(`\b(?:(?:last|this|next)_(?:\d+_)?[a-z_]+|[a-z]+_before_last|[a-z_]+:\d+|\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}|\d{4}-[QWH]\d{1,2})\b`)
	topPattern     = regexp.MustCompile(`(?i)\b(?:top|best|biggest|largest|first)[ -](\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty)\b|\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty) (?:best|biggest|largest|top|highest)\b|(?:排名|(?:最高|最多|最大|最好)的?前?|前) ?(\d{1,3}|[二两三四五六七八九十]|二十|十五)(?:名|位|个|大|家)?|(?i)\btop ?(\d{1,3})\b`)
	// A dot inside a number or a name ends nothing.
	listPattern = regexp.MustCompile(`(?m)^[ \t]*(?:\d{1,2}[.、)）]|[-*•])[ \t]*`)
	endPattern  = regexp.MustCompile(`[,;!?，。；！？、：\n]|\.(?:\s|$)|…`)
)

var numbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twenty": 20,
	"二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十五": 15, "二十": 20}

// A scanner turns text into tokens. Every byte that means something is in one.
type scanner struct {
	words  *lexicon
	values *lexicon
	nouns  []noun   // what a word with a slip of the pen could be
	team   *lexicon // words that the team has given a meaning; nil for none
	now    time.Time
	loc    *time.Location
}

// scan cuts the text. What was found by patterns, and the spans of schedule, are
// taken out first, since words inside them mean something else there.
func (s scanner) scan(text string, schedule []phrase.Span) []token {
	var fixed []token
	taken := make([]bool, len(text))
	reserve := func(t token) {
		if t.start >= t.end || slices.Contains(taken[t.start:t.end], true) {
			return
		}
		for i := t.start; i < t.end; i++ {
			taken[i] = true
		}
		fixed = append(fixed, t)
	}
	for _, m := range listPattern.FindAllStringIndex(text, -1) {
		reserve(token{kind: separator, name: text[m[0]:m[1]], start: m[0], end: m[1]})
	}
	for _, m := range channelPattern.FindAllStringSubmatchIndex(text, -1) {
		name := text[m[0]:m[1]]
		if m[2] >= 0 && m[2] < m[3] {
			name = "#" + text[m[2]:m[3]]
		}
		reserve(token{kind: channel, name: name, start: m[0], end: m[1]})
	}
	for _, m := range namedChannel.FindAllStringSubmatchIndex(text, -1) {
		name := group(text, m)
		if name != "this" && name != "that" {
			reserve(token{kind: channel, name: "#" + strings.ToLower(name), start: m[0], end: m[1]})
		}
	}
	for _, m := range jobPattern.FindAllStringIndex(text, -1) {
		reserve(token{kind: jobID, name: text[m[0]:m[1]], start: m[0], end: m[1]})
	}
	for _, sp := range schedule {
		if sp.Start >= 0 && sp.End <= len(text) {
			reserve(token{kind: when, start: sp.Start, end: sp.End})
		}
	}
	for _, m := range topPattern.FindAllStringSubmatchIndex(text, -1) {
		word := strings.ToLower(group(text, m))
		n, err := strconv.Atoi(word)
		if err != nil {
			n = numbers[word]
		}
		if n > 0 {
			reserve(token{kind: top, n: n, start: m[0], end: m[1]})
		}
	}
	for _, m := range rangePattern.FindAllStringIndex(text, -1) {
		if r, err := calendar.ParseRange(text[m[0]:m[1]]); err == nil {
			reserve(token{kind: period, period: phrase.PeriodMatch{Range: r}, start: m[0], end: m[1]})
		}
	}
	for _, p := range s.periodsIn(text) {
		if p.Span.Start >= 0 && p.Span.End <= len(text) {
			reserve(token{kind: period, period: p, start: p.Span.Start, end: p.Span.End})
		}
	}
	for _, m := range endPattern.FindAllStringIndex(text, -1) {
		reserve(token{kind: separator, name: text[m[0]:m[1]], start: m[0], end: m[1]})
	}
	slices.SortFunc(fixed, func(a, b token) int { return a.start - b.start })
	return s.fill(text, fixed)
}

var ofEvery = regexp.MustCompile(`(?i)^ of (?:every|each|the|a)\b`)

var (
	between   = regexp.MustCompile(`(?i)(\b(?:difference|compare|comparison|compared|gap|change|growth)[^,;.!?]{0,30}? )?\bbetween ([^,;.!?]{1,40}?) and `)
	betweenZh = regexp.MustCompile(`([^\s，。！？；,;]{1,16}?)(和|与|跟)([^\s，。！？；,;]{1,16}?)(?:之间|期间)([^，。！？；,;]{0,12}差|[^，。！？；,;]{0,20}比较|[^，。！？；,;]{0,20}对比)?`)
)

// periodsIn finds periods. "Between A and B" is written as "A to B" first, byte
// for byte, since "and" alone makes two periods of them.
func (s scanner) periodsIn(text string) []phrase.PeriodMatch {
	b := []byte(text)
	for _, m := range between.FindAllSubmatchIndex(b, -1) {
		if m[2] >= 0 {
			continue // the difference between two is of two
		}
		copy(b[m[0]:], "   from")
		copy(b[m[1]-5:], " to  ")
	}
	for _, m := range betweenZh.FindAllSubmatchIndex(b, -1) {
		if m[8] < 0 {
			copy(b[m[4]:m[5]], "到")
		}
	}
	return slices.DeleteFunc(phrase.PeriodsAt(string(b), s.now, s.loc), func(p phrase.PeriodMatch) bool {
		// "The last day of every month" is a time and not yesterday.
		return p.Span.End <= len(text) && ofEvery.MatchString(text[p.Span.End:])
	})
}

// group returns the first group of a match that took part in it.
func group(text string, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return text[m[i]:m[i+1]]
		}
	}
	return ""
}

// fill looks up the words between the fixed tokens.
func (s scanner) fill(text string, fixed []token) []token {
	t := normalise(text)
	var tokens []token
	add := func(k token) {
		last := len(tokens) - 1
		if k.kind == unknown && last >= 0 && tokens[last].kind == unknown && strings.TrimSpace(text[tokens[last].end:k.start]) == "" {
			tokens[last].end = k.end
			return
		}
		tokens = append(tokens, k)
	}
	limit := 0 // where the words before the next fixed token end
	for i := 0; i < len(t.runes); {
		if len(fixed) > 0 && t.at[i] >= fixed[0].start {
			add(fixed[0])
			for i < len(t.runes) && t.at[i] < fixed[0].end {
				i++
			}
			fixed = fixed[1:]
			continue
		}
		for limit = max(limit, i); limit < len(t.runes) && (len(fixed) == 0 || t.at[limit] < fixed[0].start); {
			limit++
		}
		part := normal{t.runes[:limit], t.at}
		if e, end := s.lookup(part, i, tokens); e != nil {
			add(token{kind: e.kind, name: e.name, in: e.in, start: t.at[i], end: t.at[end], learned: e.learned})
			i = end
			continue
		}
		end := i + 1
		if isWord(t.runes[i]) {
			for end < limit && (isWord(t.runes[end]) || t.runes[end] == '_') {
				end++
			}
		} else if !unicode.IsLetter(t.runes[i]) {
			i++ // a mark that says nothing: a bracket, an emoji
			continue
		}
		add(s.spelled(string(t.runes[i:end]), token{kind: unknown, start: t.at[i], end: t.at[end]}))
		i = end
	}
	return tokens
}

// lookup prefers the longest phrase, then what people here mean by it, then
// values, then what the operator declared, then what we know.
func (s scanner) lookup(t normal, i int, before []token) (*entry, int) {
	e, end := s.words.longest(t, i)
	if v, vEnd := s.values.longest(t, i); v != nil && vEnd >= end {
		e, end = v, vEnd
	}
	if s.team != nil {
		if w, wEnd := s.team.longest(t, i); w != nil && (wEnd > end || wEnd == end && givesWay(e.kind)) {
			e, end = w, wEnd
		}
	}
	if e == nil || e.kind == filler || e.kind == unknown {
		if name, uEnd := unitAt(t, i); name != "" && uEnd >= end && asksForUnit(before) {
			return &entry{kind: dimension, name: name}, uEnd
		}
	}
	return e, end
}

// givesWay says whether what a phrase of this kind means is for people to say:
// a verb or a no is not.
func givesWay(k kind) bool {
	switch k {
	case measure, dimension, value, channel, filler, sold:
		return true
	}
	return false
}

func unitAt(t normal, i int) (string, int) {
	for n := 7; n > 0; n-- {
		if i+n > len(t.runes) {
			continue
		}
		if name := units[string(t.runes[i:i+n])]; name != "" && (i+n == len(t.runes) || !isWord(t.runes[i+n-1]) || !isWord(t.runes[i+n])) {
			return name, i + n
		}
	}
	return "", 0
}

func asksForUnit(before []token) bool {
	for _, t := range slices.Backward(before) {
		switch t.kind {
		case by, best, worst, top, asking:
			return true
		case filler, joiner, dimension:
			continue
		}
		return false
	}
	return false
}
