package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// New makes a Tool of a function. Its schema comes from In, a struct, as SchemaOf
// has it. Arguments that Check refuses become a failed Result, not an error, and
// the function does not run. New panics where SchemaOf does, with the name of the tool.
func New[In any](s Spec, run func(context.Context, Call, In) (Result, error)) Tool {
	if s.Schema == nil {
		in := s.infer(reflect.TypeFor[In](), false)
		s.Schema, s.Aliases = in.text, in.aliases
		s.Content, s.Control = append(s.Content, in.content...), append(s.Control, in.control...)
	}
	return funcTool[In]{s, run}
}

// NewTyped makes a Tool of a function that returns a struct: the model reads it as
// JSON, and it is held against the schema of Out as OutputOf has it. What the model
// can mend is an *Error of type InputError.
func NewTyped[In, Out any](s Spec, run func(context.Context, Call, In) (Out, error)) Tool {
	if s.Output == nil {
		s.Output = s.infer(reflect.TypeFor[Out](), true).text
	}
	return New(s, func(ctx context.Context, c Call, in In) (Result, error) {
		out, err := run(ctx, c, in)
		if err != nil {
			return Result{}, err
		}
		return JSON(out)
	})
}

// infer is schemaOf for this tool: its panic says whose schema it is.
func (s Spec) infer(t reflect.Type, out bool) inferred {
	got, err := infer(t, out)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", s.Name, err))
	}
	return got
}

// Decode reads the arguments of a call. Its error is for the model: it names the
// property.
func Decode[In any](args json.RawMessage) (In, error) {
	var in In
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return in, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return in, errors.New("more than one JSON value")
	}
	return in, nil
}

type funcTool[In any] struct {
	spec Spec
	run  func(context.Context, Call, In) (Result, error)
}

func (t funcTool[In]) Spec() Spec { return t.spec }

func (t funcTool[In]) Run(ctx context.Context, c Call) (Result, error) {
	args := c.Args
	if !c.Checked {
		checked := Check(t.spec, args, CheckOptions{})
		if len(checked.Faults) > 0 {
			return Fail("arguments of %s: %s", t.spec.Name, checked.Fault()), nil
		}
		args = checked.Args
	}
	in, err := Decode[In](args)
	if err != nil {
		return Fail("arguments of %s: %v", t.spec.Name, err), nil
	}
	return t.run(ctx, c, in)
}
