package report

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"hermes/agent/tool"
	"hermes/internal/slip"
)

// A person reads a letter by its look, and so do we: what is written with other letters
// than it seems, or with signs between them that nobody sees, is judged by what it reads as.

// alike are signs that pass for others and that Unicode does not make of them by itself:
// letters like those of Latin, and the figures of cheques.
var alike = func() map[rune]string {
	const pairs = "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl ьb гr пn кk тt мm нh вb АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ҺH ԚQ ԜW " +
		"ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa ιi κk νv οo ρp τt υu χx γy ϲc ϳj ıi łl øo đd ħh ŧt ɩi ɑa ɡg ɪi ɴn ʀr ʏy ʜh ʟl ոn սu օo հh ցg քp " +
		"ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ꜱs ғf 壹一 贰二 叁三 肆四 伍五 陆六 柒七 捌八 玖九 幺一 拾十 佰百 仟千 萬万 億亿 貳二 參三 陸六"
	m := map[rune]string{}
	for p := range strings.FieldsSeq(pairs) {
		r := []rune(p)
		m[r[0]] = string(r[1:])
	}
	return m
}()

// readsAs is what a sign reads as: itself, the letter of Latin that it looks like or is a
// form of, or nothing.
func readsAs(r rune) string {
	switch {
	case r < 0x80:
		return string(r)
	case unseen(r), r >= 0x0300 && r <= 0x036F:
		return ""
	}
	if like, ok := alike[r]; ok {
		return like
	}
	if !unicode.IsLetter(r) && !unicode.IsSymbol(r) || unicode.Is(unicode.Han, r) {
		return string(r)
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(string(r)))
	if plain != "" && strings.IndexFunc(plain, func(r rune) bool { return r >= 0x80 || !unicode.IsLetter(r) }) < 0 {
		return plain
	}
	return string(r)
}

// unseen are signs that nobody sees: joiners, marks of direction, fillers, selectors.
func unseen(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return unicode.Is(unicode.Cf, r) || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

var wideStop = regexp.MustCompile(`([a-zA-Z0-9-])[。｡]([a-z0-9])`)

// seen is a text as it reads. A wide stop within a word is that of an address.
func seen(text string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(tool.Decoded(text)) {
		switch r {
		case '．', '․', '﹒':
			b.WriteByte('.')
		default:
			if unicode.IsPunct(r) { // ＠ ： ／
				b.WriteString(norm.NFKC.String(string(r)))
				continue
			}
			b.WriteString(readsAs(r))
		}
	}
	return wideStop.ReplaceAllString(b.String(), "$1.$2")
}

var (
	// An address told in words: "evil dot com", "evil . com", evil 点 com.
	spokenForm = regexp.MustCompile(`(?i)[a-z0-9][a-z0-9-]*\s*(?:(?:\s|[(\[{])\s*(?:dot|punkt)\s*(?:\s|[)\]}])|[(\[{]?\s*点\s*[)\]}]?)\s*[a-z]{2,24}\b|[a-z0-9-]{2,}\s+\.\s+(?:com|net|org|io|info|biz|co|example|test|cn|de|ru|xyz|top|dev|app)\b`)
	noAddress  = regexp.MustCompile(`(?i)\s(?:dot)\s+(?:plots?|charts?|products?|matrix)$`)
	// A number told digit by digit.
	toldForm = regexp.MustCompile(`(?i)\b(?:zero|one|two|three|four|five|six|seven|eight|nine)(?:[ ,.-]+(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double)){2,}\b`)
	aWord    = regexp.MustCompile(`[\p{L}\p{M}]+`)
	asciiOf  = regexp.MustCompile(`[a-z]{5,}`)
)

// notSlips are words that are near to one of a number and mean something else.
var notSlips = strings.Fields("there these threw shree spree severe sever severn sevens weight weights height heights eighths eights freight " +
	"forth forts forty fifties sixths fifths filth firth forte shelve twelves thirst thirsty birds thirds quarters quartet fourths ninths tenths tench teeth tents " +
	"dozens dozed dozer hundreds thousands millions mullion pillion zillion billions trillions bullion halve halved valves calves salves haloes thrives thrive trice " +
	"doubles doubler doublet triples triplet tripped trimple salved halted calved valved haled twines twine eighties nineties seventies thirties twenties eleventh twelfth " +
	"third fourth fifth sixth seventh eighth ninth tenth elevens event events ninety nifty fifty sixty")

// disguised are what of a text is not what it looks like, and numbers with a slip of the
// pen, as far as no table has them.
func disguised(text string, frames []*frame) (hidden bool, odd, slips []string) {
	text = tool.Decoded(text)
	var before rune
	for _, r := range text {
		joins := (r == 0xFE0F || r == 0x200D) && before >= 0x80 && !unicode.IsLetter(before)
		hidden = hidden || unseen(r) && !joins
		before = r
	}
	known := func(w string) bool {
		for _, f := range frames {
			for r := range f.Rows {
				for _, by := range f.by {
					if strings.Contains(strings.ToLower(f.text(r, by)), strings.ToLower(w)) {
						return true
					}
				}
			}
		}
		return false
	}
	for _, w := range aWord.FindAllString(text, -1) {
		foreign, latin, rest := false, false, false
		for _, r := range w {
			_, like := alike[r]
			switch {
			case unicode.Is(unicode.Latin, r):
				latin = true
			case like && !unicode.Is(unicode.Han, r):
				foreign = true
			default:
				rest = true
			}
		}
		if foreign && (latin || !rest) && len([]rune(w)) > 1 && !known(w) {
			odd = append(odd, w)
		}
	}
	for _, w := range asciiOf.FindAllString(strings.ToLower(seen(text)), -1) {
		if isNumber(w) || slices.Contains(notSlips, w) || !nearNumber(w) || known(w) {
			continue
		}
		slips = append(slips, w)
	}
	return hidden, odd, slips
}

func isNumber(w string) bool {
	_, a := cardinals[w]
	_, b := scales[w]
	_, c := parts[w]
	_, d := multiples[w]
	return a || b || c || d
}

// nearNumber is true of a word of which one slip of the pen makes a number.
func nearNumber(w string) bool {
	near := func(n string) bool {
		if len(n) < 5 {
			return false
		}
		if slip.Between([]byte(w), []byte(n)) == 1 {
			return true
		}
		for i := 0; i+1 < len(w) && len(w) == len(n); i++ {
			if w[:i]+w[i+1:i+2]+w[i:i+1]+w[i+2:] == n {
				return true
			}
		}
		return false
	}
	for _, words := range []map[string]float64{cardinals, scales, parts} {
		for n := range words {
			if near(n) {
				return true
			}
		}
	}
	return false
}
