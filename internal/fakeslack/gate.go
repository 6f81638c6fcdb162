package fakeslack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
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

// unhad are arguments and blocks that Slack has and that its packages do not tell of.
var unhad = map[string][]string{
	// The library sends these with every call of the method; Slack takes them.
	"chat.postMessage":   {"channel_id"},
	"chat.postEphemeral": {"channel_id"},
}

// Check returns nil if a call may be made as it is. Its arguments are as they come in
// a form: texts, and what is no text as JSON.
func (g *Gate) Check(method string, args map[string]string) error {
	schema, ok := g.methods[method]
	if !ok {
		return fmt.Errorf("%s: %w", method, ErrNoSchema)
	}
	in := map[string]any{}
	for k, v := range args {
		if k == "token" || slices.Contains(unhad[method], k) {
			continue
		}
		in[k] = typed(k, v)
	}
	if err := schema.Validate(in); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// Arguments that are no texts. All others are, whatever they look like: a ts has
// only digits and a point.
var (
	structured = []string{"attachments", "blocks", "chunks", "files", "metadata", "prompts", "view"}
	listed     = []string{"loading_messages"}
	flags      = []string{
		"as_user", "exclude_archived", "exclude_members", "include_all_metadata", "include_count", "include_disabled", "include_locale",
		"include_num_members", "include_users", "inclusive", "is_archived", "link_names", "mrkdwn", "no_reactions", "prevent_creation",
		"reply_broadcast", "return_im", "unfurl_links", "unfurl_media",
	}
	numbers = []string{"count", "length", "limit", "page"}
)

func typed(key, text string) any {
	switch {
	case slices.Contains(structured, key):
		var v any
		if json.Unmarshal([]byte(text), &v) == nil {
			return v
		}
	case slices.Contains(listed, key):
		var v []any
		if json.Unmarshal([]byte(text), &v) == nil {
			return v
		}
		for s := range strings.SplitSeq(text, ",") {
			v = append(v, s)
		}
		return v
	case slices.Contains(flags, key):
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
	case slices.Contains(numbers, key):
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	}
	return text
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
	if err := g.Check(name, a); err != nil {
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
