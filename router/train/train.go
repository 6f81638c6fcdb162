// Package train makes the weights of the router's classifier from labelled lines. It
// is no part of the daemon.
//
// What a newcomer would break: the same lines in the same order give the same bytes on
// every machine. So nothing here depends on the order of a map, on the time, or on how
// a processor joins a product and a sum: each product is rounded by a conversion.
package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"hermes/router"
)

const classes = len(router.Guessed)

// Options are how a training goes. The zero value is not usable: begin with Defaults.
type Options struct {
	Rounds int
	Rate   float64
	L2     float64 // how much weights are held down, so that what stands in few lines weighs little
	Seed   uint64
	From   *router.Linear // what is already known; nil: nothing
}

// Defaults did best on sources that the training had not seen.
var Defaults = Options{Rounds: 12, Rate: 0.2, L2: 1e-6, Seed: 8}

// An example is a line as the training sees it.
type example struct {
	features []uint32
	class    int
	weight   float64
}

// Weights trains multinomial logistic regression, by AdaGrad.
func Weights(lines []Line, o Options) *router.Linear {
	examples := examplesOf(lines)
	t := newTrainer(o.From)
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(o.Seed, o.Seed)) //nolint:gosec // the order of lines is no secret
	for range o.Rounds {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			t.learn(examples[i], o)
		}
	}
	weights := make([]float32, len(t.weights))
	for i, w := range t.weights {
		weights[i] = float32(w)
	}
	var bias [classes]float32
	for k, b := range t.bias {
		bias[k] = float32(b)
	}
	return router.NewLinear(weights, bias)
}

// examplesOf weighs the kinds alike, however many lines each has.
func examplesOf(lines []Line) []example {
	var of [classes]int
	var all []example
	for _, l := range lines {
		k := slices.Index(router.Guessed[:], l.Label)
		of[k]++
		all = append(all, example{features: router.Features(l.Text), class: k})
	}
	for i := range all {
		all[i].weight = min(3, math.Sqrt(float64(len(all))/float64(classes*of[all[i].class])))
	}
	return all
}

type trainer struct {
	weights, squares []float64
	bias, biasSquare [classes]float64
}

// known is how slowly what is known already changes: as if so much had been learned
// about each weight.
const known = 0.02

func newTrainer(from *router.Linear) *trainer {
	t := &trainer{weights: make([]float64, router.Buckets*classes), squares: make([]float64, router.Buckets*classes)}
	if from == nil {
		return t
	}
	weights, bias := from.Weights()
	for i, w := range weights {
		t.weights[i], t.squares[i] = float64(w), known
	}
	for k, b := range bias {
		t.bias[k], t.biasSquare[k] = float64(b), 1
	}
	return t
}

func (t *trainer) learn(x example, o Options) {
	norm := 1 / math.Sqrt(float64(max(1, len(x.features))))
	score := t.bias
	for _, f := range x.features {
		for k := range score {
			score[k] += float64(t.weights[int(f)*classes+k] * norm)
		}
	}
	p := softmax(score)
	for k := range p {
		want := 0.0
		if k == x.class {
			want = 1
		}
		slope := float64((p[k] - want) * x.weight)
		step(&t.bias[k], &t.biasSquare[k], slope, o.Rate)
		slope = float64(slope * norm)
		for _, f := range x.features {
			at := int(f)*classes + k
			step(&t.weights[at], &t.squares[at], slope+float64(o.L2*t.weights[at]), o.Rate)
		}
	}
}

func step(w, square *float64, slope, rate float64) {
	*square += float64(slope * slope)
	*w -= float64(rate * slope / math.Sqrt(*square+1e-8))
}

func softmax(score [classes]float64) (p [classes]float64) {
	top, total := slices.Max(score[:]), 0.0
	for k := range score {
		p[k] = exp(score[k] - top)
		total += p[k]
	}
	for k := range p {
		p[k] /= total
	}
	return p
}

// exp is e to a power of at most 0, the same on every processor: math.Exp is not.
func exp(x float64) float64 {
	if x < -40 {
		return 0
	}
	const halvings = 10
	x /= 1 << halvings
	e := 1 + float64(x*(1+float64(x/2*(1+float64(x/3*(1+float64(x/4)))))))
	for range halvings {
		e = float64(e * e)
	}
	return e
}
