// Package result turns what a tool said into what a model reads. Three stages,
// always in this order: what breaks the tool's own schema is left out; what is too
// long is cut; and a line of figures, made by rules, goes before the rest. It also
// keeps a history fit to be sent: every call with its one result, and errors that
// are over told in a line. It knows no store and no model, and keeps nothing: what
// is cut away is the caller's to keep.
//
// What stands in ⟦ and ⟧ is said by this package. These two signs are taken out of
// all that tools say, so nothing that comes from outside can speak in its name; and so is
// what a chat template would take for somebody else's turn.
//
// Numbers in words are read here and in agent/tool/report, on purpose in two ways. Here
// a summary is held against the text that it was made of, where the same digits may
// stand for anything: sign, currency and what is counted do not matter, and a doubt is
// decided for the number. There a sentence is held against cells: sign, unit, currency
// and rounding are the claim itself, and a doubt strikes the number out. A reader for
// both would be asked at each step which of the two it is.
//
// What a newcomer would break: content is cut, never reworded. Every figure outside
// of the signs stands in what the tool said, and what is cut says so in its place,
// with how much there is and the call that reads it.
package result

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// A Config says how much a model reads. What is zero has the default.
type Config struct {
	ArrayMax   int // items of a JSON array: the first, the last, and evenly between; 20
	RowHead    int // rows of a table: the first; 50
	WebChars   int // characters of a web page, and of any one field of JSON; 2000
	Lines      int // lines of text, as Spec.Truncate says which; 50
	LargeBytes int // from here on a text is kept apart; also what a Spec without a Limit may take; 8192
}

// WithDefaults returns the Config with nothing zero.
func (c Config) WithDefaults() Config {
	for _, f := range []struct {
		of  *int
		def int
	}{{&c.ArrayMax, 20}, {&c.RowHead, 50}, {&c.WebChars, 2000}, {&c.Lines, 50}, {&c.LargeBytes, 8192}} {
		if *f.of <= 0 {
			*f.of = f.def
		}
	}
	return c
}

// An Input is what came of one call.
type Input struct {
	Spec   tool.Spec // of the tool; zero if there is no such tool
	Call   llm.Call  // its ID and Name
	Text   string    // what the tool said; of a failed one the JSON of a tool.Error, or words
	Failed bool
	// Artifact is the id under which the caller keeps Text if the Output says
	// Keep. Empty: it cannot be kept, and nothing will be said of how to read on.
	Artifact string
	Notes    []string  // what else is to be known of the result: a line each, written by code
	Goal     string    // what the person asked for: it says which parts matter
	Now      time.Time // when it was asked for; zero: nothing is said of how old things are
}

// An Output is what a model reads. Brief, Mark and Note are for the llm.Result of
// the call; an empty Brief means that the model reads Text as it is. Brief is no
// longer than the Limit of the Spec, or 400 bytes if that is more.
type Output struct {
	Brief, Mark, Note string
	Complete          bool // all that the tool said is there
	Keep              bool // the Text is to be kept under Input.Artifact
	Stages            []Stage
	Dropped           int // rows left out because they break the tool's schema
}

// A Stage says what one of the three stages was given and what it left, in bytes.
type Stage struct {
	Name    string
	In, Out int
}

// The stages.
const (
	Checked   = "check"
	Cut       = "cut"
	Extracted = "extract"
)

// Large reports whether a text is to be kept apart from the record of the run.
func Large(text string, cfg Config) bool { return len(text) > cfg.WithDefaults().LargeBytes }

// floor is the least that a Limit can ask for: a mark must fit.
const floor = 400

