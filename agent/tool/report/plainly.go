package report

import (
	"regexp"

	"hermes/agent/tool"
)

// A number in words is coarse: "half" is said of all between 48 and 52 percent. Of
// the hundreds of figures that a table allows one is there by chance. So it must be
// what the sentence plainly speaks of.
var (
	changeWords  = regexp.MustCompile(`(?i)\b(?:change|growth|increase|rise|gain|decline|decrease|drop|fall|loss|net)\b|增量|变化|增长额|增幅|降幅|净`)
	restWords    = regexp.MustCompile(`(?i)\b(?:rest|others?|remain(?:s|der|ing)?|elsewhere|balance)\b|其余|其他|其它|剩`)
	averageWords = regexp.MustCompile(`(?i)\b(?:average|mean|typical)\b|平均|均值`)
	apartWords   = regexp.MustCompile(`(?i)\b(?:than|ahead|behind|gap|between|more|less|fewer|lead(?:s|ing)?|beats?|differ\w*|margin)\b|比|多|少|差|领先|落后`)
)

// plainly says whether the sentence speaks of what the candidate is.
func (c *checker) plainly(k candidate, st stance, from, to int) bool {
	said := c.text.s[from:to]
	f := k.fig
	switch {
	case k.count:
		return true
	case f.op == OpShare && f.of[0].formula() == f.of[1].formula():
		return false // all of all
	case f.op == OpShare && f.of[1].op == OpDifference:
		return changeWords.MatchString(said)
	case f.op == OpShare && f.of[0].op == OpDifference, f.op == OpDifference && !k.moves:
		return restWords.MatchString(said)
	case overMean(f) && !averageWords.MatchString(said):
		return false
	case k.moves && (f.basis == tool.RolePrevious || f.basis == tool.RoleYear):
		return st.dir != 0
	case k.moves:
		return (st.dir != 0 || apartWords.MatchString(said)) && (c.nowOnly(k) || st.basis != "")
	case f.op == OpRatio:
		return c.nowOnly(k) || st.basis != "" || st.dir != 0 || multipleVerb.MatchString(said)
	}
	return c.nowOnly(k) || st.basis != ""
}

// multipleVerb are words that move by themselves: "Asia doubled".
var multipleVerb = regexp.MustCompile(`(?i)\b(?:doubl|tripl|quadrupl|halv)(?:es|ed|ing)\b|fold\b|翻|减半|腰斩|去年|上期`)

func overMean(f figure) bool {
	return len(f.of) == 2 && (f.of[1].op == OpMean || f.of[0].op == OpMean)
}

// nowOnly says whether a candidate rests on the measure itself, and on nothing that
// it is compared with.
func (c *checker) nowOnly(k candidate) bool {
	for _, cell := range k.fig.cells() {
		f := c.frames[cell.Table]
		for i, col := range f.Columns {
			if col.Key == cell.Column && (i == f.prev || i == f.year) {
				return false
			}
		}
	}
	return true
}
