package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/scheduler/phrase"
)

// requestOf is what a job is to do each time, in the asker's words where these
// say it all, else in ours. It is read as the same figures in every slot: the grant
// holds for these and no others. It reports false where no words are.
func (c reader) requestOf(r reading, channel string) (string, bool) {
	var tries []string
	if !r.inherits && len(r.ops) == 0 {
		own := without(r.text, r.cuts)
		tries = append(tries, own, own+c.pick(", ", "，")+c.periodWords(r.groups[0].period))
	}
	for _, words := range append(tries, c.describe(r, channel)) {
		if c.sameWork(words, r, channel) {
			return words, true
		}
	}
	return "", false
}

// keeps says whether there are words for every job that a reading comes to.
func (c reader) keeps(r reading) bool {
	for _, ch := range channelsOf(r) {
		if _, ok := c.requestOf(r, ch); !ok {
			return false
		}
	}
	return true
}

// channelsOf are the channels of the jobs of a reading, "" for none.
func channelsOf(r reading) []string {
	if len(r.sends) == 0 {
		return []string{""}
	}
	return r.sends
}

// sameWork says whether words are read as the figures and the report of r, for one
// channel, in a slot of a job.
func (c reader) sameWork(words string, r reading, channel string) bool {
	again := c
	again.slot = true
	got := again.fold([]string{words})
	if len(got.unclaimed) > 0 || got.scheduled() || len(got.ops) > 0 || !got.wants() || got.inherits || !slices.Equal(channelsOf(got), []string{channel}) {
		return false
	}
	if len(again.missing(got)) > 0 || got.groups[0].period.IsZero() {
		return false
	}
	asReport := got.report || got.post
	return asReport && fmt.Sprint(again.queries(got, true)) == fmt.Sprint(c.queries(r, true)) && c.formatOf(got) == c.formatOf(r) && chartOf(got) == chartOf(r)
}

// leadsTime is what stands before a time and says nothing without it.
var leadsTime = regexp.MustCompile(`(?i)\s(?:on|at|by)\s+$`)

// without cuts spans out of a text and tidies what is left.
func without(text string, spans []phrase.Span) string {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b phrase.Span) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End > len(text) || s.Start > s.End {
			continue
		}
		b.WriteString(leadsTime.ReplaceAllString(text[at:s.Start], " "))
		left, _ := utf8.DecodeLastRuneInString(b.String())
		right, _ := utf8.DecodeRuneInString(text[s.End:])
		if left != ' ' && !(unicode.Is(unicode.Han, left) && unicode.Is(unicode.Han, right)) {
			b.WriteString(" ")
		}
		at = s.End
	}
	b.WriteString(text[at:])
	s := strings.Join(strings.Fields(b.String()), " ")
	for {
		cut := strings.TrimRight(s, " ,;:，；、。.!！")
		for _, word := range []string{" and", " then", "并且", "并", "然后", "以后", "今后", "同时", " please do this", " do this", " at", " on"} {
			cut = strings.TrimSuffix(cut, word)
		}
		cut = strings.TrimLeft(cut, " ,;:，；、。")
		for _, word := range []string{"的", "以后", "今后", "and ", "then ", "on ", "at ", "of ", "do this :", "please do this :"} {
			cut = strings.TrimPrefix(cut, word)
		}
		if cut == s {
			return s
		}
		s = cut
	}
}
