package report

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"hermes/agent/tool"
)

const monthNames = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`

// noClaims are numbers that say nothing of the data: dates, times, names of
// periods, addresses, the numbers of a list, and what is struck out already.
var noClaims = []*regexp.Regexp{
	regexp.MustCompile(`https?://[^\s)>]+`),
	regexp.MustCompile(`(?s)~~.+?~~`),
	regexp.MustCompile(`\b(?:19|20)\d{2}-(?:0[1-9]|1[0-2])(?:-\d{2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b`),
	regexp.MustCompile(`\b(?:19|20)\d{2}-?[WwQq]\d{1,2}\b`),
	regexp.MustCompile(`\b(?:19|20)\d{2}/\d{1,2}(?:/\d{1,2})?\b`),
	regexp.MustCompile(`\b\d{1,2}/\d{1,2}/(?:\d{2}|\d{4})\b`),
	regexp.MustCompile(`\b(?:19|20)\d{2} ?[-–/] ?(?:(?:19|20)\d{2}|\d{2})\b`),
	regexp.MustCompile(`\b\d{1,2}:\d{2}(?::\d{2})?\b`),
	regexp.MustCompile(`\b` + monthNames + ` \d{1,2}(?:st|nd|rd|th)?(?: ?[-–] ?\d{1,2}(?:st|nd|rd|th)?)?(?:,? (?:19|20)\d{2})?\b`),
	regexp.MustCompile(`\b(?:\d{1,2}(?:st|nd|rd|th)? ?[-–] ?)?\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + monthNames + `(?:,? (?:19|20)\d{2})?\b`),
	regexp.MustCompile(`\b` + monthNames + `,? (?:19|20)\d{2}\b`),
	regexp.MustCompile(`(?:\d{2}(?:\d{2})? ?年 ?)?\d{1,2} ?月份?(?: ?\d{1,2} ?[日号](?: ?[-–至到] ?\d{1,2} ?[日号])?)?`),
	regexp.MustCompile(`\d{4} ?年(?:度)?|\d{1,2} ?[-–至到] ?\d{1,2} ?[日号]|\d{1,2} ?[日号]`),
	regexp.MustCompile(`第 ?\d{1,2} ?(?:季度?|周|月|天|日|个月)|\b[1-4][QqHh](?:\d{2}|\d{4})?\b|\d ?季度`),
	regexp.MustCompile(`(?i)\b(?:last|past|previous|prior|next|trailing|every|each|within|following|preceding) \d{1,3} (?:hours?|days?|weeks?|months?|quarters?|years?)\b`),
	regexp.MustCompile(`(?i)\b\d{1,3}-(?:hour|day|week|month|quarter|year)\b`),
	regexp.MustCompile(`(?i)\b(?:week|day|quarter|month|step|table|figure|section|page) \d{1,2}\b`),
	regexp.MustCompile(`(?:近|过去|最近|未来|今后|前|后|每|此前|之前) ?\d{1,3} ?(?:个?月|天|日|周|年|个?季度|个?小时)`),
	regexp.MustCompile(`(?m)^[ \t>*-]*\(?\d{1,2}(?:[.)] |[、）])`),
}

// hide marks what every pattern matches.
func hide(s string, masked []bool, res []*regexp.Regexp) {
	for _, re := range res {
		for _, loc := range re.FindAllStringIndex(s, -1) {
			// 1,200 月 and 12.5日: a date that begins within a number is none.
			if r, _ := utf8.DecodeLastRuneInString(s[:loc[0]]); loc[0] > 0 && isDigit(s[loc[0]]) && (r >= '0' && r <= '9' || r == '.' || r == ',') {
				continue
			}
			for i := loc[0]; i < loc[1]; i++ {
				masked[i] = true
			}
		}
	}
}

// A stance is what the words beside a number say of it.
type stance struct {
	dir   int  // +1 rose, -1 fell, 0 nothing
	moved bool // "fell 12%": it must be a change
	more  bool // "7 more": or how many are left
	level bool // "fell to 900": it must not be one
	loss  bool // "a loss of": it may be negative without a sign
	basis tool.Role
}

var directions = regexp.MustCompile(`(?i)\b(?:rose|rises?|risen|rising|up|grew|grows?|grown|growing|growth|increas(?:e|es|ed|ing)|gain(?:s|ed|ing)?|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|surg(?:e|es|ed|ing)|soar(?:s|ed|ing)?|expan(?:d|ds|ded|ding|sion)|improve(?:s|d|ment)?|higher|uptick|rebound(?:s|ed)?|advanc(?:e|es|ed)|rall(?:y|ied))\b|` +
	`\b(?P<d>fell|falls?|fallen|falling|down|dropp?(?:s|ed|ing)?|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|shr(?:ank|ink|inks|unk|inking)|lower|slid|slides?|slip(?:s|ped)?|contract(?:s|ed|ion)|plung(?:e|es|ed|ing)|reduc(?:e|ed|tion)|dip(?:s|ped)?|tumbl(?:e|ed)|slump(?:s|ed)?|sank|sinks?|los(?:t|es|ing)|weakened)\b|` +
	`(?P<n>新增|降价|升级|提升至)|(?P<z>负增长|下降|减少|下滑|下跌|降低|回落|缩减|萎缩|收窄|缩小|降幅|跌幅|减幅|降至|跌至|低于|减量|跌|降|减)|` +
	`(?:增长|增加|上升|上涨|提高|提升|攀升|回升|反弹|扩大|净增|增幅|涨幅|升至|增至|涨至|高于|增量|涨|升|增)`)

// notUp are words that take "up" or "down" away from rising and falling.
var notUp = regexp.MustCompile(`(?i)\b(?:mak(?:e|es|ing)|made|add(?:s|ed|ing)?|sums?|summed|follow(?:s|ed)?|back(?:s|ed)?|set|end(?:s|ed)?|sign(?:s|ed)?|tak(?:e|es|ing)|took|break(?:s|ing)?|broken|drill(?:s|ed)?|broke)\s+$`)

// between a word of direction and the number that it governs.
const near = `(?:[\s\x1f*_~(（:：=≈]|\b(?:by|of|about|around|approximately|roughly|nearly|almost|some|over|an?|another|further|more than|less than|just|only|rate|at least)\b|了|约|近|超过?|逾|达到?|至少|大约|将近|幅度?|率|额|为|的)*`

var (
	governs   = regexp.MustCompile(`(?i)^` + near + `$`)
	governsTo = regexp.MustCompile(`(?i)^(?:\s*(?:\w+ly)?\s*(?:back )?\b(?:to|at)\b|了?[至到])` + near + `$`)
	followUp  = regexp.MustCompile(`(?i)^[*_]*(?: ?的?(?:同比|环比)?(?P<z>下降|降幅|跌幅|减少|下滑|跌|降)| ?的(?:同比|环比)?(?:增长|增幅|涨幅|上升|提升|增加)| (?:(?:year-on-year|year-over-year|yoy|month-on-month|month-over-month|mom|annual|monthly|overall|net|sales|revenue|sharp|strong|slight) )*(?:(?P<d>drop|decline|decrease|fall|dip|reduction|contraction|slump|lower|less|fewer|below|under|down|loss)|(?:increase|rise|growth|gain|jump|surge|uptick|improvement|higher|more|above|up))\b)`)
	moreAfter = regexp.MustCompile(`(?i)^ (?:more|fewer|less)\b`)
	endsIn    = regexp.MustCompile(`[至到]$`)
	losses    = regexp.MustCompile(`(?i)\b(?:loss|losses|deficit|negative|minus|short(?:fall)?)\b|亏|负|赤字`)
	onYear    = regexp.MustCompile(`(?i)\b(?:year[- ]on[- ]year|year[- ]over[- ]year|yoy|y/y|a year (?:before|earlier|ago)|year before|last year|previous year|prior year|on the year)\b|同比|去年|上年`)
	onPeriod  = regexp.MustCompile(`(?i)\b(?:month[- ]on[- ]month|month[- ]over[- ]month|mom|m/m|quarter[- ]on[- ]quarter|qoq|week[- ]on[- ]week|wow|(?:previous|prior|preceding) (?:period|month|week|quarter|day)|(?:month|week|quarter|period|day) before)\b|环比|上期|前一?期|较上月|比上月|较上周|较上季`)
)

// sentence returns the bounds of the sentence around [from, to).
func sentence(s string, from, to int) (int, int) {
	start, end := 0, len(s)
	for i := from; i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if ends(r) || r == '.' && i < len(s) && (s[i] == ' ' || s[i] == '\n') {
			start = i
			break
		}
		i -= n
	}
	for i := to; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if ends(r) || r == '.' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
			end = i
			break
		}
		i += n
	}
	return start, end
}

func ends(r rune) bool { return strings.ContainsRune("\n。！？!?；;", r) }

var clauseEnds = regexp.MustCompile(`,(?:[^\d~]|$)|[，()（）|]|(?i:\b(?:while|but|whereas|although|though)\b)|而`)

// clause returns the part of a sentence that a number stands in.
func clause(s string, from, to int) (int, int) {
	start, end := sentence(s, from, to)
	base := start
	for _, loc := range clauseEnds.FindAllStringIndex(s[base:to], -1) {
		if base+loc[1] <= from {
			start = base + loc[1]
		}
	}
	if loc := clauseEnds.FindStringIndex(s[to:end]); loc != nil {
		end = to + loc[0]
	}
	return start, end
}

// stanceOf reads the words beside the number at [from, to).
func stanceOf(s string, from, to int) stance {
	start, end := clause(s, from, to)
	var st stance
	words := s[start:end]
	st.loss = losses.MatchString(words)
	st.more = moreAfter.MatchString(s[to:end])
	st.dir, st.moved, st.level = directionIn(s, start, from, to, end)
	if st.dir == 0 {
		// "Asia fell (12%)": the word stands before the bracket.
		if before := strings.TrimRight(s[:start], " "); strings.HasSuffix(before, "(") || strings.HasSuffix(before, "（") {
			at := strings.LastIndexAny(before, "(（")
			outer, _ := clause(s, at, at)
			st.dir, _, _ = directionIn(s, outer, at, at, at)
		}
	}
	year, period := onYear.MatchString(words), onPeriod.MatchString(words)
	switch {
	case year && !period:
		st.basis = tool.RoleYear
	case period && !year:
		st.basis = tool.RolePrevious
	}
	return st
}

func directionIn(s string, start, from, to, end int) (dir int, moved, level bool) {
	last, lastEnd := 0, -1
	for _, m := range directions.FindAllStringSubmatchIndex(s[start:from], -1) {
		if d := directionOf(s[:from], start, m); d != 0 {
			last, lastEnd = d, start+m[1]
		}
	}
	if lastEnd >= 0 {
		between, word := s[lastEnd:from], s[start:lastEnd]
		switch {
		case endsIn.MatchString(word) && governs.MatchString(between), governsTo.MatchString(between):
			return last, false, true
		case governs.MatchString(between):
			return last, true, false
		}
	}
	if m := followUp.FindStringSubmatchIndex(s[to:end]); m != nil {
		if m[2] >= 0 || m[4] >= 0 {
			return -1, true, false
		}
		return 1, true, false
	}
	if last != 0 {
		return last, false, false
	}
	for _, m := range directions.FindAllStringSubmatchIndex(s[to:end], -1) {
		if d := directionOf(s, to, m); d != 0 {
			return d, false, false
		}
	}
	return 0, false, false
}

// directionOf is the direction of a match of directions: groups are a fall in
// English, no direction, a fall in Chinese.
func directionOf(s string, base int, m []int) int {
	switch {
	case m[4] >= 0:
		return 0
	case notUp.MatchString(s[max(0, base+m[0]-16) : base+m[0]]):
		return 0
	case m[2] >= 0 || m[6] >= 0:
		return -1
	}
	return 1
}