// Read makes of a result what a model reads. Its error, a *tool.Error, says that
// the result is a failed one although the tool did not say so: the Output is then
// that of the error.
func Read(in Input, cfg Config) (Output, error) {
	cfg = cfg.WithDefaults()
	r := reader{in: in, cfg: cfg, limit: cfg.LargeBytes, stages: []Stage{{Name: Checked}, {Name: Cut}, {Name: Extracted}}}
	if in.Spec.Limit > 0 {
		r.limit = in.Spec.Limit
	}
	r.limit = max(r.limit, floor)
	if in.Failed {
		return r.failed(), nil
	}
	text := clean(in.Text)
	err := r.shape(text)
	if fault := (*tool.Error)(nil); errors.As(err, &fault) {
		r.in.Text, r.in.Failed = encode(fault), true
		out := r.failed()
		out.Keep = in.Artifact != "" // for people; the model is not to use it
		return out, fault
	}
	return r.output(), nil
}

// A reader reads one result.
type reader struct {
	in     Input
	cfg    Config
	limit  int
	stages []Stage

	body    string
	extract string   // without its signs
	cuts    []cut    // in the order in which they were made
	notes   []string // of our own
	partial bool     // the tool itself left something out
	dropped int
}

// A cut is something that a model does not read.
type cut struct {
	id    string // the artifact that it can be read in
	at    string // where it is in the JSON, as a JSON pointer
	shown string // "rows 1-50 of 1000"
	from  int    // the first part that is left out, from 1
}

// shape finds out what a text is and puts it through the stages.
func (r *reader) shape(text string) error {
	r.stages[0].In, r.stages[0].Out = len(text), len(text)
	switch raw, ok := structure(text); {
	case strings.TrimSpace(text) == "":
		r.body = ""
	case r.in.Spec.Name == SectionTool:
		// It is cut at the source, and says so itself.
		all := lines(text)
		r.lines(text, all, tool.Head, len(all), nil)
	case ok:
		raw, err := r.check(raw)
		if err != nil {
			return err
		}
		r.stages[0].Out = len(raw)
		r.json(raw)
	default:
		if first, _, _ := strings.Cut(text, "\n"); len(r.in.Spec.Output) > 0 || looksJSON(text) && !json.Valid([]byte(first)) {
			r.notes = append(r.notes, "not the JSON that it should be: read as text")
		}
		if page, ok := pageOf(text); ok {
			r.page(page)
		} else if s, ok := sheetOf(text); ok && r.in.Spec.Truncate == tool.Both {
			r.sheet(text, s)
		} else {
			r.text(text, r.in.Spec.Truncate)
		}
	}
	return nil
}

// fault is what becomes of a result that cannot be used.
func (r *reader) fault(why string) *tool.Error {
	e := tool.Failf(tool.LogicError, "%s", why)
	e.Tool, e.Attempt = r.in.Call.Name, 1
	e.Suggestion = "do not use what it returned; try other arguments or another tool"
	if len(r.in.Spec.Alternates) > 0 {
		e.Suggestion = "do not use what it returned; try " + strings.Join(r.in.Spec.Alternates, " or ")
	}
	return e
}

// output puts together what the stages have left.
func (r *reader) output() Output {
	out := Output{
		Mark: markOf(r.in.Call.Name, r.in.Call.ID), Stages: r.stages, Dropped: r.dropped,
		Complete: len(r.cuts) == 0 && r.dropped == 0 && !r.partial,
	}
	brief := disarm(r.body)
	if strings.TrimSpace(brief) == "" {
		// An empty Brief would mean the whole text.
		brief = mark("empty: there is nothing to read in it")
	}
	if r.extract != "" {
		brief = mark("extract: %s", r.extract) + "\n" + brief
	}
	r.stages[1].In, r.stages[1].Out = r.stages[0].Out, len(r.body)
	r.stages[2].In, r.stages[2].Out = len(r.body), len(brief)
	if brief != r.in.Text {
		out.Brief = brief
	}
	lost := r.dropped > 0 || slices.ContainsFunc(r.cuts, func(c cut) bool { return c.id == r.in.Artifact })
	out.Keep = r.in.Artifact != "" && (lost || Large(r.in.Text, r.cfg))
	out.Note = r.note(out.Complete)
	return out
}
