package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is one word, number or mark of a text. Words of both languages that
// mean the same have one text, so that one grammar reads "every 周一 at 9点".
type token struct {
	kind       tokenKind
	text       string // lower case, in its canonical form
	num        int
	digits     int  // how many digits it was written with; 0 for words
	ordinal    bool // 3rd, third, 第三
	set        weekdays
	glued      bool // nothing stands between it and the one before
	zh         bool
	raw        string // as written, in simplified characters; Chinese only
	plural     bool   // mornings: says "every" by itself
	owner      bool   // Monday's, October's: of something else
	start, end int
}

type tokenKind int

const (
	word tokenKind = iota
	number
	weekday
	mark
)

// maxText is how much of a text is read; a schedule stands in a message, not in
// an attachment.
const maxText = 4000

// lex cuts a text into tokens. It looks at each rune a bounded number of times.
func lex(text string) []token {
	if len(text) > maxText {
		text = text[:maxText]
		for len(text) > 0 && !utf8.ValidString(text[max(0, len(text)-4):]) {
			text = text[:len(text)-1]
		}
	}
	var toks []token
	glued := false
	add := func(t token) {
		t.glued = glued
		toks = append(toks, t)
		glued = true
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			glued = false
			i += size
		case digitOf(r) >= 0:
			j, n, count := i, 0, 0
			for j < len(text) {
				r, size := utf8.DecodeRuneInString(text[j:])
				d := digitOf(r)
				if d < 0 {
					break
				}
				if count < 9 {
					n = n*10 + d
				}
				count++
				j += size
			}
			if count > 8 {
				add(token{kind: word, text: text[i:j], start: i, end: j})
			} else {
				add(token{kind: number, num: n, digits: count, text: text[i:j], start: i, end: j})
			}
			i = j
		case r < 0x2E80 && unicode.IsLetter(r):
			j := i + size
			for j < len(text) {
				r, size := utf8.DecodeRuneInString(text[j:])
				if r == '’' || r == '\'' {
					if next, _ := utf8.DecodeRuneInString(text[j+size:]); !unicode.IsLetter(next) {
						break
					}
				} else if r >= 0x2E80 || !unicode.IsLetter(r) {
					break
				}
				j += size
			}
			raw := text[i:j]
			t := ownerWord(strings.ToLower(strings.ReplaceAll(raw, "’", "'")))
			t.start, t.end = i, j
			add(t)
			i = j
		case r >= 0x2E80 && unicode.IsLetter(r) || r == '〇':
			t := chineseWord(text[i:])
			t.start, t.end, t.zh = i, i+t.end, true
			add(t)
			i = t.end
		case r == '\'' || r == '’':
			i += size // "workers' day"
		default:
			add(token{kind: mark, text: plainMark(r), start: i, end: i + size})
			i += size
		}
	}
	return joinNumbers(toks)
}

func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '０' && r <= '９':
		return int(r - '０')
	}
	return -1
}

func plainMark(r rune) string {
	switch r {
	case '：':
		return ":"
	case '，', '、', '；', ';':
		return ","
	case '。', '！', '？', '!', '?':
		return "!"
	case '－', '–', '—', '~', '～', '-', '−', '‐', '‑':
		return "-"
	case '（':
		return "("
	case '）':
		return ")"
	}
	return string(r)
}

// ownerWord is englishWord of what may be a possessive, which for days and months
// is no plural.
func ownerWord(w string) token {
	if name, ok := strings.CutSuffix(w, "'s"); ok && (monthNames[name] > 0 || weekdayNames[name] != 0) {
		t := englishWord(name)
		t.owner = true
		return t
	}
	return englishWord(strings.ReplaceAll(w, "'", ""))
}

func englishWord(w string) token {
	if n, ok := cardinals[w]; ok {
		return token{kind: number, num: n, text: w}
	}
	if n, ok := ordinals[w]; ok {
		return token{kind: number, num: n, ordinal: true, text: w}
	}
	if set, ok := weekdayNames[w]; ok {
		return token{kind: weekday, set: set, text: w}
	}
	if part, ok := manyParts[w]; ok {
		return token{kind: word, text: part, plural: true}
	}
	if canon, ok := synonyms[w]; ok {
		w = canon
	}
	return token{kind: word, text: w}
}

