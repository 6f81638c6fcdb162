package bot

import (
	"fmt"
	"time"
)

// spotWords are the words of spot checks.
type spotWords struct {
	spotHead  func(from, to time.Time, n int) string
	spotAsked func(name string) string
	spotCost  func(status string, tokens int) string
	spotLink  string
	spotFound func(f Finding, name string) string
	finding   map[Finding]string
}

var englishSpots = spotWords{
	spotHead: func(from, to time.Time, n int) string {
		week := from.Format("2 Jan") + " – " + to.Format("2 Jan 2006")
		if n == 0 {
			return "Spot check, " + week + ": nothing has ended in this week that may be shown here."
		}
		return fmt.Sprintf("Spot check, %s: %s drawn by lot of what I have done. Please look at each and say whether it was right.", week, plural(n, "piece")+" of work")
	},
	spotAsked: func(name string) string { return name + " asked:" },
	spotCost: func(status string, tokens int) string {
		return fmt.Sprintf("%s · %d tokens", upper(status), tokens)
	},
	spotLink:  "Answer: ",
	spotFound: func(f Finding, name string) string { return upper(englishFinding[f]) + ", says " + name },
	finding:   englishFinding,
}

var englishFinding = map[Finding]string{Right: "Right", Wrong: "Wrong", Unclear: "Unclear"}

var chineseSpots = spotWords{
	spotHead: func(from, to time.Time, n int) string {
		week := from.Format("2006年1月2日") + "至" + to.Format("1月2日")
		if n == 0 {
			return "抽查（" + week + "）：这一周没有可以在这里展示的已结束任务。"
		}
		return fmt.Sprintf("抽查（%s）：从我做过的事里随机抽了 %d 件。请逐件看一下，说说做得对不对。", week, n)
	},
	spotAsked: func(name string) string { return name + " 提出：" },
	spotCost: func(status string, tokens int) string {
		return fmt.Sprintf("%s · %d tokens", status, tokens)
	},
	spotLink:  "回答：",
	spotFound: func(f Finding, name string) string { return name + " 认为：" + chineseFinding[f] },
	finding:   chineseFinding,
}

var chineseFinding = map[Finding]string{Right: "正确", Wrong: "有误", Unclear: "说不准"}
