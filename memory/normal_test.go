package memory_test

import (
	"testing"

	"pgregory.net/rapid"

	"hermes/memory"
)

func TestNormalize(t *testing.T) {
	for _, c := range [][3]string{
		{memory.PrefersFormat, "Excel 表格", "xlsx"},
		{memory.PrefersFormat, "an Excel file", "xlsx"},
		{memory.PrefersFormat, "电子表格", "xlsx"},
		{memory.PrefersFormat, "XLSX", "xlsx"},
		{memory.PrefersFormat, "CSV文件", "csv"},
		{memory.PrefersFormat, "ＣＳＶ", "csv"},
		{memory.PrefersFormat, "excellent tables", "excellent tables"},
		{memory.PrefersFormat, "Excel and CSV", "excel and csv"},
		{memory.PrefersFormat, "", ""},
		{memory.PrefersLanguage, "Chinese", "zh"},
		{memory.PrefersLanguage, "简体中文", "zh"},
		{memory.PrefersLanguage, "繁體中文", "zh-hant"},
		{memory.PrefersLanguage, "traditional Chinese", "zh-hant"},
		{memory.PrefersLanguage, "zh-CN", "zh"},
		{memory.PrefersLanguage, "用英文", "en"},
		{memory.PrefersLanguage, "Klingon", "klingon"},
		{memory.ReportsTo, " “Eve  Adams”. ", "eve adams"},
		{memory.Means, "成交总额，不含退款。", "成交总额,不含退款"},
	} {
		if got := memory.Normalize(c[0], c[1]); got != c[2] {
			t.Errorf("Normalize(%s, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		for _, p := range []string{memory.PrefersFormat, memory.PrefersLanguage, memory.Note} {
			once := memory.Normalize(p, s)
			if again := memory.Normalize(p, once); again != once {
				t.Errorf("Normalize(%s, %q) = %q, and again %q", p, s, once, again)
			}
		}
	})
}
