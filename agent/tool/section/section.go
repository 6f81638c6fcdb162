// Package section lets the model read on in a result that was too long for it: rows,
// items or lines of what is kept of it, by number or by a text in them. What the
// parts of a result are is not decided here: whoever cut the result numbers them,
// and gives the tool the function that does.
//
// What a newcomer would break: an id is no right to read. The tool reads what the
// same run has made, or a run of the same person at the same home; of everything
// else it says what it says of an id that there is not.
package section

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/tool"
)

// Name is the tool's name: what is cut says how to call it.
const Name = "read_file_section"

// Bytes is how long an answer is at most.
const Bytes = 16 * 1024

// maxPart is how many bytes one part has at most; what is longer is read by its own
// JSON pointer.
const maxPart = 4 * 1024

// Parts are what a text is made of. They are numbered from 0.
type Parts interface {
	Len() int
	Unit() string                // "row", "item", "member", "line"
	Head() string                // names of the columns, or empty
	Has(i int, text string) bool // in capitals or not
	Part(i, bytes int) string    // in about so many bytes
}

// An Opener returns the parts of what stands at a JSON pointer in a text, those of
// the main table or of all of it if the pointer is empty. Its error is for the
// model.
type Opener[P Parts] func(text, at string) (P, error)

// A Maker says who asked for a run, and at which home. It reports false for a run
// that there is not.
type Maker func(ctx context.Context, run string) (asker, home string, ok bool, err error)

// Args are what the model says.
type Args struct {
	ID    string `json:"id" jsonschema:"in its note"`
	From  int    `json:"from,omitempty" jsonschema:"first one" tool:"min=1,default=1"`
	Count int    `json:"count,omitempty" jsonschema:"how many" tool:"min=1,max=200,default=50"`
	At    string `json:"at,omitempty" jsonschema:"JSON pointer, as /items/3; else the main table"`
	Find  string `json:"find,omitempty" jsonschema:"only those with this text" tool:"max=200"`
}

// New returns the tool. Without a Maker it reads only what the same run has made.
func New[P Parts](kept tool.Artifacts, open Opener[P], made Maker) tool.Tool {
	d := desk{kept, func(text, at string) (Parts, error) { return open(text, at) }, made}
	return tool.New(tool.Spec{
		Name:         Name,
		Description:  "Read on in a cut result: rows, items or lines; never to add up figures.",
		Restrictions: "At most 200 lines at a time.",
		Effect:       tool.Read,
		Unattended:   true,
		Later:        true,
		Limit:        Bytes,
		Truncate:     tool.Head,
	}, d.read)
}

type desk struct {
	kept tool.Artifacts
	open func(text, at string) (Parts, error)
	made Maker
}

func (d desk) read(ctx context.Context, c tool.Call, in Args) (tool.Result, error) {
	a, err := d.kept.Artifact(ctx, in.ID)
	switch {
	case errors.Is(err, tool.ErrNoArtifact):
		return none(in.ID), nil
	case err != nil:
		return tool.Result{}, fmt.Errorf("artifact %s: %w", in.ID, err)
	}
	switch ok, err := d.may(ctx, c, a); {
	case err != nil:
		return tool.Result{}, fmt.Errorf("who made artifact %s: %w", in.ID, err)
	case !ok:
		return none(in.ID), nil
	case !isText(a):
		return tool.Fail("%s is a file of type %s and has no lines to read", in.ID, a.Mime), nil
	}
	parts, err := d.open(string(a.Body), in.At)
	if err != nil {
		return tool.Fail("%s: %v", in.ID, err), nil
	}
	return in.answer(parts), nil
}

// none is said of an id that there is not, and of one that is not for the asker.
func none(id string) tool.Result {
	return tool.Fail("there is no such result: %q; ids stand in the notes below results of this conversation", id)
}

// may reports whether the asker of a call may read an artifact there.
func (d desk) may(ctx context.Context, c tool.Call, a tool.Artifact) (bool, error) {
	switch {
	case c.Run == "" || a.Run == "":
		return false, nil
	case a.Run == c.Run:
		return true, nil
	case d.made == nil || c.Asker == "" || c.Home == "":
		return false, nil
	}
	asker, home, ok, err := d.made(ctx, a.Run)
	return ok && asker == c.Asker && home == c.Home, err
}

// isText reports whether an artifact has lines.
func isText(a tool.Artifact) bool {
	kind, _, _ := strings.Cut(a.Mime, ";")
	switch {
	case a.Kind == tool.Table || a.Kind == tool.Report:
		return true
	case kind == "" || strings.HasPrefix(kind, "text/"):
		return true
	}
	return strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") || strings.HasSuffix(kind, "csv")
}

// answer reads the parts.
func (in Args) answer(parts Parts) tool.Result {
	total, unit := parts.Len(), parts.Unit()
	if in.Find == "" && in.From > total {
		if total == 0 {
			return tool.Result{Text: fmt.Sprintf("%s has no %ss", in.ID, unit)}
		}
		return tool.Fail("from is %d; %s has %d %ss", in.From, in.ID, total, unit)
	}
	var body strings.Builder
	if head := parts.Head(); head != "" && len(head) <= maxPart {
		body.WriteString(head + "\n")
	}
	var shown []int
	next := 0 // the first that was not looked at, from 1; 0: all were
	for i := in.From - 1; i < total; i++ {
		if in.Find != "" && !parts.Has(i, in.Find) {
			continue
		}
		if len(shown) == in.Count {
			next = i + 1
			break
		}
		text := parts.Part(i, maxPart)
		if in.Find != "" {
			text = fmt.Sprintf("%d: %s", i+1, text)
		}
		if len(shown) > 0 && body.Len()+len(text)+1 > Bytes-reserve {
			next = i + 1
			break
		}
		body.WriteString(text + "\n")
		shown = append(shown, i+1)
	}
	return tool.Result{Text: in.says(shown, next, total, unit) + "\n" + strings.TrimSuffix(body.String(), "\n")}
}

// reserve is what the first line of an answer takes at most.
const reserve = 1024

// says is the first line: what is there, of how much, and how to go on.
func (in Args) says(shown []int, next, total int, unit string) string {
	of := fmt.Sprintf("of %d in %s", total, in.ID)
	if in.At != "" {
		of += fmt.Sprintf(" at %.100q", in.At)
	}
	more := "nothing follows"
	if next > 0 {
		more = fmt.Sprintf("go on with from %d", next)
	}
	switch {
	case in.Find == "" && len(shown) == 1:
		return fmt.Sprintf("%s %d %s; %s", unit, shown[0], of, more)
	case in.Find == "":
		return fmt.Sprintf("%ss %d-%d %s; %s", unit, shown[0], shown[len(shown)-1], of, more)
	case len(shown) == 0:
		return fmt.Sprintf("no %s from %d on contains %q, %s", unit, in.From, in.Find, of)
	default:
		return fmt.Sprintf("%d %ss with %q, %s; %s", len(shown), unit, in.Find, of, more)
	}
}
