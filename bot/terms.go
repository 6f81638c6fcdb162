package bot

import (
	"fmt"
	"time"
)

// terms are what models write into the arguments of tools, and how people say it in
// English and Chinese. What is not among them is shown as it was written.
var terms = [][3]string{
	{"today", "today", "今天"}, {"yesterday", "yesterday", "昨天"},
	{"this_week", "this week", "本周"}, {"last_week", "last week", "上周"},
	{"this_month", "this month", "本月"}, {"last_month", "last month", "上个月"}, {"month_before_last", "month before last", "上上个月"},
	{"this_quarter", "this quarter", "本季度"}, {"last_quarter", "last quarter", "上季度"},
	{"this_year", "this year", "今年"}, {"last_year", "last year", "去年"}, {"ytd", "year to date", "今年以来"},
	{"last_7_days", "last 7 days", "最近 7 天"}, {"last_30_days", "last 30 days", "最近 30 天"}, {"last_90_days", "last 90 days", "最近 90 天"},
	{"sales", "sales", "销售额"}, {"revenue", "revenue", "收入"}, {"orders", "orders", "订单数"}, {"units", "units sold", "销量"},
	{"profit", "profit", "利润"}, {"average_order_value", "average order value", "客单价"},
	{"region", "region", "地区"}, {"product", "product", "产品"}, {"category", "category", "类别"}, {"customer", "customer", "客户"},
	{"day", "day", "日"}, {"week", "week", "周"}, {"month", "month", "月"}, {"quarter", "quarter", "季度"}, {"year", "year", "年"},
	{"daily", "daily", "每天"}, {"weekly", "weekly", "每周"}, {"monthly", "monthly", "每月"}, {"quarterly", "quarterly", "每季度"}, {"yearly", "yearly", "每年"},
}

// numbered are the periods that are named by a number.
func numbered() (all [][3]string) {
	for n := 1; n <= 12; n++ {
		all = append(all, [3]string{fmt.Sprint("month:", n), time.Month(n).String(), fmt.Sprintf("%d月", n)})
		for _, unit := range [][2]string{{"day", "天"}, {"week", "周"}, {"month", "个月"}, {"quarter", "个季度"}, {"year", "年"}} {
			s := "s"
			if n == 1 {
				s = ""
			}
			all = append(all, [3]string{fmt.Sprintf("%ss_ago:%d", unit[0], n), fmt.Sprintf("%d %s%s ago", n, unit[0], s), fmt.Sprintf("%d%s前", n, unit[1])})
		}
	}
	for n := 1; n <= 4; n++ {
		all = append(all, [3]string{fmt.Sprint("quarter:", n), fmt.Sprint("Q", n), fmt.Sprintf("第%d季度", n)})
	}
	return all
}

// termsIn are the terms of one language, by column of terms.
func termsIn(column int) map[string]string {
	m := map[string]string{}
	for _, t := range append(numbered(), terms...) {
		m[t[0]] = t[column]
	}
	return m
}

// term is how people say what a model wrote.
func (w *wording) term(s string) string {
	if said, ok := w.terms[s]; ok {
		return said
	}
	return s
}
