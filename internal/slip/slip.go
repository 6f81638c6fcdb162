// Package slip counts slips of the pen, for whoever says which name was probably meant.
//
// What is near enough to be meant is for the caller to say: keys, tools and measures
// differ in how much of a name may be wrong.
//
// What a newcomer would break: what people write in any language is counted by runes; only
// keys, which are ASCII, may be counted by bytes.
package slip

// Between is how many of a's parts must be put in, left out or changed to make b of it. It
// takes time by the product of the lengths: whoever takes texts of any length bounds them
// first.
func Between[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
