package schedule

import (
	"regexp"
	"strings"

	"hermes/scheduler"
)

// aboutWords are how people say which period the slots are about, beside when they come.
var aboutWords = []struct {
	form  *regexp.Regexp
	about scheduler.About
}{
	{regexp.MustCompile(`(?i)[,;]?\s*(?:always\s+)?\b(?:about|on|for|covering)\s+the\s+(?:previous|preceding)\s+(?:day|week|month|quarter|year|period)\b|[,;]?\s*\b(?:about|for|covering)\s+the\s+(?:day|week|month|quarter|year|period)\s+before\b|[，,、]?\s*(?:关于|统计|针对|报|汇报)(?:的是)?(?:前|上|之前)(?:面)?(?:的)?(?:那)?(?:一)?个?(?:月|周|季度?|年|期)(?:的)?(?:数据)?`), scheduler.Previous},
	{regexp.MustCompile(`(?i)[,;]?\s*\b(?:about|for|covering)\s+(?:the|that)\s+(?:very\s+|same\s+)?(?:day|week|month|quarter|year|period)\s+(?:that\s+ends(?:\s+then)?|it\s+is\s+in|itself)\b|[，,、]?\s*(?:关于|统计|针对|报|汇报)(?:的是)?(?:当|本|这)(?:个)?(?:月|周|季度?|年|期)(?:的)?(?:数据)?`), scheduler.Current},
}

// aboutIn takes what words say of the period out of what they say of the time.
func aboutIn(words string) (string, scheduler.About) {
	for _, w := range aboutWords {
		if m := w.form.FindStringIndex(words); m != nil {
			return strings.TrimSpace(words[:m[0]] + words[m[1]:]), w.about
		}
	}
	return words, scheduler.AsUsual
}
