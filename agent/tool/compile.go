package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/url"
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
	c := compiler{root: root, nodes: map[string]*node{}, order: propertyOrder(schema)}
	n = c.node(root, "#")
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
}

// refer finds the schema that a $ref means, within the same text. What stands
// elsewhere is not fetched: it takes everything.
func (c *compiler) refer(ref string) *node {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	if pointer != "" && pointer[0] != '/' {
		v, at := c.anchor(c.root, "#", pointer, 0)
		if at == "" {
			return nil
		}
		return c.node(v, at)
	}
	v := c.root
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch of := v.(type) {
		case map[string]any:
			v, ok = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			if ok = err == nil && i >= 0 && i < len(of); ok {
				v = of[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil
		}
	}
	return c.node(v, "#"+pointer)
}

// anchor looks for the schema with that $anchor.
func (c *compiler) anchor(v any, at, name string, depth int) (any, string) {
	if depth > maxDepth {
		return nil, ""
	}
	switch of := v.(type) {
	case map[string]any:
		if of["$anchor"] == name || of["$id"] == "#"+name {
			return of, at
		}
		for _, key := range sorted(of) {
			if found, where := c.anchor(of[key], at+"/"+escape(key), name, depth+1); where != "" {
				return found, where
			}
		}
	case []any:
		for i, x := range of {
			if found, where := c.anchor(x, at+"/"+strconv.Itoa(i), name, depth+1); where != "" {
				return found, where
			}
		}
	}
	return nil, ""
}

func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
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

func typesOf(v any) []string {
	names := words(v)
	if s, ok := v.(string); ok {
		names = []string{s}
	}
	var types []string
	for _, name := range names {
		t, ok := typeNames[strings.ToLower(name)]
		if !ok {
			return nil // "any", or a word that nobody knows
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

func word(v any) string {
	s, _ := v.(string)
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

// expression reads a regular expression of ECMA, or returns nil: a few of them Go
// does not know.
func expression(v any) *regexp.Regexp {
	s, ok := v.(string)
	if !ok {
		return nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil
	}
	return re
}

// count reads a number of things.
func count(v any) *int {
	r := rat(v)
	if r == nil || !r.IsInt() || !r.Num().IsInt64() || r.Sign() < 0 {
		return nil
	}
	n := int(r.Num().Int64())
	return &n
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
