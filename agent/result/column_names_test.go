package result

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// What names say, as one expression each.
var (
	labels = regexp.MustCompile(`(?i:(?:^|[_\s.-])(?:ids?|no|nr|num|number|code|zip|phone|tel|year|month|day|week|weekday|quarter|hour|minute|rank|index|idx|position|page|version|lat|lng|lon|latitude|longitude|timestamp|ts|date|time)$)|[a-z](?:Id|ID|No|Code|Year|Month|Date|Time)$|编号|号码|代码|电话|年份|年度?$|月份|月$|日期|日$|排名|序号|版本|邮编|时间`)
	ratios = regexp.MustCompile(`(?i:rate|ratio|share|percent|pct|%|avg|average|mean|median|price|score|rating|margin|temp|\bage\b|growth|change|yoy|mom|latency|\bp\d\d|index|level|balance|humidity|speed)|率|比|均|单价|价格|售价|占|温度|湿度|评分|得分|增长|增幅|年龄|余额|库存`)
)

// A name says the same by words as by the expression that says what is meant.
func TestNamesOfColumnsSayWhatTheirNumbersAre(t *testing.T) {
	for name, want := range map[string][2]bool{
		"region": {}, "sales": {}, "order_id": {true, false}, "customerId": {true, false}, "Grid": {}, "unit price": {false, true}, "单价": {false, true},
		"订单编号": {true, false}, "age": {false, true}, "wages": {}, "latency p95": {false, true}, "p99": {false, true}, "2026年": {true, false}, "年龄": {false, true}, "index": {true, true},
	} {
		if got := [2]bool{label(name), ratio(name)}; got != want {
			t.Errorf("%q: label and ratio %v, want %v", name, got, want)
		}
	}
	pieces := append([]string{"_", " ", ".", "-", "a", "p", "9", "99", "age", "x", "X", "销售", "\t"}, labelWords...)
	for _, more := range [][]string{labelTails, labelHan, labelEnds, ratioWords} {
		pieces = append(pieces, more...)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			w := pieces[r.IntN(len(pieces))]
			if r.IntN(5) == 0 {
				w = strings.ToUpper(w)
			}
			b.WriteString(w)
		}
		name := b.String()
		if label(name) != labels.MatchString(name) || ratio(name) != ratios.MatchString(name) {
			t.Fatalf("%q: label %v, ratio %v", name, label(name), ratio(name))
		}
	}
}
