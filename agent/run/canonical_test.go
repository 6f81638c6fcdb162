package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A12: equal arguments have one hash, whatever the order of their keys and the white
// space between them; others have another.
func TestA12EqualArgumentsHaveOneHash(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b string
		same bool
	}{
		"order of keys":              {`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, true},
		"white space":                {`{"a":[1,2]}`, " {\n\t\"a\" : [ 1 , 2 ]\r\n} ", true},
		"escapes":                    {`{"a":"é<"}`, `{"a":"\u00e9\u003c"}`, true},
		"order of a list":            {`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		"white space within words":   {`{"a":"x y"}`, `{"a":"xy"}`, false},
		"a number and its word":      {`{"a":1}`, `{"a":"1"}`, false},
		"numbers are as written":     {`{"a":1}`, `{"a":1.0}`, false},
		"large numbers are no float": {`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		"null and nothing":           {`{"a":null}`, `{}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, errA := HashArgs("post", json.RawMessage(tt.a))
			b, errB := HashArgs("post", json.RawMessage(tt.b))
			if errA != nil || errB != nil || (a == b) != tt.same {
				t.Errorf("hashes %s and %s, %v, %v; want them equal: %t", a, b, errA, errB, tt.same)
			}
			if other, err := HashArgs("delete", json.RawMessage(tt.a)); err != nil || other == a {
				t.Errorf("another tool has the same hash, %v", err)
			}
		})
	}
}

// What is not one JSON value has no hash.
func TestWhatIsNoJSONHasNoHash(t *testing.T) {
	for _, args := range []string{"", "{", `{"a":1}{"b":2}`, `{"a":1} x`, "\x00", `{"a":01}`} {
		if h, err := HashArgs("post", json.RawMessage(args)); err == nil {
			t.Errorf("hash of %q = %s, want an error", args, h)
		}
	}
}

// The canonical form is the same for any order of keys and any indent, and is its
// own canonical form; it holds every number as it was written.
func TestTheCanonicalFormIsOne(t *testing.T) {
	numbers := []string{"0", "-0", "1e3", "1E3", "1.50", "9007199254740993", "-1.0e-7"}
	rapid.Check(t, func(t *rapid.T) {
		type field struct{ key, value string }
		var fields []field
		for i := range rapid.IntRange(0, 8).Draw(t, "n") {
			value := rapid.OneOf(
				rapid.SampledFrom(numbers),
				rapid.Map(rapid.String(), func(s string) string { return quote(t, s) }),
			).Draw(t, "value")
			fields = append(fields, field{fmt.Sprint(rapid.StringMatching(`[a-zé]{0,3}`).Draw(t, "key"), i), value})
		}
		write := func(fields []field) json.RawMessage {
			var parts []string
			for _, f := range fields {
				parts = append(parts, quote(t, f.key)+":"+f.value)
			}
			return json.RawMessage("{" + strings.Join(parts, ",") + "}")
		}
		first, err := canonical(write(fields))
		if err != nil {
			t.Fatal(err)
		}
		mixed := slices.Clone(fields)
		rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed"))).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		var wide bytes.Buffer
		if err := json.Indent(&wide, write(mixed), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]byte{wide.Bytes(), first} {
			if again, err := canonical(args); err != nil || !bytes.Equal(again, first) {
				t.Errorf("canonical(%s) = %s, %v; want %s", args, again, err, first)
			}
		}
		for _, f := range fields {
			if slices.Contains(numbers, f.value) && !bytes.Contains(first, []byte(quote(t, f.key)+":"+f.value)) {
				t.Errorf("%s lost the number %s", first, f.value)
			}
		}
	})
}

func quote(t *rapid.T, s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
