package report

import (
	"os"
	"path/filepath"
	"testing"

	"hermes/agent/tool"
)

// Set REPORT_LOOK to a folder to see with your own eyes what the tests only
// measure.
func TestLook(t *testing.T) {
	dir := os.Getenv("REPORT_LOOK")
	if dir == "" {
		t.Skip("REPORT_LOOK is not set")
	}
	for _, lang := range []string{"en", zh} {
		for name, grids := range map[string][]tool.Grid{
			"regions": {regions(lang)}, "days": {days(lang)}, "products": {products(lang)}, "both": {regions(lang), days(lang)}, "loss": {deficits(lang)}, "months": {months(lang)}, "lines": {lines(lang)},
		} {
			m, s, _ := report(t, lang, Args{}, grids...)
			for _, f := range m.Files {
				if err := os.WriteFile(filepath.Join(dir, name+"-"+lang+filepath.Ext(f.Name)), s.m[f.ID].Body, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, name+"-"+lang+".md"), []byte(m.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
