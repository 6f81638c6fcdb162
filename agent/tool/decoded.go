package tool

import "html"

// Decoded is a text with its HTML entities as the signs that whoever shows Markdown makes
// of them, also where an entity is written in entities. What a text leads to is judged by
// that.
func Decoded(s string) string {
	for range 8 { // more than anybody decodes
		was := s
		if s = html.UnescapeString(s); s == was {
			break
		}
	}
	return s
}
