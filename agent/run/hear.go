package run

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What people say of an open card, as whole texts made of these phrases alone.
var (
	consent = []string{
		"yes", "y", "yep", "yeah", "yup", "ok", "okay", "k", "sure", "fine", "approve", "approved", "i approve", "approve it", "approve this",
		"go ahead", "go for it", "do it", "post it", "send it", "ship it", "confirm", "confirmed", "confirm it", "agreed", "i agree",
		"lgtm", "looks good", "looks good to me", "sounds good", "fine by me", "fine with me",
		"批准", "同意", "可以", "可以的", "好", "好的", "行", "是", "是的", "对", "确认", "没问题", "通过", "发", "发送", "执行",
	}
	refusal = []string{
		"no", "n", "nope", "nah", "deny", "denied", "deny it", "don't", "do not", "don't do it", "do not do it", "don't post it", "do not post it",
		"don't send it", "do not send it", "no thanks", "no thank you", "reject", "rejected", "reject it",
		"拒绝", "不同意", "不批准", "不要", "不", "不发", "不要发", "别", "别发", "不行", "不可以", "驳回", "否", "不好",
	}
	callOff = []string{
		"never mind", "nevermind", "cancel", "cancel it", "cancel that", "cancel this", "forget it", "forget that", "forget about it", "drop it",
		"leave it", "call it off", "scrap it", "scrap that", "scratch that", "abort", "not needed", "no need", "don't bother",
		"算了", "取消", "撤销", "撤回", "作废", "不用", "不需要", "不做", "当我没说", "没事",
	}
	// wait is of who asked: not like this, and perhaps not at all.
	wait = []string{"wait", "hold on", "hang on", "not yet", "not now", "等等", "等一下", "等一等", "等下", "先等等", "先等一下", "先别", "先别发", "先不要", "先不发", "慢着"}
	// filler says nothing by itself.
	filler = []string{"please", "then", "just", "thanks", "thank you", "now", "it", "请", "那", "就", "吧", "了", "啊", "呀", "呢", "谢谢"}
)

// verdicts are the words that are said of nothing but a card. A mere yes or no may be
// for another person of the thread.
var verdicts = []string{
	"approve", "approved", "i approve", "approve it", "approve this", "deny", "denied", "deny it", "reject", "rejected", "reject it",
	"批准", "同意", "拒绝", "不同意", "不批准", "驳回",
}

// IsVerdict reports whether words give or refuse an approval by that name.
func IsVerdict(text string) bool { return only(bare(text), verdicts) }

// Hear reads words of a person as an Answer. It reports false for words that are
// none. A choice goes by its label or its number. An approval can be refused in words
// but not given: words of consent are heard as Said, so that who wrote them is told
// where to press. Who asked may call off whatever waits.
func (q Question) Hear(by, text string) (Answer, bool) {
	text = strings.TrimSpace(text)
	ans := Answer{Question: q.ID, Note: text}
	if q.Kind == Choose {
		for i, o := range q.Options {
			if strings.EqualFold(text, o.Label) || text == strconv.Itoa(i+1) {
				ans.Choice = o.ID
				return ans, true
			}
		}
	}
	if q.Kind == Choose && q.Words && by == q.Asked && q.alike(text) {
		return ans, true
	}
	if choice, note, ok := commanded(text); ok && q.Kind == Approve {
		ans.Choice, ans.Note = choice, note
		return ans, true
	}
	said, mine := bare(text), by == q.Asked
	switch {
	case q.Kind == Approve && only(said, consent):
		ans.Choice = Said
	case q.Kind == Approve && only(said, refusal), q.Kind == Approve && !mine && only(said, refusal, callOff):
		ans.Choice = No
	case mine && q.Kind == Approve && only(said, refusal, callOff, wait), mine && only(said, callOff):
		ans.Choice = Ceased
	case q.Kind != Say || text == "":
		return Answer{}, false
	}
	return ans, true
}

// amount is a number, in figures or words, as in the answer to when or how many.
var amount = regexp.MustCompile(`(?i)\d|[一二两三四五六七八九十半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|half|quarter)\b`)

// alike reports whether words are an answer of the kind of those that are offered, and
// not another request: as short, and with a number if those have one.
func (q Question) alike(text string) bool {
	const most, words = 24, 4
	switch {
	case text == "", len([]rune(text)) > most, len(strings.Fields(text)) > words, strings.ContainsAny(text, "?？"), only(bare(text), refusal, callOff):
		return false
	}
	return slices.ContainsFunc(q.Options, func(o Option) bool { return amount.MatchString(o.Label) }) && amount.MatchString(text)
}

// commands are how a no with its reason, and a wish for something else, are written
// where there are no forms.
var commands = map[string]string{"/deny": No, "/拒绝": No, "/change": Change, "/修改": Change}

// commanded reads such a command; one for changes says which.
func commanded(text string) (choice, note string, ok bool) {
	word, note, _ := strings.Cut(text, " ")
	choice, ok = commands[strings.ToLower(word)]
	note = strings.TrimSpace(note)
	return choice, note, ok && (choice == No || note != "")
}

// Reason is what a person said beside a no or a wish for changes; a mere no in words
// is no reason.
func (a Answer) Reason() string {
	if a.Choice != No && a.Choice != Change || a.Choice == No && only(bare(a.Note), refusal, callOff) {
		return ""
	}
	return a.Note
}

// bare is a text in small letters without marks, with one space between words.
func bare(text string) string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || r != '\'' && r != '#' && r != '@' && r != '/' && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	}), " ")
}

// longest is how much of a text can be an answer of phrases alone.
const longest = 60

// only reports whether a bare text is made of phrases and filler, and not of filler
// alone.
func only(text string, phrases ...[]string) bool {
	return len(text) <= longest && made(text, slices.Concat(phrases...), false)
}

func made(text string, phrases []string, some bool) bool {
	if text = strings.TrimPrefix(text, " "); text == "" {
		return some
	}
	for i, list := range [][]string{phrases, filler} {
		for _, p := range list {
			rest, ok := strings.CutPrefix(text, p)
			if ok && parts(p, rest) && made(rest, phrases, some || i == 0) {
				return true
			}
		}
	}
	return false
}

// parts reports whether a phrase ends where the rest begins: words of letters do not
// run on, Han characters stand by themselves.
func parts(phrase, rest string) bool {
	last, _ := utf8.DecodeLastRuneInString(phrase)
	next, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || next == ' ' || unicode.Is(unicode.Han, last) || unicode.Is(unicode.Han, next)
}

// Same reports whether two approvals ask for the very same: calls that are equal, or
// that plan a schedule in the same words, since its id is new each time.
func (q Question) Same(as Question) bool {
	plans := func(q Question) bool {
		return slices.ContainsFunc(q.Calls, func(c Planned) bool { return c.Job != "" })
	}
	lines := plans(q) && plans(as)
	return q.Kind == Approve && as.Kind == Approve && slices.EqualFunc(q.Calls, as.Calls, func(a, b Planned) bool {
		return a.Name == b.Name && (a.Hash == b.Hash || lines && len(a.Lines) > 0 && slices.Equal(a.Lines, b.Lines))
	})
}
