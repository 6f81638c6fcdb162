package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/tool"
)

// A number in words is a number: what the data bears out within its rounding stays,
// what was made up is struck out, in both languages.
func TestCheckReadsNumbersInWords(t *testing.T) {
	for text, want := range map[string][]string{
		// Borne out: Asia has 29.6 % of sales, Asia and Europe 51.8 %, North America
		// 37.7 %; Asia made $401,234, a third more than a year before.
		"Asia and Europe make up about half.":                            nil,
		"Half came from Asia and Europe.":                                nil,
		"Asia and Europe together hold one half of all sales.":           nil,
		"North America and Asia make up two thirds of the total.":        nil,
		"North America and Asia make up two-thirds.":                     nil,
		"North America holds more than a third.":                         nil,
		"Asia holds three in ten dollars.":                               nil,
		"Asia grew by a third on last year.":                             nil,
		"Asia is up more than a third on the year.":                      nil,
		"Asia grew thirty-five percent on last year.":                    nil,
		"Middle East more than tripled on last year.":                    nil,
		"Asia made four hundred thousand dollars.":                       nil,
		"Asia made about four hundred and one thousand dollars.":         nil,
		"Sales came to one point four, or about one and a half million.": nil, // by day it is 1.44
		"Asia made $0.4 million, and Latin America a fifth of that.":     nil,
		"Asia 占三成。":                                                      nil,
		"Asia 和 Europe 合计占一半。":                                           nil,
		"Asia 和 Europe 占半数以上。":                                           nil,
		"North America 和 Asia 占三分之二。":                                    nil,
		"Asia 销售额约四十万美元，准确说是四十万零一千。":                                     nil,
		"Asia 同比增长三成五。Asia 同比增长百分之三十五。":                                  nil,
		"Middle East 是去年的三倍半。":                                           nil,
		"Europe 下降了百分之十七。":                                               nil,
		"Europe 占比下降了十七个百分点。":                                            {"十七个百分点"},
		"North America 占比近四成。":                                           nil,

		// Made up.
		"About 2x.":                                          {"2x"},
		"Asia made about 2x what Europe made.":               {"2x"},
		"Asia made twelve thousand more than Europe.":        {"twelve thousand"},
		"Asia made half of all sales.":                       {"half"},
		"Africa made half a million.":                        {"half a million"},
		"North America holds a third of sales.":              {"a third"},
		"North America holds one-third.":                     {"one-third"},
		"Africa holds a quarter of sales.":                   {"a quarter"},
		"Africa fell by a quarter.":                          {"a quarter"},
		"Africa holds one in ten dollars.":                   {"one in ten"},
		"Africa holds 1/3 of sales, or ½.":                   {"1/3", "½"},
		"Asia is three times as large as Europe.":            {"three times"},
		"Asia is twice the size of Europe.":                  {"twice"},
		"Asia doubled on last year.":                         {"doubled"},
		"Europe halved.":                                     {"halved"},
		"Asia grew fivefold.":                                {"fivefold"},
		"Asia gained ninety percent.":                        {"ninety percent"},
		"Asia's share rose three percentage points.":         nil, // 2.7
		"Asia's share rose nine percentage points.":          {"nine percentage points"},
		"Seventeen regions fell.":                            {"Seventeen"},
		"Asia sold to two million customers, five USD each.": {"two million", "five USD"},
		"A hundred orders, and a dozen customers.":           {"A hundred", "a dozen"},
		"Asia won eleven customers.":                         {"eleven"},
		"Africa 占三成。":                                        {"三成"},
		"Africa 占一半。":                                        {"一半"},
		"Asia 是 Europe 的两倍。":                                 {"两倍"},
		"Asia 翻了一番，Europe 减半。":                               {"翻了一番", "减半"},
		"Africa 增长一倍。":                                       {"一倍"},
		"North America 占三分之一。":                               {"三分之一"},
		"Asia 销售额六十万，比 Europe 多一万两千。":                        {"六十万", "一万两千"},
		"Africa 有三百单，二十五位客户之外还有十五件退货。":                       {"三百", "十五"},
		"Europe 占比过半。":                                       {"过半"},
	} {
		checkWords(t, text, want)
	}
}

