package prompt

import (
	"fmt"
	"strings"
)

// sections are what every system prompt of a task must hold, each with the words of
// which at least one shows that it is there.
var sections = []struct {
	name string
	all  [][]string // of each list one must stand there
}{
	{"identity and limits of duty", [][]string{{"you are", "你是"}, {"never", "only", "不得", "只"}}},
	{"tools and how to fill their arguments", [][]string{{"tool", "工具"}, {"argument", "parameter", "参数"}}},
	{"when to end and deliver", [][]string{{"you must answer", "must finish", "must stop", "必须结束", "必须回答", "必须立即", "就结束", "就必须", "就要回答"}, {"only to confirm", "reconfirm", "再确认", "重复确认", "为了确认"}}},
	{"what to do on errors: retry", [][]string{{"error", "出错", "错误"}, {"retry", "try again", "重试"}}},
	{"what to do on errors: another approach", [][]string{{"different approach", "another approach", "换一种", "换个办法", "换个方法", "换一个方法", "其他方法", "别的方法"}}},
	{"what to do on errors: end", [][]string{{"or end", "give up", "结束", "放弃"}}},
	{"that results may be cut", [][]string{{"cut", "truncated", "截断"}}},
}

// loose are words that invite a model to go on for ever or to think aloud.
var loose = []string{"step by step", "step-by-step", "as needed", "as many times", "一步一步", "逐步思考", "按需"}

// Lint says what is wrong with a system prompt of a task: what it lacks, without
// which it may not be used, and what it should not say.
func Lint(text string) (missing, faults []string) {
	lower := strings.ToLower(text)
	holds := func(words []string) bool {
		for _, w := range words {
			if strings.Contains(lower, w) {
				return true
			}
		}
		return false
	}
	for _, s := range sections {
		for _, words := range s.all {
			if !holds(words) {
				missing = append(missing, fmt.Sprintf("does not say %s: it should hold %q or, in Chinese, %q", s.name, words[0], words[len(words)-1]))
				break
			}
		}
	}
	for _, w := range loose {
		if strings.Contains(lower, w) {
			faults = append(faults, fmt.Sprintf("%q invites a model never to end; say when it must end", w))
		}
	}
	return missing, faults
}
