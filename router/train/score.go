package train

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"hermes/router"
)

// Own are the lines that were written for the router.
func Own() []Line {
	lines, err := ReadGrammar("router/testdata/grammar.txt", strings.NewReader(router.OwnLines))
	if err != nil {
		panic(err) // it is embedded, and a test reads it
	}
	return lines
}

// A Score is how a Router does on labelled lines that were said to it.
type Score struct{ hit, said, real map[router.Kind]float64 }

// ScoreOf has a Router take each of the lines for something.
func ScoreOf(ctx context.Context, r *router.Router, lines []Line) Score {
	s := Score{map[router.Kind]float64{}, map[router.Kind]float64{}, map[router.Kind]float64{}}
	for _, l := range lines {
		kind := r.Route(ctx, router.Message{Text: l.Text, Addressed: true}).Kind
		s.said[kind]++
		s.real[l.Label]++
		if kind == l.Label {
			s.hit[kind]++
		}
	}
	return s
}

// F1 is the mean over the kinds that there are of the harmonic mean of precision and
// recall.
func (s Score) F1() float64 {
	sum := 0.0
	for kind, real := range s.real {
		sum += 2 * s.hit[kind] / (s.said[kind] + real)
	}
	return sum / float64(max(1, len(s.real)))
}

// String is the F1 and what was found of each kind.
func (s Score) String() string {
	text := fmt.Sprintf("macro-F1 %.3f", s.F1())
	for _, kind := range slices.Sorted(maps.Keys(s.real)) {
		text += fmt.Sprintf("  %s %.0f of %.0f", kind, s.hit[kind], s.real[kind])
	}
	return text
}

// Cross writes how a training does on each source of lines when it has seen all but
// that one: what to expect of people whose lines it has never seen.
func Cross(ctx context.Context, w io.Writer, lines, own []Line, o Options) error {
	sources := map[string][]Line{}
	for _, l := range lines {
		sources[l.Source] = append(sources[l.Source], l)
	}
	recall, kinds := 0.0, 0
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		rest := slices.Concat(slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Source == name }), own)
		s := ScoreOf(ctx, router.New(router.Config{Linear: Weights(rest, o)}, nil), sources[name])
		if _, err := fmt.Fprintf(w, "without %s: %s\n", cmp.Or(name, "(no source)"), s); err != nil {
			return err
		}
		for kind, real := range s.real {
			recall, kinds = recall+s.hit[kind]/real, kinds+1
		}
	}
	_, err := fmt.Fprintf(w, "mean recall %.3f\n", recall/float64(max(1, kinds)))
	return err
}
