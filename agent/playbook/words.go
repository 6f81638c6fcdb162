package playbook

import (
	"fmt"
	"strings"
)

// A Said is what an End is told with.
type Said struct {
	Title   string // of the report
	Label   string // of its period; empty if it has none
	Name    string
	Version int
	Test    bool
}

// Say is an End in words, in a language: what was done, or what stands against it.
func (e End) Say(s Said, lang string) string {
	zh := lang == "zh"
	what := "**" + s.Title + "**"
	switch {
	case s.Label != "" && zh:
		what += "（" + s.Label + "）"
	case s.Label != "":
		what += ", " + s.Label
	}
	from := fmt.Sprintf("saved report `%s`, version %d", s.Name, s.Version)
	if zh {
		from = fmt.Sprintf("已保存的报表 `%s`，第 %d 版", s.Name, s.Version)
	}
	pick := func(en, han string) string {
		if zh {
			return han
		}
		return en
	}
	sure := pick(what+" ("+from+")", what+"（"+from+"）")
	silence := ""
	if e.Silent {
		silence = pick(" It is without the commentary: no language model has written one.", "这份报表没有评述：没有语言模型写出评述。")
	}
	switch {
	case e.Failed != "":
		return pick("Step `"+e.Failed+"` of "+sure+" failed: ", sure+"的步骤 `"+e.Failed+"` 没有成功：") + strings.TrimSpace(e.Why)
	case len(e.Broken) > 0:
		return pick(sure+" is not as its contract wants it. Nothing was posted.", sure+"不符合它的约定，没有发送。") + "\n- " + strings.Join(e.Broken, "\n- ")
	case e.Denied != "":
		return pick("Not posted: "+e.Denied+" said no to "+sure+".", "没有发送："+e.Denied+"没有同意"+sure+"。")
	case e.Wanted != "":
		return pick("Not posted: somebody wants "+sure+" otherwise. A saved report is changed with `hermes report edit "+s.Name+"`.",
			"没有发送：有人要求修改"+sure+"。已保存的报表用 `hermes report edit "+s.Name+"` 修改。")
	case e.Dry:
		return pick("Rehearsal: "+sure+" would be posted to "+e.To+"; nothing was posted.", "演练：会把"+sure+"发到 "+e.To+"，这次没有发送。") + silence
	case e.Why != "":
		return pick("Not posted: ", "没有发送：") + strings.TrimSpace(e.Why) + pick(" ("+from+")", "（"+from+"）")
	case e.Link != "":
		to := "[" + e.To + "](" + e.Link + ")"
		return pick("Posted "+sure+" to "+to+".", "已把"+sure+"发到 "+to+"。") + silence
	case e.To != "":
		return pick("Posted "+sure+" to "+e.To+".", "已把"+sure+"发到 "+e.To+"。") + silence
	case s.Test:
		return pick("Test of "+sure+": nothing was posted.", "试运行"+sure+"：没有发送。") + silence
	}
	return pick(sure+".", sure+"。") + silence
}
