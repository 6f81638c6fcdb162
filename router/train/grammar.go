package train

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"hermes/router"
)

// ReadGrammar makes lines of a grammar, the same ones each time. It has three kinds of
// paragraphs, each on one line; "#" begins a remark:
//
//	name = one | two | three          a list
//	task 40: {verb} the {noun}[|, please]   a template: so many lines, {…} one of a list, […|…] one of those
//	chitchat: hi | hello              lines as they stand
func ReadGrammar(name string, r io.Reader) ([]Line, error) {
	g := grammar{lists: map[string][]string{}, random: rand.New(rand.NewPCG(1, 1)), seen: map[string]bool{}} //nolint:gosec // these lines are no secret
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := g.read(text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g.lines, nil
}

type grammar struct {
	lists  map[string][]string
	random *rand.Rand
	seen   map[string]bool
	lines  []Line
}

func (g *grammar) read(text string) error {
	if name, list, ok := strings.Cut(text, " = "); ok && !strings.ContainsAny(name, " :") {
		g.lists[name] = choices(list)
		return nil
	}
	head, body, ok := strings.Cut(text, ": ")
	kind, number, counted := strings.Cut(head, " ")
	if !ok || !slices.Contains(router.Guessed[:], router.Kind(kind)) {
		return fmt.Errorf("%.40q is neither a list (name = …) nor of a kind (chitchat, question, task)", text)
	}
	if !counted {
		for _, c := range choices(body) {
			g.add(router.Kind(kind), c)
		}
		return nil
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("%q is no number of lines", number)
	}
	for range n {
		line, err := g.grow(body)
		if err != nil {
			return err
		}
		g.add(router.Kind(kind), line)
	}
	return nil
}

// add adds a line that is not there yet: a template may give one twice.
func (g *grammar) add(kind router.Kind, text string) {
	text = strings.Join(strings.Fields(text), " ")
	if !g.seen[text] {
		g.seen[text] = true
		g.lines = append(g.lines, Line{Text: text, Label: kind, Lang: router.Lang(text)})
	}
}

// grow makes one line of a template.
func (g *grammar) grow(body string) (string, error) {
	for {
		open := strings.LastIndexAny(body, "[{")
		if open < 0 {
			return body, nil
		}
		closing := map[byte]string{'[': "]", '{': "}"}[body[open]]
		inside, rest, ok := strings.Cut(body[open+1:], closing)
		if !ok {
			return "", fmt.Errorf("%q does not end with %s", body[open:], closing)
		}
		from := strings.Split(inside, "|")
		if closing == "}" {
			if from = g.lists[inside]; from == nil {
				return "", fmt.Errorf("no list is named %q", inside)
			}
		}
		body = body[:open] + from[g.random.IntN(len(from))] + rest
	}
}

func choices(list string) []string {
	var all []string
	for c := range strings.SplitSeq(list, "|") {
		if c = strings.TrimSpace(c); c != "" {
			all = append(all, c)
		}
	}
	return all
}
