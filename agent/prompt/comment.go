package prompt

import (
	"fmt"
	"strings"
)

// A Comment is what the commentary of a saved report is about.
type Comment struct {
	Title, Period string
	About         string // what is wanted of it; empty: what matters most
	Zh            bool
}

// Commentary is the system prompt of the model that writes under the figures of a saved
// report.
func Commentary(c Comment) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, commentary, c); err != nil {
		return "", fmt.Errorf("write prompt %s: %w", commentary, err)
	}
	return strings.TrimSpace(b.String()), nil
}
