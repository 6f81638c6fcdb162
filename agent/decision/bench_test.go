package decision

import (
	"fmt"
	"strings"
	"testing"
)

// typical is a decision of about 1 KB.
func typical() string {
	return `{"thought": "The report needs the sales by region and the refunds of the same months.", "action": {"name": "query_metric", "args": {` +
		`"metric": "sales", "group_by": ["region", "month"], "from": "2026-07-01", "to": "2026-09-30", "note": "` + strings.Repeat("by region, 华东 first; ", 30) + `", "limit": 100}}}`
}

// large is a broken document of about 40 KB: rows in single quotes without commas
// between them, in prose and a fence that never ends.
func large() string {
	var b strings.Builder
	b.WriteString("Here are the rows:\n```json\n{'thought': 'show \"all\"', rows: [\n")
	for i := range 400 {
		fmt.Fprintf(&b, "  {'id': %d, name: 'row “%d”, it's', \"note\": \"a \"quoted\" word, 华东\", 'ok': True, 'share': .5,}\n", i, i)
	}
	return b.String()
}

func benchmark(b *testing.B, text string, work func(string) error) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := work(text); err != nil {
			b.Fatal(err)
		}
	}
}

func value(text string) error {
	_, _, err := Value(text)
	return err
}

func BenchmarkValueTypical(b *testing.B) { benchmark(b, typical(), value) }

func BenchmarkValueTypicalBroken(b *testing.B) {
	benchmark(b, strings.TrimSuffix(typical(), "}}}")+",},},}", value)
}

func BenchmarkValueLargeBroken(b *testing.B) { benchmark(b, large(), value) }

func BenchmarkReadTypical(b *testing.B) {
	benchmark(b, typical(), func(text string) error {
		_, err := Read(said(text), Options{Tools: tools})
		return err
	})
}

func BenchmarkReadProse(b *testing.B) {
	benchmark(b, strings.Repeat("Sales were up in the north [1] and {flat} elsewhere. ", 40), func(text string) error {
		_, err := Read(said(text), Options{Tools: tools})
		return err
	})
}

// The large document is understood, not only survived.
func TestLargeBroken(t *testing.T) {
	v, mended, err := Value(large())
	if err != nil || !mended {
		t.Fatal(err)
	}
	o, _ := fields(v)
	rows, _ := o.get("rows")
	list := items(rows)
	if len(list) != 400 {
		t.Fatalf("%d rows", len(list))
	}
	if want := `{"id":399,"name":"row “399”, it's","note":"a \"quoted\" word, 华东","ok":true,"share":0.5}`; string(list[399]) != want {
		t.Errorf("the last row is %s, want %s", list[399], want)
	}
}