// chineseWord reads the longest known word at the start of text. Its end is
// counted from there.
func chineseWord(text string) token {
	runes, ends := make([]rune, 0, 8), make([]int, 0, 8)
	for i := 0; i < len(text) && len(runes) < 8; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if simple, ok := simplified[r]; ok {
			r = simple
		}
		i += size
		runes, ends = append(runes, r), append(ends, i)
	}
	if t, n := chineseWeekday(runes); n > 0 {
		t.end = ends[n-1]
		return t
	}
	for n := min(5, len(runes)); n > 0; n-- {
		w := string(runes[:n])
		if canon, ok := chinese[w]; ok {
			return token{kind: word, text: canon, raw: w, end: ends[n-1]}
		}
	}
	if n, count := chineseNumber(runes); count > 0 {
		return token{kind: number, num: n, text: string(runes[:count]), end: ends[count-1]}
	}
	return token{kind: word, text: string(runes[:1]), end: ends[0]}
}

// chineseWeekday reads 周三, 星期日 and lists such as 周一三五. 周一次 is a week
// and "once".
func chineseWeekday(runes []rune) (token, int) {
	n := 0
	switch {
	case len(runes) > 1 && runes[0] == '周':
		n = 1
	case len(runes) > 2 && (string(runes[:2]) == "星期" || string(runes[:2]) == "礼拜"):
		n = 2
	default:
		return token{}, 0
	}
	var set weekdays
	first := n
	for ; n < len(runes); n++ {
		day := strings.IndexRune("日一二三四五六天", runes[n])
		if day < 0 {
			break
		}
		day = len([]rune("日一二三四五六天"[:day])) % 7
		if n+1 < len(runes) && (strings.ContainsRune("次遍回", runes[n+1]) || n > first && strings.ContainsRune("十点号月天个", runes[n+1])) {
			break
		}
		set |= 1 << day
	}
	if set == 0 {
		return token{}, 0
	}
	return token{kind: weekday, set: set, text: "weekday"}, n
}

// chineseNumber reads 十五, 二十, 两千 and, digit by digit, 二零二六.
func chineseNumber(runes []rune) (value, count int) {
	total, current, plain := 0, 0, true
	digits := 0
	for ; count < len(runes); count++ {
		r := runes[count]
		if d, ok := chineseDigits[r]; ok {
			if plain {
				current = current*10 + d
			} else {
				current = d
			}
			digits++
			if digits > 4 {
				break
			}
			continue
		}
		scale := map[rune]int{'十': 10, '百': 100, '千': 1000}[r]
		if scale == 0 {
			break
		}
		if current == 0 {
			current = 1
		}
		total += current * scale
		current, plain = 0, false
	}
	return min(total+current, 99999999), count
}

// joinNumbers makes 22 of "twenty two" and "twenty-second", and ordinals of
// 1st, 第一 and 第3.
func joinNumbers(toks []token) []token {
	out := toks[:0]
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.kind == number && t.digits == 0 && !t.zh && !t.ordinal && t.num >= 20 && t.num%10 == 0 && t.num < 100 {
			j := i + 1
			if j+1 < len(toks) && toks[j].text == "-" && toks[j].glued {
				j++
			}
			if j < len(toks) {
				next := toks[j]
				ones := next.kind == number && next.digits == 0 && next.num > 0 && next.num < 10 && !next.zh
				if next.text == "second" {
					next.num, next.ordinal, ones = 2, true, true
				}
				if ones {
					t.num += next.num
					t.ordinal, t.end = next.ordinal, next.end
					i = j
				}
			}
		}
		if t.kind == number && t.digits > 0 && i+1 < len(toks) && toks[i+1].glued {
			switch toks[i+1].text {
			case "st", "nd", "rd", "th":
				t.ordinal, t.end = true, toks[i+1].end
				i++
			}
		}
		if t.text == "头" && i+1 < len(toks) && toks[i+1].kind == number && toks[i+1].num == 1 {
			t.text = "第" // 头一天
		}
		if t.text == "第" && i+1 < len(toks) && toks[i+1].kind == number {
			start := t.start
			t = toks[i+1]
			t.ordinal, t.start = true, start
			i++
			if i+1 < len(toks) && toks[i+1].text == "个" {
				t.end = toks[i+1].end
				i++
			}
		}
		out = append(out, t)
	}
	return out
}
