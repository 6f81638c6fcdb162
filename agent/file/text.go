package file

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/internal/tabular"
)

// text reads a file as text of some sort.
func (t *Text) text(b []byte) error {
	body, ok := tabular.Decode(b)
	if !ok {
		return run.UnreadSort
	}
	body = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body)
	ext := extension(t.Name)
	if looksHTML(body) && !contains(sources, ext) {
		return t.page(body, ext)
	}
	t.Sort, t.Mime = run.PlainText, "text/plain"
	switch trimmed := strings.TrimSpace(body); {
	case trimmed == "":
		return run.EmptyFile
	case ext == "csv" || ext == "tsv" || t.mimeIs("text/csv", "text/tab-separated-values"), ext == "" || ext == "txt" || ext == "log" || ext == "dat":
		if g, ok := rowsOf(body, ext); ok {
			t.Sort, t.Mime = run.Rows, "text/csv"
			t.take("", g)
			return nil
		}
	case (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid([]byte(trimmed)):
		t.Sort, t.Mime = run.JSON, "application/json"
	case ext == "md" || ext == "markdown":
		t.Sort, t.Mime = run.Markdown, "text/markdown"
	case contains(sources, ext):
		t.Sort = run.Code
	}
	t.keep(body)
	if t.Sort == run.PlainText || t.Sort == run.Markdown {
		t.outline(body)
	}
	return nil
}

func (t *Text) mimeIs(kinds ...string) bool { return contains(kinds, t.Mime) }

// sources are what files of code end with. Some of them hold HTML and are not pages.
var sources = strings.Fields("c cc cpp cs css dart ex go gradle h hpp hs html.erb java js jsx kt lua m php pl ps1 py r rb rs scala sh sql svelte swift tf toml ts tsx vue xml yaml yml ini cfg conf diff patch proto")

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// looksHTML reports whether a text begins as a page.
func looksHTML(body string) bool {
	head := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(body[:cutAt(body, 1024)], "\uFEFF")))
	for strings.HasPrefix(head, "<!--") {
		_, after, ok := strings.Cut(head, "-->")
		if !ok {
			return false
		}
		head = strings.TrimSpace(after)
	}
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") || strings.HasPrefix(head, "<head") || strings.HasPrefix(head, "<body")
}

// page reads a page, unless it came in the place of something else: a platform that
// does not let us in sends its page to sign in with the best of status codes (S15).
func (t *Text) page(body, ext string) error {
	t.Sort, t.Mime = run.Page, "text/html"
	title, words := result.Page(body)
	lower := strings.ToLower(body)
	switch {
	case password.MatchString(lower), signIn.MatchString(title), strings.Contains(lower, "slack.com") && strings.Contains(lower, "signin"):
		return run.SignIn
	case !contains([]string{"html", "htm", "xhtml", "txt", "md", ""}, ext):
		return run.SignIn // nobody calls a page so
	}
	if strings.TrimSpace(words) == "" {
		return run.EmptyFile
	}
	t.keep(words)
	t.outline(words)
	if title != "" {
		t.Title = title
	}
	return nil
}

// How pages to sign in are known.
var (
	password = regexp.MustCompile(`<input[^>]+type=["']?password`)
	signIn   = regexp.MustCompile(`(?i)\b(?:sign|log)[ -]?in\b|登录|登陆`)
)

// Bounds of what is said of a text.
const (
	manyHeadings = 12
	longHeading  = 120
	longFirst    = 300
)

// outline notes the title, the headings and the first sentences of a text.
func (t *Text) outline(body string) {
	fenced := false
	var prose []string
	for line := range strings.SplitSeq(body[:cutAt(body, 256<<10)], "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if line == "" || fenced {
			continue
		}
		if hashes := len(line) - len(strings.TrimLeft(line, "#")); t.Sort == run.Markdown && hashes > 0 && hashes <= 6 && strings.HasPrefix(line[hashes:], " ") {
			head := shortened(strings.TrimSpace(strings.Trim(line, "#")), longHeading)
			if t.Title == "" && hashes == 1 {
				t.Title = head
			} else if len(t.Headings) < manyHeadings && head != "" {
				t.Headings = append(t.Headings, head)
			}
			continue
		}
		if len(prose) < 8 {
			prose = append(prose, line)
		}
	}
	if len(prose) > 1 && t.Title == "" && utf8.RuneCountInString(prose[0]) <= 80 && !strings.ContainsAny(prose[0][len(prose[0])-1:], ".,;:!?") && !strings.HasSuffix(prose[0], "。") {
		t.Title, prose = prose[0], prose[1:]
	}
	t.First = sentences(strings.Join(prose, " "), 2)
}

// sentences are the first n sentences of a text, if they are not too long.
func sentences(s string, n int) string {
	ends := 0
	for i, r := range s {
		size := utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			ends++
		case '.', '!', '?':
			if i+size == len(s) || s[i+size] == ' ' {
				ends++
			}
		default:
			continue
		}
		if ends == n {
			s = s[:i+size]
			break
		}
	}
	return shortened(s, longFirst)
}

func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}
