package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

var errSchema = errors.New("it is no JSON Schema")

// compiled holds the schemas that were read, by their text. It is emptied when it is
// full: servers of tools may change theirs for ever.
var compiled = struct {
	sync.Mutex
	nodes map[string]*node
}{nodes: map[string]*node{}}

const maxCompiled = 512

// Unread is what a schema says and no value can be held against, such as a form that
// looks ahead or a reference to what is not there: a line each, with where it stands
// and what to write instead.
func Unread(schema json.RawMessage) []string {
	if len(schema) == 0 {
		return nil
	}
	n, err := compile(schema)
	if err != nil {
		return []string{err.Error() + "; write a JSON Schema"}
	}
	return n.unread
}

// compile reads a schema, or returns the one that it has read before.
func compile(schema json.RawMessage) (*node, error) {
	compiled.Lock()
	n, ok := compiled.nodes[string(schema)]
	compiled.Unlock()
	if ok {
		return n, nil
	}
	var root any
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		return nil, fmt.Errorf("%w: %w", errSchema, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: there is more than one value", errSchema)
	}
	switch root.(type) {
	case map[string]any, bool:
	default:
		return nil, fmt.Errorf("%w: it is neither an object nor true or false", errSchema)
	}
	c := &compiler{root: root, nodes: map[string]*node{}, order: propertyOrder(schema)}
	n = c.node(root, "#")
	slices.Sort(c.unread) // maps have no order
	n.unread = slices.Compact(c.unread)
	for _, m := range c.nodes {
		m.known = map[string]bool{}
		m.gather(m, map[*node]bool{})
	}
	compiled.Lock()
	defer compiled.Unlock()
	if len(compiled.nodes) >= maxCompiled {
		clear(compiled.nodes)
	}
	compiled.nodes[string(schema)] = n
	return n, nil
}

type compiler struct {
	root  any
	nodes map[string]*node // by pointer: a schema may refer to itself
	order map[string]int   // of the names of properties in the text
	// unread is what the schema says and nobody can hold a value against, each with
	// what to write instead.
	unread []string
}

// skip notes a keyword that says something and is not understood.
func (c *compiler) skip(at, keyword, why string) {
	c.unread = append(c.unread, at+"/"+keyword+": "+why)
}

// propertyOrder returns where each name first stands in a schema, so that faults
// come in the order in which a person would read the arguments.
func propertyOrder(schema json.RawMessage) map[string]int {
	order := map[string]int{}
	dec := json.NewDecoder(bytes.NewReader(schema))
	for i := 0; ; i++ {
		tok, err := dec.Token()
		if err != nil {
			return order
		}
		if s, ok := tok.(string); ok {
			if _, known := order[s]; !known {
				order[s] = i
			}
		}
	}
}

// types are those that a schema names; none is any.
func (c *compiler) types(m map[string]any, at string) []string {
	names := words(m["type"])
	if s, ok := m["type"].(string); ok {
		names = []string{s}
	} else if of, list := m["type"].([]any); m["type"] != nil && (!list || len(of) != len(names)) {
		c.skip(at, "type", "it is neither a word nor a list of words; write one such as string")
		return nil
	}
	var types []string
	for _, name := range names {
		t, ok := typeNames[strings.ToLower(name)]
		if !ok {
			if !slices.Contains(anyType, strings.ToLower(name)) {
				c.skip(at, "type", quote(name)+" is none; write string, integer, number, boolean, array, object or null")
			}
			return nil
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// anyType are the words for a value of any type.
var anyType = []string{"any", "mixed", ""}

func word(v any) string {
	s, _ := v.(string)
	return s
}

// word reads a keyword that is a text.
func (c *compiler) word(m map[string]any, at, keyword string) string {
	s, ok := m[keyword].(string)
	if !ok && m[keyword] != nil {
		c.skip(at, keyword, show(m[keyword])+" is no text; write one")
	}
	return s
}

func words(v any) []string {
	var all []string
	of, _ := v.([]any)
	for _, x := range of {
		if s, ok := x.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// expression reads a regular expression of ECMA. A few of them Go does not know.
func (c *compiler) expression(at, keyword, s string) *regexp.Regexp {
	re, err := regexp.Compile(ecma.ReplaceAllStringFunc(s, func(m string) string {
		if m == `\\` {
			return m
		}
		return `\x{` + strings.Trim(m[2:], "{}") + "}"
	}))
	if err != nil {
		c.skip(at, keyword, quote(s)+" is no regular expression that is known here; write it as RE2 has it, without looking ahead or back")
		return nil
	}
	return re
}

// ecma finds the characters that ECMA has by their number, which Go writes in another
// way. Behind an escaped backslash u is a letter.
var ecma = regexp.MustCompile(`\\\\|\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4}`)

// count reads a number of things.
func (c *compiler) count(m map[string]any, at, keyword string) *int {
	n := count(m[keyword])
	if n == nil && m[keyword] != nil {
		c.skip(at, keyword, show(m[keyword])+" is no count; write a whole number from 0")
	}
	return n
}

func count(v any) *int {
	r := rat(v)
	if r == nil || !r.IsInt() || !r.Num().IsInt64() || r.Sign() < 0 {
		return nil
	}
	n := int(r.Num().Int64())
	return &n
}

// bound reads a limit of a number.
func (c *compiler) bound(m map[string]any, at, keyword string) *big.Rat {
	r := rat(m[keyword])
	_, mark := m[keyword].(bool) // of draft 4
	if r == nil && m[keyword] != nil && !(mark && strings.HasPrefix(keyword, "exclusive")) {
		c.skip(at, keyword, show(m[keyword])+" is no number; write one")
	}
	return r
}

// rat reads a number exactly. It returns nil for what is none, and for one that no
// program would hold: to write it out would take all memory.
func rat(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	if len(n) > maxDigits {
		return nil
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 {
		if e, err := strconv.Atoi(string(n[i+1:])); err != nil || e > maxDigits || e < -maxDigits {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}

// maxDigits is more than a float64 has places.
const maxDigits = 400
