package report

import (
	"fmt"
	"regexp"
	"strings"
)

// What a model's own words may not lead to unless a person has looked: somebody is
// called, or an address is given that no table has. They are looked for in what the words
// read as.
var (
	linkForm    = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]{1,20}:(?://|/\\)[^\s<>"|)\]]+|\b(?:mailto|tel|javascript|data):[^\s<>"|)\]]+|\]\([^)\s]+|<a\s[^>]*>`)
	mailForm    = regexp.MustCompile(`(?i)[\p{L}0-9._%+-]+\s?(?:@|＠|\(at\)|\[at\])\s?[\p{L}0-9-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}0-9-]+)+`)
	hostForm    = regexp.MustCompile(`(?i)(?:[\p{L}0-9](?:[\p{L}0-9-]*[\p{L}0-9])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]+|\p{Han}{2,4})(?:[/:?][^\s<>"|)\]]*)?|\b\d{1,3}(?:\.\d{1,3}){3}(?:[:/][^\s]*)?`)
	mentionForm = regexp.MustCompile(`(?i)<[@!#][^>\s]*>?|(?:^|[^\p{L}0-9])[@＠][\p{L}0-9][\p{L}0-9._-]*`)
	channelForm = regexp.MustCompile(`(?:^|[^\p{L}0-9&])[#＃]\p{L}[\p{L}0-9_-]*`)
)

// outward are the marks of a model's words: each link, address and name of somebody or
// some channel in them, and the numbers that were struck out. A name with a dot that a
// table has is none.
func outward(text string, struck []string, frames []*frame, lang string) []string {
	said := page{lang: lang}.say
	var marks []string
	rest := seen(text)
	find := func(re *regexp.Regexp, en, zhText string) {
		rest = re.ReplaceAllStringFunc(rest, func(m string) string {
			shown := strings.TrimLeft(strings.TrimSpace(m), `([{"'，。、：；（“`)
			if re == hostForm && (inTables(shown, frames) || sentenceEnd(shown)) || re == spokenForm && noAddress.MatchString(shown) {
				return m
			}
			marks = append(marks, fmt.Sprintf(said(en, zhText), strings.ReplaceAll(shorten(shown), "`", "'")))
			return " "
		})
	}
	find(linkForm, "the model's words hold a link: `%s`", "模型写的文字里有链接：`%s`")
	find(mailForm, "the model's words hold an address: `%s`", "模型写的文字里有地址：`%s`")
	find(mentionForm, "the model's words call somebody: `%s`", "模型写的文字里提到某人：`%s`")
	find(channelForm, "the model's words name a channel: `%s`", "模型写的文字里提到频道：`%s`")
	find(hostForm, "the model's words hold an address: `%s`", "模型写的文字里有地址：`%s`")
	find(spokenForm, "the model's words hold an address: `%s`", "模型写的文字里有地址：`%s`")
	find(toldForm, "the model's words tell a number digit by digit: `%s`", "模型写的文字里逐位念出一个数字：`%s`")
	hidden, odd, slips := disguised(text, frames)
	if hidden {
		marks = append(marks, said("the model's words hold signs that nobody sees", "模型写的文字里有看不见的字符"))
	}
	for _, w := range odd {
		marks = append(marks, fmt.Sprintf(said("the model's words hold letters that look like others: `%s`", "模型写的文字里有形近的字母：`%s`"), shorten(w)))
	}
	for _, w := range slips {
		marks = append(marks, fmt.Sprintf(said("the model's words hold what may be a number: `%s`", "模型写的文字里有可能是数字的词：`%s`"), shorten(w)))
	}
	if len(struck) > 0 {
		marks = append(marks, fmt.Sprintf(said("the model's words have numbers that no table bears out: %s", "模型写的文字里有数据不支持的数字：%s"), strings.Join(struck, ", ")))
	}
	return marks
}

// sentenceEnd is true of two words with a stop between them for want of a blank:
// "grew.Asia" is no address, since hosts are written small.
func sentenceEnd(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && i+1 < len(s) && s[i+1] >= 'A' && s[i+1] <= 'Z' && !strings.ContainsAny(s, "/:?") && strings.Count(s, ".") == 1
}

// inTables reports whether a table has a name as it is written.
func inTables(name string, frames []*frame) bool {
	if strings.ContainsAny(name, "/:?") {
		return false
	}
	for _, f := range frames {
		for r := range f.Rows {
			for _, by := range f.by {
				if strings.EqualFold(seen(f.text(r, by)), name) {
					return true
				}
			}
		}
	}
	return false
}

func shorten(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
