package train

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"hermes/router"
)

// A Line is what somebody wrote, and what it was. The other fields say where it comes
// from; corrections have none.
type Line struct {
	Text    string      `json:"text"`
	Label   router.Kind `json:"label"`
	Lang    string      `json:"lang,omitempty"`
	Source  string      `json:"source,omitempty"`
	Licence string      `json:"licence,omitempty"`
	Share   *bool       `json:"share,omitempty"` // false: for figures alone, not for weights that are handed on
	Split   string      `json:"split,omitempty"`
}

// Read reads lines, one JSON object each. Lines of kinds that are a matter of rules
// (command, ignore) are left out.
func Read(name string, r io.Reader) ([]Line, error) {
	var all []Line
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		if strings.TrimSpace(s.Text()) == "" {
			continue
		}
		var l Line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: not a JSON object of a line: %w", name, n, err)
		}
		switch {
		case strings.TrimSpace(l.Text) == "":
			return nil, fmt.Errorf("%s:%d: text is empty", name, n)
		case slices.Contains(router.Guessed[:], l.Label):
			all = append(all, l)
		case l.Label != router.Command && l.Label != router.Ignore:
			return nil, fmt.Errorf("%s:%d: label is %q; it is one of chitchat, question, task, command, ignore", name, n, l.Label)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// Shared are the lines of which weights may be made that are handed on: not those that
// say no, nor those under a licence that would bind the weights.
func Shared(lines []Line) []Line {
	var kept []Line
	for _, l := range lines {
		if (l.Share == nil || *l.Share) && !strings.Contains(strings.ToUpper(l.Licence), "-SA") {
			kept = append(kept, l)
		}
	}
	return kept
}
