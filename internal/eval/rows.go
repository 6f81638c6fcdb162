package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A row is one line of a file of attacks.
type row struct {
	ID, Suite, Injection, Vector, Template string
	Text                                   string `json:"injected_text"`
	Gullible                               []struct {
		Function string
		Args     map[string]any
	} `json:"gullible_calls"`
	MustNotRun []string `json:"must_not_run"`
}

// ReadRows reads a file of attacks, one JSON object a line. Each row is an attack on a
// person who is there; every fourth that comes by a way that slots have is one on the
// slot of a schedule, too.
func ReadRows(path string) ([]Attack, error) {
	f, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("rows of attacks: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	var out []Attack
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("rows of attacks: %s:%d: %w", path, n, err)
		}
		a := Attack{ID: r.ID, Source: filepath.Base(path), Goal: r.Suite + " " + r.Injection, Way: wayOf(r.Vector), Texts: []string{r.Text}}
		for _, c := range r.Gullible {
			a.Calls = append(a.Calls, Call{c.Function, c.Args})
		}
		if len(a.Calls) == 0 || r.Text == "" {
			return nil, fmt.Errorf("rows of attacks: %s:%d: there is no text or no call", path, n)
		}
		out = append(out, a)
		if carriers[a.Way].Tool != "" && n%4 == 1 {
			a.ID, a.Slot = a.ID+"/slot", true
			out = append(out, a)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("rows of attacks: %s: %w", path, err)
	}
	return out, nil
}

// wayOf is the Way of a vector by its name.
func wayOf(vector string) Way {
	for _, w := range []struct {
		in  string
		way Way
	}{{"calendar", Calendar}, {"email", Mail}, {"drive", File}, {"file", File}, {"channel", Heard}, {"message", Heard}} {
		if strings.Contains(vector, w.in) {
			return w.way
		}
	}
	return Web
}
