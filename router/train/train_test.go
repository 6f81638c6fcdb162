package train_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"hermes/router"
	"hermes/router/train"
)

// The same lines give the same bytes, be they Hermes' own or others'.
func TestTheSameLinesGiveTheSameWeights(t *testing.T) {
	own := train.Own()
	var some []train.Line
	for i, l := range own {
		if i%10 == 0 {
			some = append(some, l)
		}
	}
	if !bytes.Equal(train.Weights(some, train.Defaults).Bytes(), train.Weights(some, train.Defaults).Bytes()) {
		t.Error("two trainings of the same lines differ")
	}
	if again := train.Own(); len(again) != len(own) || again[len(again)-1] != own[len(own)-1] {
		t.Error("the grammar gives other lines the second time")
	}
}

// The weights that the program brings along are what its own command makes.
func TestShippedWeightsAreReproduced(t *testing.T) {
	const name = "../../../shared/data/router_train_dev.jsonl"
	f, err := os.Open(name)
	if err != nil {
		t.Skip("no shared data here")
	}
	defer f.Close()
	lines, err := train.Read(name, f)
	if err != nil {
		t.Fatal(err)
	}
	var used []train.Line
	for _, l := range train.Shared(lines) {
		if l.Split == "train" {
			used = append(used, l)
		}
	}
	if !bytes.Equal(train.Weights(append(used, train.Own()...), train.Defaults).Bytes(), router.Embedded().Bytes()) {
		t.Error("router/weights.bin is not what the lines give; see router/testdata/README.md")
	}
}

// No line that may not be handed on is in the weights that are.
func TestSharedLeavesOutWhatMayNotBeHandedOn(t *testing.T) {
	lines, err := train.Read("x", strings.NewReader(`{"text":"a","label":"task","licence":"CC-BY-SA-4.0","share":true}
{"text":"b","label":"task","share":false}
{"text":"c","label":"task","licence":"MIT","share":true}
{"text":"d","label":"task"}
`))
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, l := range train.Shared(lines) {
		kept = append(kept, l.Text)
	}
	if got := strings.Join(kept, " "); got != "c d" {
		t.Errorf("Shared keeps %q, want c d", got)
	}
}

// A few corrections change what they are about, and little else.
func TestTrainingGoesOnFromWhatIsKnown(t *testing.T) {
	wrong := "the usual for the north, my friend"
	before := router.New(router.Config{}, nil).Route(t.Context(), router.Message{Text: wrong, Direct: true}).Kind
	want := router.Task
	if before == want {
		want = router.Question
	}
	o := train.Defaults
	o.From = router.Embedded()
	l := train.Weights(append(train.Own(), train.Line{Text: wrong, Label: want}), o)
	r := router.New(router.Config{Linear: l}, nil)
	if d := r.Route(t.Context(), router.Message{Text: wrong, Direct: true}); d.Kind != want {
		t.Errorf("after the correction it is a %s (%.2f), want a %s", d.Kind, d.Confidence, want)
	}
	f, err := os.Open("../testdata/heldout.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	held, err := train.Read("heldout", f)
	if err != nil {
		t.Fatal(err)
	}
	if s := train.ScoreOf(t.Context(), r, held); s.F1() < 0.90 {
		t.Errorf("of other lines it is right less: %s", s)
	}
}

// What is wrong with a file is said with its line.
func TestReadSaysWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		`{"text":"a","label":"chat"}`:       `x:1: label is "chat"`,
		"\n" + `{"text":"","label":"task"}`: "x:2: text is empty",
		`text`:                              "x:1: not a JSON object",
		`{"text":"/x","label":"command"}`:   "",
		`{"text":"a","label":"task","source":"s","split":"t"}`: "",
	} {
		_, err := train.Read("x", strings.NewReader(in))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Read(%s) = %v, want %q", in, err, want)
		}
	}
	for in, want := range map[string]string{
		"joke: a | b":          "neither a list",
		"task many: a":         "no number",
		"task 2: {nothing}":    "no list",
		"task 2: [a|b":         "does not end",
		"a = b | c\ntask: {a}": "",
	} {
		_, err := train.ReadGrammar("x", strings.NewReader(in))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("ReadGrammar(%s) = %v, want %q", in, err, want)
		}
	}
}
