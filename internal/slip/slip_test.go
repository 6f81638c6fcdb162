package slip_test

import (
	"testing"

	"pgregory.net/rapid"

	"hermes/internal/slip"
)

func TestBetween(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"sales", "sales", 0}, {"slaes", "sales", 2}, {"sale", "sales", 1}, {"kitten", "sitting", 3}, {"销售额", "销量额", 1}, {"abc", "销", 3},
	} {
		if got := slip.Between([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("between %q and %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// It is a distance: none to itself, the same from both sides, and no way round is shorter.
func TestBetweenIsADistance(t *testing.T) {
	word := rapid.SliceOfN(rapid.SampledFrom([]rune("ab销")), 0, 6)
	rapid.Check(t, func(r *rapid.T) {
		a, b, c := word.Draw(r, "a"), word.Draw(r, "b"), word.Draw(r, "c")
		ab := slip.Between(a, b)
		if (ab == 0) != (string(a) == string(b)) || ab != slip.Between(b, a) || ab > slip.Between(a, c)+slip.Between(c, b) || ab > max(len(a), len(b)) {
			r.Errorf("between %q, %q and %q: %d", string(a), string(b), string(c), ab)
		}
	})
}