// Words of numbers that say nothing of the data stay as they are.
func TestCheckLeavesWaysOfSpeaking(t *testing.T) {
	for _, text := range []string{
		"One of the regions is the one to watch; no one knows why, and one could ask.",
		"First, Asia. Second, Europe. Third, Africa. A third, smaller group follows.",
		"In the first half, the second half of 2026 and the latter half of the year; a half-year, half a year, half of October.",
		"The second quarter, a third party, a third region, the fourth time, for three quarters in a row, in a quarter.",
		"Three things stand out: two regions grew, four fell, and the two largest hold their places.",
		"The top three, the first two and the last five places; the twenty-first day.",
		"In the last three months, a two-day dip, for thirty days, twenty-four hours, week two.",
		"Double-digit growth, twice in October, a triple crown, both halves.",
		"Hundreds of orders, thousands of people, dozens of ways, a couple of days.",
		"One-off effects, a ten-figure sum, a two-way street, a fifty-fifty chance.",
		"Someone alone, anyone, the tenth, often, weight, height, freight, tone.",
		"一些地区、一个地区、一方面、一直、唯一、第一、之一、统一、一定、一般，一成不变。",
		"上半年、下半年、半年、半个月、第三季度、三季度、二零二六年十月、十二月三十一日、星期三、周五。",
		"排名第三成为亮点，三成交易未计，万一、十分、千万不要、成千上万、百分百、数百单、几十件、上百家。",
		"三个地区上升，两个地区下降，前三名、前十、第十二位，近三十天，过去三个月。",
		"四川、三亚、百货、万达、五金、双十一、一线城市、千岛湖、一带一路。",
	} {
		checkWords(t, text, nil)
	}
}

// The name of a row is a name, whatever numbers are in its words.
func TestCheckLeavesNamesWithNumberWords(t *testing.T) {
	g := regions("en")
	g.Rows[0][0], g.Rows[1][0], g.Rows[2][0] = "Seven Hundred Seas", "三百里", "Half Moon Bay"
	const text = "Seven Hundred Seas leads 三百里 and Half Moon Bay."
	if _, _, struck := Check(text, []tool.Grid{g}, "en"); len(struck) > 0 {
		t.Errorf("struck %q", struck)
	}
}

func checkWords(t *testing.T, text string, want []string) {
	t.Helper()
	grids := []tool.Grid{regions("en"), days("en")}
	clean, ev, struck := Check(text, grids, "en")
	if d := cmp.Diff(want, struck); d != "" {
		t.Errorf("%q: struck (-want +got):\n%s", text, d)
		for _, e := range ev {
			t.Logf("%q is %s = %g", e.Shown, e.Formula, e.Value)
		}
	}
	if again, _, _ := Check(clean, grids, "en"); again != clean {
		t.Errorf("%q: checked twice it is %q", text, again)
	}
}

// 一万二千 and its kind are read as they are counted.
func TestChineseNumbersAreRead(t *testing.T) {
	for text, want := range map[string][2]float64{
		"十": {10, 10}, "十二": {12, 1}, "二十": {20, 10}, "一百二十": {120, 10}, "一百零五": {105, 1}, "三百五": {350, 10},
		"一千二百三十四": {1234, 1}, "两千": {2000, 1000}, "一万二": {12000, 1000}, "一万二千": {12000, 1000}, "十二万": {120000, 1e4}, "三百万": {3e6, 1e6},
		"二十三万五千": {235000, 1000}, "一亿": {1e8, 1e8}, "一亿两千万": {1.2e8, 1e7}, "三万亿": {3e12, 1e12}, "三十五点六": {35.6, 0.1}, "零点五": {0.5, 0.1},
	} {
		if v, digit, ok := fromChinese(text); !ok || v != want[0] || digit != want[1] {
			t.Errorf("%s = %g to %g, %t; want %g to %g", text, v, digit, ok, want[0], want[1])
		}
	}
	for _, text := range []string{"", "点五", "三点", "万", "三点十"} {
		if v, _, ok := fromChinese(text); ok {
			t.Errorf("%q = %g", text, v)
		}
	}
}
