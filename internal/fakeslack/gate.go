package fakeslack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Gate holds the arguments of calls against schemas that are not ours: they are
// made of the types and the comments of Slack's own packages by tools/slack. It
// knows the shape of one call, where the Server knows what may follow on what.
type Gate struct {
	methods map[string]*jsonschema.Resolved
}

// Where a Gate is taken from if there is one, and where violations of it are written
// down, one a line, for those who see no test fail: the daemon's own process. Tests
// that use a Server need not know of either.
const (
	SchemaEnv     = "HERMES_SLACK_SCHEMA"
	ViolationsEnv = "HERMES_SLACK_VIOLATIONS"
)

// NewGate reads a file that tools/slack/schema.mjs has made.
func NewGate(file string) (*Gate, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("schemas of slack's requests: %w", err)
	}
	var schemas map[string]*jsonschema.Schema
	if err := json.Unmarshal(b, &schemas); err != nil {
		return nil, fmt.Errorf("schemas in %s: %w", file, err)
	}
	g := &Gate{map[string]*jsonschema.Resolved{}}
	for name, schema := range schemas {
		if g.methods[name], err = schema.Resolve(nil); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", name, err)
		}
	}
	return g, nil
}

// ErrNoSchema is returned for a method that the schemas do not have.
var ErrNoSchema = errors.New("not among the methods of tools/slack/schema.mjs")

// unsaid are arguments that Slack takes and that its packages do not tell of: the
// first of every app, the last by the name that the documents have.
var unsaid = map[string]string{
	"chat.postMessage":           "channel_id",
	"chat.postEphemeral":         "channel_id",
	"files.getUploadURLExternal": "alt_txt",
}

// Check returns nil if a call may be made as it is.
func (g *Gate) Check(c Call) error {
	schema, ok := g.methods[c.Method]
	if !ok {
		return fmt.Errorf("%s: %w", c.Method, ErrNoSchema)
	}
	in := c.Arguments()
	delete(in, "token")
	delete(in, unsaid[c.Method])
	if err := schema.Validate(in); err != nil {
		return fmt.Errorf("%s: %w", c.Method, err)
	}
	return nil
}

// fromEnv is the Gate of SchemaEnv, or nil if that is not set. One that cannot be
// read is no reason to check nothing.
var fromEnv = sync.OnceValue(func() *Gate {
	file := os.Getenv(SchemaEnv)
	if file == "" {
		return nil
	}
	g, err := NewGate(file)
	if err != nil {
		panic(err)
	}
	return g
})

// gated holds a call against the Gate, if there is one. Methods that the Server does
// not have are refused by itself.
func (s *Server) gated(name string, a args) {
	g := fromEnv()
	if g == nil {
		return
	}
	if _, ok := methods[name]; !ok {
		return
	}
	if err := g.Check(Call{Method: name, Args: a}); err != nil {
		violated(err)
	}
}

var violations sync.Mutex

// violated writes a violation down.
func violated(err error) {
	file := os.Getenv(ViolationsEnv)
	if file == "" {
		return
	}
	violations.Lock()
	defer violations.Unlock()
	f, openErr := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if openErr != nil {
		panic(openErr)
	}
	_, writeErr := fmt.Fprintln(f, strings.ReplaceAll(err.Error(), "\n", " "))
	if err := errors.Join(writeErr, f.Close()); err != nil {
		panic(err)
	}
}
