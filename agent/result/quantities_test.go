package result_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/result"
)

// VER: a quantity in words is a claim as a number is one: what the data do not bear out
// is named, in both languages, and what they do is not.
func TestAQuantityInWordsNeedsData(t *testing.T) {
	const orders = `{"rows":[["late",37],["on time",63]],"as_of":"2026-11-30"}`
	const metric = `{"table":"a6f2d0c9b1e4","title":"Sales, October 2026","period":{"from":"2026-10-01","to":"2026-11-01"},"columns":[{"key":"sales","label":"Sales","unit":"USD","scale":2}],"rows":[[574602.74]],"row_count":1,"total":{"value":574602.74}}`
	for _, tt := range []struct {
		text, raw string
		want      []string
	}{
		{"There are 100 orders, half of them late.", `{"orders":100}`, []string{"half"}},
		{"Half of them are late.", `{"late":50,"orders":100}`, nil},
		{"About half of the orders are late.", `{"late":47,"orders":100}`, nil},
		{"A third of the orders are late.", orders, []string{"A third"}},
		{"A third of the orders are late.", `{"late":12,"orders":36}`, nil},
		{"Two thirds of them are on time.", orders, []string{"Two thirds"}},
		{"Sales were twice as high as last year.", `{"sales":120,"year_before":110}`, []string{"twice as"}},
		{"Sales were twice as high as last year.", `{"sales":220,"year_before":110}`, nil},
		{"Sales doubled.", `{"sales":120,"change":"9%"}`, []string{"doubled"}},
		{"Sales doubled.", `{"sales":120,"change":"100%"}`, nil},
		{"Sales fell by half.", `{"sales":120,"year_before":130}`, []string{"fell by half"}},
		{"It is three times the target.", `{"sales":120}`, []string{"three times the"}},
		{"Most of the orders are late.", `{"orders":100}`, []string{"Most of the"}},
		{"Most of the orders are on time.", orders, nil},
		{"The majority of customers pay late.", "", []string{"The majority of"}},
		{"其中一半迟到了。", `{"orders":100}`, []string{"一半"}},
		{"其中一半迟到了。", `{"late":50,"orders":100}`, nil},
		{"三分之一的订单迟到。", orders, []string{"三分之一"}},
		{"三成的订单迟到。", `{"orders":100}`, []string{"三成"}},
		{"三成的订单迟到。", `{"late":30,"orders":100}`, nil},
		{"是去年的两倍。", `{"sales":120,"year_before":110}`, []string{"两倍"}},
		{"是去年的2倍。", `{"sales":220,"year_before":110}`, nil},
		{"大多数订单迟到了。", `{"orders":100}`, []string{"大多数"}},
		// What a result says of itself bears out nothing.
		{"EMEA led with half of the sales, twice as much as last year.", metric, []string{"half", "twice as"}},
		{"Profit doubled; a third of it came from Africa.", metric, []string{"doubled", "a third"}},
		{"欧洲占了一半，利润翻了一番，是去年的两倍。", metric, []string{"一半", "翻了一番", "两倍"}},
		// They are no shares of anything.
		{"Half an hour ago, in the first half of the year and the third quarter; at most two, most recently, twice a week.", "", nil},
		{"Half of them, as you say.", "half of them are late, somebody said", nil},
		{"上半年、半年报、多数据源、三成员。", "", nil},
		{"The third of the rows is wrong.", "", nil},
	} {
		if got := result.Unfounded(tt.text, tt.raw); !cmp.Equal(got, tt.want) {
			t.Errorf("%q of %s: %q, want %q", tt.text, tt.raw, got, tt.want)
		}
	}
}
