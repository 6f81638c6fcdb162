package verify

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Record is what a text may cite: the steps of a run so far and its tools.
type Record struct {
	Steps int         // so many have been
	Acted func() bool // whether one of them has run a tool
	// Ran reports of a tool whether it has run, and Known whether there is one of that
	// name.
	Ran, Known func(tool string) bool
}

// citeStems are parts of words without which nothing that was seen is spoken of.
var citeStems = []string{"step", "round", "_", "result", "tool", "query", "quer", "data show", "output", "returned", "第", "结果", "工具", "查询", "返回", "数据显示"}

var (
	// byStep and byTool are citations: "as step 2 shows", "(round 3)", "query_metric says".
	byStep = re(`(?:\b(?:in|from|per|see|as|by|of|after|according to|source:?) |[(\[])(?:the )?(?:result of |results of |output of )?(?:step|round) (\d{1,3})\b|\b(?:step|round) (\d{1,3})(?:'s (?:result|output|query|call)| (?:returned|says|said|shows|showed|found|gave|confirms|confirmed|reports|reported))\b`)
	// howTo is of a text that tells somebody else's steps.
	howTo    = re(`(?m)^[\s*#>-]*(?:step|round) \d+\**\s*(?:[:.)—-]|$)|^[\s*#>-]*第\s*\d+\s*步\**\s*(?:[:：,，、.]|$)`)
	byStepZh = re(`(?:根据|依据|据|来自|见|按|（|\(|由|在)第\s*(\d{1,3})\s*[步轮]|第\s*(\d{1,3})\s*[步轮](?:的)?(?:结果|返回|显示|查到|查询|得到|输出|说)`)
	byTool   = re(`(?:\b(?:according to|from|per|result of|results of|output of|source:?|says|by|used|via|called) |[(\[]|根据|来自|据|调用了?|用了?)\s*` + "`?" + `([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b|\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)` + "`?" + `(?: (?:tool )?(?:returned|returns|says|said|shows|showed|found|gave|confirms|confirmed|reports|reported|succeeded|worked)\b|\s*(?:工具)?(?:返回|显示|查到|说|的结果|成功))`)
	// toolish is a word that can be nothing but the name of a tool.
	toolish = re(`\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b`)
	// observes is a word on what a tool has shown.
	observes = re(`\b(?:the|its|this|that|my|last|previous) (?:tool|query|result|results|output|lookup|look-up|call|data) (?:\w+ )?(?:returned|returns|says|said|shows?|showed|found|gave|confirms?|confirmed|reports?|indicates?|was|were|came)\b|\b(?:according to|based on|as shown by|as seen in) (?:the|its|this|that|my) (?:tool|query|results?|output|data|lookup)\b|(?:工具|查询|结果|数据|上一步)(?:的?结果)?(?:返回|显示|表明|说明|查到|确认)|根据(?:查询|工具|上面的|上一步)(?:的)?(?:结果|数据)?`)
)

// Miscited returns what a text cites of steps that were not, and of tools that have not
// run. A tool of which nobody has heard is a word like any other.
func (rec Record) Miscited(text string) []string {
	low := strings.ToLower(text)
	if !holds(low, citeStems...) {
		return nil
	}
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	low = fenced().ReplaceAllString(low, "\n")
	if !howTo().MatchString(low) {
		for _, of := range []lazy{byStep, byStepZh} {
			for _, m := range of().FindAllStringSubmatch(low, -1) {
				if n, err := strconv.Atoi(m[1] + m[2]); err == nil && (n > rec.Steps || !rec.Acted()) {
					add("step " + strconv.Itoa(n))
				}
			}
		}
	}
	if strings.Contains(low, "_") {
		for _, m := range byTool().FindAllStringSubmatch(low, -1) {
			if name := m[1] + m[2]; rec.Known(name) && !rec.Ran(name) {
				add(name)
			}
		}
	}
	return out
}

// Uncited reports whether a text speaks of what a tool has shown without saying which,
// or in which step.
func Uncited(text string) bool {
	low := strings.ToLower(text)
	if !holds(low, citeStems...) || !observes().MatchString(low) {
		return false
	}
	return !slices.ContainsFunc([]*regexp.Regexp{byStep(), byStepZh(), toolish()}, func(x *regexp.Regexp) bool { return x.MatchString(low) })
}
