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
		for name, tt := range map[string]struct {
			in    Args
			grids []tool.Grid
		}{
			"regions": {Args{}, []tool.Grid{regions(lang)}}, "days": {Args{}, []tool.Grid{days(lang)}}, "products": {Args{}, []tool.Grid{products(lang)}},
			"both": {Args{}, []tool.Grid{regions(lang), days(lang)}}, "loss": {Args{}, []tool.Grid{deficits(lang)}},
			"months": {Args{}, []tool.Grid{months(lang)}}, "lines": {Args{}, []tool.Grid{lines(lang)}},
			"pie": {Args{Chart: Pie, Format: PDF}, []tool.Grid{regions(lang)}}, "no-pie": {Args{Chart: Pie, Format: PDF}, []tool.Grid{products(lang)}},
			"stacked": {Args{Chart: Stacked, Format: PDF}, []tool.Grid{lines(lang)}}, "stacked-lying": {Args{Chart: Stacked}, []tool.Grid{matrix(lang)}},
			"print": {Args{Format: PDF, Commentary: "Asia grew 14.0%, Europe grew 99%.\n\n- **first** point\n- second, at https://evil.example"}, []tool.Grid{regions(lang), days(lang), long(lang)}},
		} {
			m, s, _ := report(t, lang, tt.in, tt.grids...)
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
