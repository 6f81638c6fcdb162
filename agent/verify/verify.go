// Package verify holds an answer against what was done. Claims finds what it says was
// done, or will be; Claim.Proved says whether a call of a tool is what it speaks of.
// Numbers are package result's affair, and what becomes of a claim that nothing
// proves is the agent's.
//
// What a newcomer would break: an honest answer is worth more than a caught lie. What
// may be a question, an offer, a denial, a quotation or the report of what somebody
// else has done is no claim, and each of these has rows in the test.
package verify

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"hermes/agent/run"
)

// A Claim is an act that an answer says was done or will be.
type Claim struct {
	Act run.Act
	// Stands says that it is how things stand ("your reminder is set"), which a look
	// proves as well as the act.
	Stands bool
}

// Claims returns what a text claims, each Claim once, in the order of run.Acts. A
// sentence that stands in what told returns, which is all that tools have said, is a
// quotation; told may be nil, and is called once at most.
func Claims(text string, told func() string) []Claim {
	low := strings.ToLower(text)
	if !holds(low, stems...) && !holds(low, stemsZh...) {
		return nil
	}
	known := sync.OnceValue(func() string {
		if told == nil {
			return ""
		}
		return strings.ToLower(squeezed(told()))
	})
	all := sentences(plain(low))
	var found []Claim
	for i, s := range all {
		if s.asks {
			continue
		}
		s.asksLater = slices.ContainsFunc(all[i+1:], func(x sentence) bool { return x.asks && !polite().MatchString(x.text) })
		claims := append(s.english(), s.chinese()...)
		if len(claims) > 0 && len(s.text) >= shortest && strings.Contains(known(), s.text) {
			continue
		}
		for _, c := range claims {
			if !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	order := run.Acts()
	slices.SortFunc(found, func(a, b Claim) int { return slices.Index(order, a.Act) - slices.Index(order, b.Act) })
	return found
}

// shortest is how long a sentence must be, in bytes, to be known again as a quotation.
const shortest = 12

// stems are parts of words without which there is no claim.
var stems = []string{
	"post", "approv", "went", "landed", "stopp", "sen", "publish", "shar", "deliver", "forward", "mail", "messag", "notif", "announc", "upload",
	"live", "up ", "out ", "online", "pinned", "available", "way", "told", "inform", "alert",
	"schedul", "remind", "set", "put", "plan", "creat", "add", "arrang", "every", "each", "ping", "tomorrow", "from now on",
	"remember", "sav", "not", "stor", "record", "mind", "memori",
	"delet", "remov", "forg", "cancel", "eras", "drop", "clear", "wip",
	"chang", "updat", "modif", "renam", "edit", "mov", "switch", "adjust", "paus", "resum", "abled", "turned", "wr", "enter",
}

var stemsZh = []string{"已", "刚", "了", "会", "将", "以后", "今后", "往后", "从现在起", "提醒", "通知", "成功", "完"}

// A lazy pattern is compiled when it is first looked for: most programs end before.
type lazy func() *regexp.Regexp

func re(pattern string) lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// holds reports whether one of the parts stands in a text.
func holds(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// A sentence is a line or a part of one, in lower case.
type sentence struct {
	text      string
	clauses   []string
	asks      bool
	heads     bool // it ends with a colon: what follows is a list
	asksLater bool // a later one waits for an answer
}

var (
	fenced = re("(?s)```.*?(?:```|$)")
	aside  = re(`(?m)^\s*[>|].*$`) // what others said, and tables
	quoted = re("`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|«[^»\n]*»|《[^》\n]*》|‘[^’\n]*’")
	single = re(`(^|[\s(])'[^'\n]{2,}'`)
	link   = re(`\[([^\]\n]*)\]\([^)\n]*\)`)
	marks  = re(`(?m)\*+|^\s*(?:#{1,6}\s|[-+•]\s|\d+[.)]\s)|[✅✔☑🎉👍🗓📅📌]\x{FE0F}?\s*`)
	ends   = re(`\n+|[.!?]+(?:\s|$)|[。！？…]+\s*`)
	parts  = re(`(?:, |[;，；：—–]|: | - |\bbut\b|\bhowever\b)\s*`)
	// polite is a question that waits for nothing.
	polite = re(`else|more (?:help|i can)|can i help|还有|别的|其他|其它`)
	asking = re(`吗|呢|要不要|是否|能不能|可不可以|需要我|请确认|请批准`)
)

// stand takes the place of what is quoted: a noun that says nothing.
const stand = "∎"

// plain is a text without what is quoted in it and without its markup. One word
// between marks is a name, and stays.
func plain(text string) string {
	text = fenced().ReplaceAllString(text, "\n")
	text = aside().ReplaceAllString(text, "")
	text = quoted().ReplaceAllStringFunc(text, func(q string) string {
		if inner := strings.Trim(q, "`\"“”「」『』«»《》‘’"); strings.HasPrefix(inner, "#") && !strings.ContainsAny(inner, " \t") {
			return inner
		}
		return stand
	})
	text = strings.ReplaceAll(text, "’", "'")
	text = single().ReplaceAllString(text, "$1"+stand)
	text = link().ReplaceAllString(text, "$1")
	return marks().ReplaceAllString(text, "")
}

// sentences cuts a text at its ends of sentences and lines.
func sentences(text string) []sentence {
	var out []sentence
	for text != "" {
		end, next := len(text), len(text)
		if at := ends().FindStringIndex(text); at != nil {
			end, next = at[0], at[1]
		}
		said, mark := squeezed(text[:end]), text[end:next]
		text = text[next:]
		if said == "" {
			continue
		}
		s := sentence{text: said, asks: strings.ContainsAny(mark, "?？") || asking().MatchString(said)}
		s.heads = strings.HasSuffix(said, ":") || strings.HasSuffix(said, "：")
		for _, c := range parts().Split(strings.TrimRight(said, ":："), -1) {
			if c = strings.TrimSpace(c); c != "" {
				s.clauses = append(s.clauses, c)
			}
		}
		out = append(out, s)
	}
	return out
}

// around returns what stands in a sentence before and after its ith clause.
func (s sentence) around(i int) (before, after string) {
	return strings.Join(s.clauses[:i], ", "), strings.Join(s.clauses[i+1:], ", ")
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }
