package redact

import (
	"regexp"
	"strings"
)

// unnamed is what stands for a word that may be a secret.
const unnamed = "unnamed"

var (
	userOfURL  = regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/@"'<>]+@`)
	queryOfURL = regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*://[^\s?#"'<>)]*)[?#][^\s"'<>)]*[^\s"'<>):,.;]`)
	// afterName is what follows the name of a secret, with its scheme.
	afterName = regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|x-api-key|api[_-]?key|access[_-]?token|token|secret|password)(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;}\[]+`)
	scheme    = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[\w+/=.*~-]{6,}`)
	begun     = regexp.MustCompile(`\b(?:sk|pk|rk|xox[a-z]|gh[a-z]|github_pat|glpat|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9*][\w*.+/=-]{6,}`)
	ends      = regexp.MustCompile(`[\w+/=-]*\w\*{3,}[\w+/=*-]*`) // a key of which only the ends are shown
	lengthy   = regexp.MustCompile(`[A-Za-z0-9]{16,}`)
)

// Strict is Text for the short words of strangers, such as the error of a vendor: there
// nothing is worth keeping that may be a secret. Addresses lose their users and queries,
// and a long word with letters and digits is gone as well.
func (r *Redactor) Strict(s string) string {
	s = userOfURL.ReplaceAllString(s, "${1}")
	s = queryOfURL.ReplaceAllString(s, "${1}")
	s = r.Text(s)
	s = afterName.ReplaceAllString(s, "${1}${2}"+Marker(unnamed))
	s = scheme.ReplaceAllString(s, "${1} "+Marker(unnamed))
	s = begun.ReplaceAllString(s, Marker(unnamed))
	s = ends.ReplaceAllString(s, Marker(unnamed))
	return lengthy.ReplaceAllStringFunc(s, func(w string) string {
		if mixed(w) && strings.ContainsFunc(w, isLetter) {
			return Marker(unnamed)
		}
		return w
	})
}
