package result_test

import (
	"fmt"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/result"
	"hermes/agent/tool"
)

// texts are texts of every kind, of about so many bytes.
func texts(size int) map[string]string {
	fill := func(before, part, between, after string) string {
		var b strings.Builder
		b.WriteString(before)
		for i := 0; b.Len() < size; i++ {
			if i > 0 {
				b.WriteString(between)
			}
			fmt.Fprintf(&b, strings.ReplaceAll(part, "%d", "%[1]d"), i)
		}
		return b.String() + after
	}
	table := fill(`{"columns":["region","orders","revenue"],"rows":[`, `["Region %d",%d,%d.25]`, ",", `]}`)
	return map[string]string{
		"table":    table,
		"objects":  fill("[", `{"id":%d,"name":"商品 %d","price":%d.5,"tags":["a","b"]}`, ", ", "]"),
		"numbers":  fill("[", "%d", ",", "]"),
		"encoded":  fmt.Sprintf(`{"result":%q}`, table),
		"deep":     strings.Repeat("[", 9000) + strings.Repeat("1,", size/2) + "1" + strings.Repeat("]", 9000),
		"nested":   strings.Repeat(`{"a":`, 900) + fill("[", `{"b":%d}`, ",", "]") + strings.Repeat("}", 900),
		"keys":     fill("{", `"key %d":"value %d"`, ",", "}"),
		"log":      fill("", "2026-11-30T10:00:00Z worker %d took request %d and answered", "\n", ""),
		"a line":   strings.Repeat("x", size),
		"digits":   strings.Repeat("7", size),
		"sheet":    fill("region,orders,revenue\n", "Region %d,%d,%d.25", "\n", ""),
		"page":     fill("<html><title>T</title><body>", "<div class=x><p>Paragraph %d of <b>many</b> &amp; more</p></div><script>x(%d)</script>", "\n", "</body></html>"),
		"tags":     strings.Repeat("<div>x", size/6),
		"brackets": strings.Repeat("⟦", size/3),
		"garbage":  fill(`{"items":[`, `{"id":%d,"name":"item %d"}`, ",", ""),
	}
}

func BenchmarkRead(b *testing.B) {
	for name, text := range texts(5 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				in := result.Input{Spec: tool.Spec{Name: "x"}, Call: llm.Call{ID: "c1", Name: "x"}, Text: text, Artifact: "a0123456789ab", Goal: "how many orders has Region 77777, in 地区"}
				if _, err := result.Read(in, result.Config{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
