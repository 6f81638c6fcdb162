package config

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/slip"
)

// A reading holds the settings of a file and of the environment against Config, so
// that all that is of a wrong type, or of no key at all, is found at once.
type reading struct {
	name   string // of the file
	faults []Fault
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	secretType   = reflect.TypeFor[Secret]()
)

// section returns what of the settings fits a struct; what does not is a fault.
func (r *reading) section(key string, given map[string]any, t reflect.Type) map[string]any {
	fields := fieldsOf(t)
	kept := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(given)) {
		full := k
		if key != "" {
			full = key + "." + k
		}
		ft, known := fields[strings.ToLower(k)]
		if !known {
			r.unknown(key, full, strings.ToLower(k), fields)
			continue
		}
		if v, ok := r.value(full, given[k], ft); ok {
			kept[k] = v
		}
	}
	return kept
}

// fieldsOf are the keys of a struct with what they hold.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, squash, _ := strings.Cut(t.Field(i).Tag.Get("mapstructure"), ",")
		if squash == "squash" {
			maps.Copy(fields, fieldsOf(t.Field(i).Type))
			continue
		}
		if t.Field(i).IsExported() {
			fields[name] = t.Field(i).Type
		}
	}
	return fields
}

// unknown says that there is no such key, and which of its own section is near, or
// which of any.
func (r *reading) unknown(section, full, last string, fields map[string]reflect.Type) {
	f := Fault{Key: full, Wrong: "no such key", Hint: "`hermes init --print` shows all keys"}
	if r.name != "" {
		f.Wrong += " in " + r.name
	}
	best, least := "", 3
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if d := slip.Between([]byte(last), []byte(name)); d < least {
			best, least = name, d
		}
	}
	if best != "" && section != "" {
		best = section + "." + best
	}
	if best == "" {
		best = nearest(full)
	}
	if best != "" {
		f.Hint = fmt.Sprintf("did you mean %s?", best)
	}
	r.faults = append(r.faults, f)
}

// value returns what fits a type, and false if nothing is left of it.
func (r *reading) value(key string, given any, t reflect.Type) (any, bool) {
	wrong := func(wants, example string) (any, bool) {
		r.faults = append(r.faults, Fault{key, shownAs(given, t) + " is not " + wants, example})
		return nil, false
	}
	if given == nil || reflect.TypeOf(given) == t && t.Kind() != reflect.Float64 {
		return given, given != nil
	}
	text, isText := given.(string)
	_, isList := given.([]any)
	switch {
	case t == durationType:
		if isText {
			if _, err := time.ParseDuration(text); err == nil {
				return given, true
			}
		} else if number, ok := numberOf(given); ok && number == 0 {
			return "0s", true
		}
		return wrong("a duration", "write it with its unit, such as 30s, 2m or 24h")
	case t.Kind() == reflect.String:
		switch x := given.(type) { // where YAML reads more into it than a text
		case time.Time:
			if x.Equal(x.Truncate(24 * time.Hour)) {
				return x.Format(time.DateOnly), true
			}
			return x.Format(time.RFC3339), true
		case bool:
			return strconv.FormatBool(x), true
		}
		if scalar(given) {
			return given, true
		}
		return wrong("a text", "write one text; with signs such as : or # in it put it in quotes")
	case t.Kind() == reflect.Bool:
		if _, ok := given.(bool); ok {
			return given, true
		}
		if _, err := strconv.ParseBool(text); isText && err == nil {
			return given, true
		}
		return wrong("true or false", "write true or false, without quotes")
	case t.Kind() == reflect.Int:
		if number, ok := numberOf(given); ok && number == math.Trunc(number) && math.Abs(number) < 1<<53 {
			return int64(number), true
		}
		return wrong("a whole number", "write digits alone, such as 3")
	case t.Kind() == reflect.Float64:
		if number, ok := numberOf(given); ok && !math.IsNaN(number) && !math.IsInf(number, 0) {
			return number, true
		}
		return wrong("a number", "write it such as 0.3")
	case t.Kind() == reflect.Struct:
		if m, ok := given.(map[string]any); ok {
			return r.section(key, m, t), true
		}
		return wrong("a section of keys", "write its keys below it: "+strings.Join(slices.Sorted(maps.Keys(fieldsOf(t))), ", "))
	case isText && t.Elem().Kind() == reflect.String:
		return given, true // "a,b", as the environment has it
	case isList:
		return r.list(key, given.([]any), t.Elem()), true
	}
	if t.Elem().Kind() == reflect.Struct {
		return wrong("a list", "begin each entry with \"- \"; an entry has: "+strings.Join(slices.Sorted(maps.Keys(fieldsOf(t.Elem()))), ", "))
	}
	return wrong("a list", "write [one, two]")
}

func (r *reading) list(key string, given []any, of reflect.Type) []any {
	kept := []any{}
	for i, v := range given {
		at := fmt.Sprintf("%s[%d]", key, i)
		switch v, ok := r.value(at, v, of); {
		case ok:
			kept = append(kept, v)
		case of.Kind() == reflect.Struct:
			kept = append(kept, map[string]any{}) // what comes after keeps its place
		}
	}
	return kept
}

// numberOf reads a number, or a text that is one: the environment has only texts.
func numberOf(v any) (float64, bool) {
	switch x := v.(type) {
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(x), 64)
		return n, err == nil
	case bool, nil:
		return 0, false
	}
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		return float64(rv.Int()), true
	case rv.CanUint():
		return float64(rv.Uint()), true
	case rv.CanFloat():
		return rv.Float(), true
	}
	return 0, false
}

func scalar(v any) bool {
	switch reflect.ValueOf(v).Kind() {
	case reflect.Map, reflect.Slice, reflect.Struct, reflect.Pointer:
		return false
	}
	return true
}

// shownAs is what stands in the file, as far as it may be told.
func shownAs(v any, t reflect.Type) string {
	if t.Kind() == reflect.Slice && t.Elem() == secretType {
		t = secretType
	}
	switch x := v.(type) {
	case map[string]any:
		return "a section of keys"
	case []any:
		return "a list"
	case string:
		if t != secretType {
			return strconv.Quote(x)
		}
	default:
		if t != secretType {
			return fmt.Sprint(x)
		}
	}
	return "what stands there"
}

// apart are the faults of what could be read, without those that come only of what
// could not.
func (r *reading) apart(found []Fault) []Fault {
	all := slices.Clone(r.faults)
	for _, f := range found {
		if !slices.ContainsFunc(r.faults, func(w Fault) bool {
			return within(f.Key, w.Key) || strings.Contains(w.Key, "[") && within(w.Key, f.Key)
		}) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Fault) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// within reports whether a key is another one or stands below it.
func within(key, above string) bool {
	rest, ok := strings.CutPrefix(key, above)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
