package decision

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm"
)

// tools are those of the corpus.
var tools = []string{"query_metric", "query_database", "make_report", "post_message", "schedule_add", "remember", "ask", "list_jobs"}

// A specimen is something a model wrote, and what is to be understood: one line a
// call, or the answer, or that it is an answer as a whole, or that it is nothing.
type specimen struct {
	name, text string
	want       []string
}

// corpus reads testdata/broken.txt: "## name", lines of "= what is wanted", the
// text.
func corpus(tb testing.TB) []specimen {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "broken.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	var all []specimen
	for _, piece := range strings.Split("\n"+string(b), "\n## ")[1:] {
		name, rest, _ := strings.Cut(piece, "\n")
		s := specimen{name: name}
		for strings.HasPrefix(rest, "= ") {
			var line string
			line, rest, _ = strings.Cut(rest, "\n")
			s.want = append(s.want, strings.TrimSpace(line[2:]))
		}
		s.text = strings.TrimSuffix(rest, "\n")
		all = append(all, s)
	}
	return all
}

// understood reports whether a Decision is what was wanted.
func (s specimen) understood(t *testing.T, d Decision, err error) bool {
	t.Helper()
	first := s.want[0]
	switch {
	case first == "error":
		return err != nil
	case err != nil:
		return false
	case first == "text":
		return d.Finished && d.Form == Text && d.Result == strings.TrimSpace(s.text)
	case strings.HasPrefix(first, "finish:"):
		want := strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(first, "finish:")), `\n`, "\n")
		return d.Finished && len(d.Calls) == 0 && d.Result == want
	}
	if len(d.Calls) != len(s.want) || d.Finished {
		return false
	}
	for i, want := range s.want {
		name, args, _ := strings.Cut(want, " ")
		if d.Calls[i].Name != name || !same(t, d.Calls[i].Args, json.RawMessage(args)) {
			return false
		}
	}
	return true
}

// FAIL-02, H-26: at least 95 of 100 broken decisions can be used without asking the
// model again, in each language; what is no decision is never taken for one.
func TestReadCorpus(t *testing.T) {
	right, all := map[string]int{}, map[string]int{}
	for _, s := range corpus(t) {
		d, err := Read(llm.Message{Role: llm.Assistant, Text: s.text}, Options{Tools: tools})
		ok := s.understood(t, d, err)
		lang, _, _ := strings.Cut(s.name, ":")
		decided := s.want[0] != "text" && s.want[0] != "error"
		if !ok {
			report := t.Logf
			if !decided {
				report = t.Errorf
			}
			report("%s: %v %+v, want %v", s.name, err, d, s.want)
		}
		if decided {
			for _, k := range []string{lang, "all"} {
				all[k]++
				if ok {
					right[k]++
				}
			}
		}
	}
	if all["all"] < 200 || all["zh"] < 80 {
		t.Errorf("the corpus has %d broken decisions, %d of them Chinese", all["all"], all["zh"])
	}
	for k, n := range all {
		share := float64(right[k]) / float64(n)
		t.Logf("%s: %d of %d usable = %.3f", k, right[k], n, share)
		if share < 0.95 {
			t.Errorf("%s: %.3f usable, want at least 0.95", k, share)
		}
	}
}
