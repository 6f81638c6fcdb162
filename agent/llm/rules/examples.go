package rules

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// examples are requests that are understood with the sample layer; each is shown
// where it is like what was said.
var examples = [][2]string{
	{"what were last month's sales?", "上个月的销售额是多少？"},
	{"show sales by region for last week", "看一下上周各地区的销售额"},
	{"top 5 products by sales last month", "上个月销售额前五的产品"},
	{"how did last month's sales compare with the month before?", "上个月销售额环比怎么样？"},
	{"summarise last month's sales by region", "把上个月的销售按地区汇总"},
	{"write an analysis of last month's sales by product and post it to #sales", "写一份上个月各产品的销售分析，发到 #sales"},
	{"export last month's orders by customer as CSV", "把上个月的订单按客户导出成CSV"},
	{"last month's sales by region as PDF with a pie chart", "把上个月各地区的销售额做成PDF，配饼图"},
	{"plot the sales trend for last quarter", "画一下上季度的销售走势"},
	{"every Monday at 9:00 post last week's sales by region to #sales", "每周一早上9点把上周各地区的销售额发到 #sales"},
	{"show my schedules", "有哪些定时任务"},
	{"pause j1a2b3c4", "暂停 j1a2b3c4"},
	{"delete j1a2b3c4", "删除 j1a2b3c4"},
	{"from now on I want CSV", "以后我要CSV格式"},
	{"my manager is Lee", "我的经理是李雷"},
	{"GMV means gross merchandise value", "GMV 的意思是 成交总额"},
	{"remember that our fiscal year starts in April", "记住我们的财年从四月开始"},
	{"what do you remember about me?", "你记得我什么？"},
	{"forget that", "忘掉刚才说的"},
}

// examplePieces are the pieces of the examples, made when they are first needed.
var examplePieces = sync.OnceValue(func() [][2]map[string]bool {
	var all [][2]map[string]bool
	for _, e := range examples {
		all = append(all, [2]map[string]bool{pieces(e[0]), pieces(e[1])})
	}
	return all
})

// nearest returns the n examples that have most in common with a text, in the
// asker's language.
func (c reader) nearest(text string, n int) []string {
	type near struct {
		text  string
		score float64
	}
	said := pieces(text)
	var found []near
	for i, e := range examples {
		one := examplePieces()[i][0]
		if c.lang == "zh" {
			one = examplePieces()[i][1]
		}
		common := 0
		for p := range one {
			if said[p] {
				common++
			}
		}
		found = append(found, near{c.pick(e[0], e[1]), float64(common) / float64(len(one)+len(said)+1)})
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, f := range found[:n] {
		out = append(out, f.text)
	}
	return out
}

// small are words that make no two requests alike.
var small = map[string]bool{"the": true, "a": true, "of": true, "to": true, "it": true, "and": true, "for": true, "is": true, "i": true, "me": true, "的": true, "我": true, "一": true}

// pieces are the words of a text, and of Chinese the single characters and pairs.
func pieces(text string) map[string]bool {
	out := map[string]bool{}
	t := normalise(text).runes
	for i := 0; i < len(t) && len(out) < 400; {
		j := i
		for j < len(t) && isWord(t[j]) {
			j++
		}
		if j > i {
			w := strings.TrimSuffix(string(t[i:j]), "s")
			if !small[w] {
				out[w] = true
			}
			i = j
			continue
		}
		if t[i] >= 0x4E00 && !small[string(t[i])] {
			out[string(t[i])] = true
			if i+1 < len(t) && t[i+1] >= 0x4E00 {
				out[string(t[i:i+2])] = true
			}
		}
		i++
	}
	return out
}
