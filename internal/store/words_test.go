package store

import "testing"

// What one looks for is words, whatever script they are in.
func TestTerms(t *testing.T) {
	for text, want := range map[string]string{
		"Reports of ACME": `"report" * OR "of" OR "acme" *`,
		"回滚谁负责？":          `"回 滚" OR "滚 谁" OR "谁 负" OR "负 责"`,
		"gmv是什么":          `"gmv" OR "是 什" OR "什 么"`,
		`"; DROP * NEAR(`: `"drop" * OR "near" *`,
		"ＥＸＣＥＬ 表":         `"excel" * OR "表"`,
		" ?!":             "",
	} {
		if got := (&DB{}).match(terms(text)); got != want {
			t.Errorf("match of %q = %s, want %s", text, got, want)
		}
	}
	if got, want := indexed("GMV 指成交，ok"), "gmv 指 成 交 ok"; got != want {
		t.Errorf("indexed = %q, want %q", got, want)
	}
}
