package router

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Guessed are the kinds that the classifier tells apart, in the order of its weights.
// That a text is a command or for somebody else is a matter of rules.
var Guessed = [...]Kind{Chitchat, Question, Task}

// A Linear is the embedded classifier: a weight for each thing that may stand in a text
// and each kind. It is safe for concurrent use.
type Linear struct {
	bias    [len(Guessed)]float32
	scale   float32
	weights []int8 // by feature, then by kind
}

// magic begins a file of weights; its last byte is the version of the features.
const magic = "hermes router 1\n"

// NewLinear makes a Linear of weights as they come out of a training: by feature, then
// by kind.
func NewLinear(weights []float32, bias [len(Guessed)]float32) *Linear {
	most := float32(1e-9)
	for _, w := range weights {
		most = max(most, w, -w)
	}
	l := &Linear{bias: bias, scale: most / 127, weights: make([]int8, len(weights))}
	for i, w := range weights {
		l.weights[i] = int8(math.Round(float64(w / l.scale)))
	}
	return l
}

// Weights are what NewLinear made it of, as exactly as it has kept them.
func (l *Linear) Weights() ([]float32, [len(Guessed)]float32) {
	weights := make([]float32, len(l.weights))
	for i, w := range l.weights {
		weights[i] = float32(w) * l.scale
	}
	return weights, l.bias
}

// Features are the places of what stands in a text; a training needs them.
func Features(text string) []uint32 {
	text = head(text)
	var all []uint32
	featuresOf(text, split(text), func(f feature) { all = append(all, uint32(f)) })
	return all
}

// Buckets is one more than the greatest feature.
const Buckets = buckets

// Bytes is the file of a Linear.
func (l *Linear) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString(magic)
	for _, f := range append(l.bias[:], l.scale) {
		_ = binary.Write(&b, binary.LittleEndian, f)
	}
	for _, w := range l.weights {
		b.WriteByte(byte(w)) //nolint:gosec // the bits as they are
	}
	return b.Bytes()
}

//go:embed weights.bin
var shipped []byte

// Embedded is the Linear that the program brings along.
func Embedded() *Linear { return embedded() }

var embedded = sync.OnceValue(func() *Linear {
	l, err := ReadLinear(shipped)
	if err != nil {
		panic("router: embedded weights: " + err.Error()) // a test reads them
	}
	return l
})

// errWeights is what is wrong with a file that is none of ours.
var errWeights = errors.New("not a file of router weights of this version")

// ReadLinear reads a file of weights.
func ReadLinear(file []byte) (*Linear, error) {
	body, ours := bytes.CutPrefix(file, []byte(magic))
	const numbers = 4 * (len(Guessed) + 1)
	if !ours {
		return nil, errWeights
	}
	if want := numbers + buckets*len(Guessed); len(body) != want {
		return nil, fmt.Errorf("%w: %d bytes instead of %d", errWeights, len(body), want)
	}
	l := &Linear{weights: make([]int8, buckets*len(Guessed))}
	for i := range l.bias {
		l.bias[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	l.scale = math.Float32frombits(binary.LittleEndian.Uint32(body[numbers-4:]))
	for i, b := range body[numbers:] {
		l.weights[i] = int8(b) //nolint:gosec // the bits as they are
	}
	return l, nil
}

// guess is how likely each kind is.
func (l *Linear) guess(text string, w words) (p [len(Guessed)]float32) {
	var sum [len(Guessed)]int
	n := 0
	featuresOf(text, w, func(f feature) {
		at := int(f) * len(Guessed)
		for k := range sum {
			sum[k] += int(l.weights[at+k])
		}
		n++
	})
	norm := l.scale / float32(math.Sqrt(float64(max(1, n))))
	for k := range p {
		p[k] = l.bias[k] + float32(sum[k])*norm
	}
	top, total := slices.Max(p[:]), float32(0)
	for k := range p {
		p[k] = float32(math.Exp(float64(p[k] - top)))
		total += p[k]
	}
	for k := range p {
		p[k] /= total
	}
	return p
}

// mostTerms is how many words are named as those that decided.
const mostTerms = 3

// speaking are the words that speak most for a kind, in the order of the text.
func (l *Linear) speaking(w words, kind int) []string {
	var top []int
	weight := func(i int) int8 { return l.weights[int(wordFeature(w.word(i)))*len(Guessed)+kind] }
	for i := range w.at {
		if weight(i) <= 0 {
			continue
		}
		j, _ := slices.BinarySearchFunc(top, weight(i), func(at int, than int8) int { return int(than) - int(weight(at)) })
		if j < mostTerms {
			top = slices.Insert(top, j, i)
			top = top[:min(len(top), mostTerms)]
		}
	}
	slices.Sort(top)
	var terms []string
	for _, i := range top {
		if word := w.word(i); !slices.Contains(terms, word) {
			terms = append(terms, word)
		}
	}
	return terms
}

// Guess is how likely each kind of Guessed is by the classifier alone.
func (l *Linear) Guess(text string) [len(Guessed)]float32 {
	text = head(text)
	return l.guess(text, split(text))
}
