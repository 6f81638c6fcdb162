package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/jsonschema-go/jsonschema"
)

// New makes a Tool of a function. Its schema comes from In, a struct: the json
// tag names a property, the jsonschema tag describes it, omitempty makes it
// optional. Arguments that do not decode into In become a failed Result, not an
// error. It panics if In has no schema, which the first test of a tool shows.
func New[In any](s Spec, run func(context.Context, Call, In) (Result, error)) Tool {
	if s.Schema == nil {
		s.Schema = SchemaOf[In]()
	}
	return funcTool[In]{s, run}
}

// SchemaOf returns the JSON Schema of a struct, for a tool that is a type of its
// own. It panics where New does.
func SchemaOf[In any]() json.RawMessage {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("schema of %T: %v", *new(In), err))
	}
	b, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("schema of %T: %v", *new(In), err))
	}
	return b
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
	in, err := Decode[In](c.Args)
	if err != nil {
		return Fail("arguments of %s: %v", t.spec.Name, err), nil
	}
	return t.run(ctx, c, in)
}
