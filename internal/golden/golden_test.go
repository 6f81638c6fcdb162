package golden

import (
	"strings"
	"testing"
)

// told is a test that notes what it is told.
type told struct {
	testing.TB
	said []string
}

func (*told) Helper() {}

func (t *told) Errorf(format string, _ ...any) { t.said = append(t.said, format) }

// What differs from its file is told, what does not is not.
func TestCheckTellsWhatDiffers(t *testing.T) {
	for got, want := range map[string]int{"a text\n": 0, "another text\n": 1, "a text": 1} {
		tt := &told{TB: t}
		Check(tt, "a/text.txt", got)
		if len(tt.said) != want || want == 1 && !strings.Contains(tt.said[0], "-want +got") {
			t.Errorf("%q: told %q", got, tt.said)
		}
	}
	tt := &told{TB: t}
	JSON(tt, "a/value.json", []byte(`{"b":[1],"a":"<"}`))
	if len(tt.said) != 0 {
		t.Errorf("told %q", tt.said)
	}
}
