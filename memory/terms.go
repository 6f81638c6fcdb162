package memory

import (
	"strings"
	"unicode"
)

// terms returns what of a text is compared: the stems of its words of letters and
// digits, and the pairs of neighbouring Han characters, of which Chinese words
// mostly are. A lone Han character stands for itself.
func terms(text string) []string {
	var out []string
	var word []rune
	var han []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, Stem(strings.Trim(string(word), "'")))
			word = word[:0]
		}
		switch {
		case len(han) == 1:
			out = append(out, string(han))
		case len(han) > 1:
			for i := range han[1:] {
				out = append(out, string(han[i:i+2]))
			}
		}
		han = han[:0]
	}
	for _, r := range text {
		if r >= 0xFF01 && r <= 0xFF5E {
			r -= 0xFEE0
		}
		r = unicode.ToLower(r)
		switch {
		case isHan(r):
			if len(word) > 0 {
				flush()
			}
			han = append(han, r)
		case unicode.IsLetter(r), unicode.IsDigit(r), (r == '\'' || r == '’') && len(word) > 0:
			if len(han) > 0 {
				flush()
			}
			if r == '’' {
				r = '\''
			}
			word = append(word, r)
		default:
			flush()
		}
	}
	flush()
	return out
}

// termsOf returns the terms of a Fact: its words, with the object and a subject
// that is a word where the words do not have them.
func termsOf(f Fact) []string {
	text := f.Text
	if !strings.Contains(text, f.Object) {
		text += " " + f.Object
	}
	if !strings.Contains(f.Subject, ":") {
		text += " " + f.Subject
	}
	return terms(text)
}

// irregular are the forms of frequent verbs and nouns that no ending gives away.
var irregular = map[string]string{
	"bought": "buy", "went": "go", "gone": "go", "goes": "go", "going": "go", "got": "get", "gotten": "get", "said": "say", "told": "tell",
	"made": "make", "met": "meet", "took": "take", "taken": "take", "gave": "give", "given": "give", "came": "come",
	"found": "find", "left": "leave", "kept": "keep", "thought": "think", "knew": "know", "known": "know", "wrote": "write",
	"written": "write", "spoke": "speak", "spoken": "speak", "read": "read", "ran": "run", "running": "run", "began": "begin", "begun": "begin",
	"chose": "choose", "chosen": "choose", "drove": "drive", "driven": "drive", "ate": "eat", "eaten": "eat", "felt": "feel",
	"grew": "grow", "grown": "grow", "held": "hold", "led": "lead", "lost": "lose", "paid": "pay", "sent": "send", "sold": "sell",
	"spent": "spend", "taught": "teach", "built": "build", "broke": "break", "broken": "break", "won": "win", "wore": "wear",
	"worn": "wear", "saw": "see", "seen": "see", "had": "have", "has": "have", "did": "do", "does": "do", "done": "do",
	"children": "child", "kids": "child", "kid": "child", "people": "person", "feet": "foot", "wives": "wife", "men": "man", "women": "woman", "mice": "mouse",
	"better": "good", "best": "good", "worse": "bad", "worst": "bad", "older": "old", "oldest": "old", "favourite": "favorite", "favourites": "favorite",
	"colour": "color", "colours": "color", "died": "die", "dies": "die", "dying": "die", "lying": "lie", "moving": "move",
	"mom": "mother", "mum": "mother", "dad": "father",
}

// Stem returns a word without the endings of English; words of other alphabets
// come back as they are. It is rough, the same for both sides, and leaves at least
// three letters.
func Stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	base, ok := irregular[w]
	if ok {
		w = base
	}
	if len(w) < 4 || !ascii(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	for _, end := range []string{"ing", "ed"} {
		s, ok := strings.CutSuffix(w, end)
		if !ok || len(s) < 3 || !strings.ContainsAny(s, "aeiouy") {
			continue
		}
		if n := len(s); s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
			s = s[:n-1] // planned, running
		}
		w = s
		break
	}
	w = strings.TrimSuffix(w, "ly")
	if strings.HasSuffix(w, "i") && len(w) > 3 {
		w = w[:len(w)-1] + "y" // happily, studied
	}
	if strings.HasSuffix(w, "e") && len(w) > 3 {
		w = w[:len(w)-1] // move and moving
	}
	return w
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// common are words that say little about what a text is about. In a question they
// weigh little, and nothing while other words are there.
var common = set(`a an the of in on at to for from by with about as into and or but if then than so that this these those there here
i me my mine we us our you your he him his she her it its they them their who whom whose which what when where why how
is are was were be been being am do does did have has had having can could will would shall should may might must
not no yes ok please tell know remember remind say said mention mentioned talk ask asked question get got go
again also any some all just very much many more most too only own same other now currently
是 的 了 吗 呢 吧 我 你 您 他 她 它 在 有 和 与 哪 谁 什么 哪里 哪个 怎么 多少 为什`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
		m[Stem(w)] = true
	}
	return m
}
