package querydb

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/internal/slip"
)

// plain makes words equal that people take for equal: case, blanks, hyphens and
// underscores, and the s of an English plural.
func plain(w string) string {
	w = strings.ToLower(strings.TrimSpace(w))
	w = strings.Join(strings.FieldsFunc(w, func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '\u3000' || r == '\u00a0' }), " ")
	if n := len(w); n > 3 && w[n-1] == 's' && w[n-2] != 's' {
		w = w[:n-1]
	}
	return w
}

func means(w string, all []string) bool {
	w = plain(w)
	return slices.ContainsFunc(all, func(one string) bool { return plain(one) == w })
}

// nearest returns up to three of the names whose words are most like w.
func nearest[T any](w string, all []T, name func(T) string, words func(T) []string) []string {
	type near struct {
		name     string
		distance float64
	}
	var found []near
	for _, one := range all {
		best := 2.0
		for _, other := range words(one) {
			best = min(best, distance(plain(w), plain(other)))
		}
		found = append(found, near{name(one), best})
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// distance is the number of changed letters for each letter; a word within the
// other is near it.
func distance(a, b string) float64 {
	x, y := []rune(cut(a, 60)), []rune(cut(b, 60))
	longest := float64(max(len(x), len(y), 1))
	if a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a)) {
		return float64(longest-float64(min(len(x), len(y)))) / longest / 2
	}
	return float64(slip.Between(x, y)) / longest
}

// A fault is what the model can mend.
type fault string

func (f fault) Error() string { return string(f) }

func faultf(format string, args ...any) error { return fault(fmt.Sprintf(format, args...)) }

// A target is a measure and where it is.
type target struct {
	source  *Source
	measure Measure
}

// measureNamed finds a measure by any of its words, in any of the sources. Where
// two sources have it, "source.measure" says which.
func measureNamed(w string, sources []*Source) (target, error) {
	var found, all []target
	of, rest, dotted := strings.Cut(w, ".")
	for _, s := range sources {
		for _, m := range s.layer.Measures {
			all = append(all, target{s, m})
			if m.Name == w && len(sources) == 1 {
				return target{s, m}, nil
			}
			if means(w, m.Words()) || dotted && plain(of) == plain(s.layer.Name) && means(rest, m.Words()) {
				found = append(found, target{s, m})
			}
		}
	}
	name := func(t target) string { return t.measure.Name }
	if len(found) > 1 {
		var names []string
		for _, t := range found {
			names = append(names, t.source.layer.Name+"."+t.measure.Name)
		}
		return target{}, faultf("%q is more than one measure; write one of: %s", w, strings.Join(names, ", "))
	}
	if len(found) == 0 {
		near := nearest(w, all, name, func(t target) []string { return t.measure.Words() })
		return target{}, faultf("there is no measure %q; the nearest: %s", cut(w, 60), strings.Join(near, ", "))
	}
	return found[0], nil
}

// dimensionNamed finds a dimension of a measure by any of its words.
func (t target) dimensionNamed(w string) (Dimension, error) {
	var all []Dimension
	for _, d := range t.source.layer.AllDimensions() {
		if t.measure.goesWith(d) {
			all = append(all, d)
		}
	}
	for _, d := range all {
		if means(w, d.Words()) {
			return d, nil
		}
	}
	near := nearest(w, all, func(d Dimension) string { return d.Name }, Dimension.Words)
	return Dimension{}, faultf("%s has no dimension %q; the nearest: %s", t.measure.Name, cut(w, 60), strings.Join(near, ", "))
}

// refresh is how old a list of values may be that lacks the value asked for.
const refresh = time.Minute

// valuesNamed finds values of a dimension by the words for them.
func (s *Source) valuesNamed(ctx context.Context, d Dimension, wanted []string) ([]string, error) {
	if isTimeDimension(d.Name) {
		return nil, faultf("%s cannot be filtered with where; say it with period", d.Name)
	}
	list, err := s.valuesOf(ctx, d.Name, valuesAge)
	if err != nil {
		return nil, err
	}
	var values []string
	fresh := false
	for i := 0; i < len(wanted); i++ {
		value, ok := d.valueNamed(wanted[i], list.values)
		if !ok && !fresh {
			if list, err = s.valuesOf(ctx, d.Name, refresh); err != nil {
				return nil, err
			}
			fresh = true
			i--
			continue
		}
		if !ok && !list.whole {
			// Too many to list: the database knows whether it is one.
			value, ok = strings.TrimSpace(wanted[i]), true
		}
		if !ok {
			near := nearest(wanted[i], list.values, func(v string) string { return v }, d.wordsOf)
			return nil, faultf("%s has no value %q; the nearest: %s", d.Name, cut(wanted[i], 60), strings.Join(near, ", "))
		}
		if !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return values, nil
}

func (d Dimension) valueNamed(w string, values []string) (string, bool) {
	if slices.Contains(values, w) {
		return w, true
	}
	for _, v := range values {
		if means(w, d.wordsOf(v)) {
			return v, true
		}
	}
	// Declared, but without a row yet.
	for _, v := range d.ValueSynonyms {
		if means(w, d.wordsOf(v.Value)) {
			return v.Value, true
		}
	}
	return "", false
}

// wordsOf returns every word that means a value.
func (d Dimension) wordsOf(value string) []string {
	for _, v := range d.ValueSynonyms {
		if v.Value == value {
			return words(value, v.Label, v.Words)
		}
	}
	return []string{value}
}

// Show is how a value is written in a language.
func (d Dimension) Show(value, lang string) string {
	for _, v := range d.ValueSynonyms {
		if v.Value == value && v.Label.In(lang) != "" {
			return v.Label.In(lang)
		}
	}
	return value
}
