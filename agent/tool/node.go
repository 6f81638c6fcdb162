package tool

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// A node is one JSON Schema, read once. It takes what drafts 4 to 2020-12 say and
// what is written in the wild ("dict", "float", nullable). What it cannot read it
// leaves out, and says so.
type node struct {
	never    bool     // the schema false
	types    []string // of JSON; none: any
	enum     []any    // nil: any; const is an enum of one
	ref      *node
	all      []*node
	any      []*node
	one      []*node
	not      *node
	cond     *node // if, with then and else
	then     *node
	other    *node
	def      any
	hasDef   bool
	describe string

	// Of an object.
	props     map[string]*node
	order     []string // of the properties
	patterns  []pattern
	extra     *node // of properties without a name; nil: not said, or refused
	closed    bool  // properties without a name are refused in so many words
	names     *node
	required  []string
	needs     map[string][]string // dependentRequired
	brings    map[string]*node    // dependentSchemas
	leastKeys *int
	mostKeys  *int
	// known and open are of all the schemas of one place together: the names that
	// any of them has, and whether one lets in others.
	known map[string]bool
	open  bool

	// Of the root alone.
	unread []string

	// Of an array.
	first    []*node // prefixItems
	rest     *node
	least    *int
	most     *int
	unique   bool
	contains *node
	fewest   *int // minContains
	mostOf   *int // maxContains

	// Of a string.
	shortest *int
	longest  *int
	match    *regexp.Regexp
	format   string

	// Of a number.
	min, max     *big.Rat
	above, below *big.Rat // without the bound itself
	multiple     *big.Rat
}

type pattern struct {
	re *regexp.Regexp
	of *node
}

// typeNames are the words for the types of JSON that schemas are written with.
var typeNames = map[string]string{
	"object": "object", "dict": "object", "map": "object", "hashmap": "object", "record": "object",
	"array": "array", "list": "array", "tuple": "array", "set": "array", "arraylist": "array",
	"string": "string", "str": "string", "char": "string",
	"integer": "integer", "int": "integer", "long": "integer", "short": "integer", "byte": "integer",
	"number": "number", "float": "number", "double": "number", "decimal": "number",
	"boolean": "boolean", "bool": "boolean",
	"null": "null", "none": "null",
}

// gather notes in n the names of m and of all that applies to the same value.
func (n *node) gather(m *node, seen map[*node]bool) {
	if m == nil || seen[m] {
		return
	}
	seen[m] = true
	for name := range m.props {
		n.known[name] = true
	}
	n.open = n.open || m.extra != nil
	for _, of := range slices.Concat([]*node{m.ref, m.cond, m.then, m.other}, m.all, m.any, m.one) {
		n.gather(of, seen)
	}
	for _, of := range m.brings {
		n.gather(of, seen)
	}
}

// node reads the schema at a pointer.
func (c *compiler) node(v any, at string) *node {
	if n, ok := c.nodes[at]; ok {
		return n
	}
	n := &node{}
	c.nodes[at] = n
	if b, ok := v.(bool); ok {
		n.never = !b
		return n
	}
	m, ok := v.(map[string]any)
	if !ok {
		c.unread = append(c.unread, at+": is neither an object nor true or false; write a schema")
		return n
	}
	sub := func(key string) *node {
		if m[key] == nil {
			return nil
		}
		return c.node(m[key], at+"/"+key)
	}
	c.logic(n, m, at, sub)
	c.object(n, m, at, sub)
	c.array(n, m, at, sub)
	n.shortest, n.longest = c.count(m, at, "minLength"), c.count(m, at, "maxLength")
	if s := c.word(m, at, "pattern"); s != "" {
		n.match = c.expression(at, "pattern", s)
	}
	n.format = word(m["format"])
	n.min, n.max = c.bound(m, at, "minimum"), c.bound(m, at, "maximum")
	n.above, n.below = c.bound(m, at, "exclusiveMinimum"), c.bound(m, at, "exclusiveMaximum")
	// Draft 4 has true there, and the bound in the other keyword.
	if m["exclusiveMinimum"] == true {
		n.above, n.min = n.min, nil
	}
	if m["exclusiveMaximum"] == true {
		n.below, n.max = n.max, nil
	}
	if n.multiple = c.bound(m, at, "multipleOf"); n.multiple != nil && n.multiple.Sign() == 0 {
		c.skip(at, "multipleOf", "nothing is a multiple of 0; write a number above it")
		n.multiple = nil
	}
	return n
}

// logic reads what goes for values of every type.
func (c *compiler) logic(n *node, m map[string]any, at string, sub func(string) *node) {
	n.describe = word(m["description"])
	if of, ok := m["enum"].([]any); ok {
		n.enum = of
	} else if m["enum"] != nil {
		c.skip(at, "enum", "it is no list; write [one, two]")
	}
	if v, ok := m["const"]; ok {
		n.enum = []any{v}
	}
	n.def, n.hasDef = m["default"]
	n.types = c.types(m, at)
	if len(n.types) == 0 {
		for _, v := range n.enum {
			if k := kind(v); !slices.Contains(n.types, k) {
				n.types = append(n.types, k)
			}
		}
	}
	if m["nullable"] == true && len(n.types) > 0 && !slices.Contains(n.types, "null") {
		n.types = append(n.types, "null")
	}
	if slices.Contains(n.types, "null") && n.enum != nil && m["nullable"] == true {
		n.enum = append(slices.Clone(n.enum), nil)
	}
	n.all, n.any, n.one = c.list(m, at, "allOf"), c.list(m, at, "anyOf"), c.list(m, at, "oneOf")
	n.not = sub("not")
	for _, key := range []string{"$dynamicRef", "$recursiveRef"} {
		if m[key] != nil {
			c.skip(at, key, "it is not known here; write $ref")
		}
	}
	if n.cond = sub("if"); n.cond != nil {
		n.then, n.other = sub("then"), sub("else")
	}
	if ref := c.word(m, at, "$ref"); ref != "" {
		n.ref = c.refer(at, ref)
	}
}

func (c *compiler) object(n *node, m map[string]any, at string, sub func(string) *node) {
	n.props = c.table(m, at, "properties")
	for name := range n.props {
		n.order = append(n.order, name)
	}
	slices.SortFunc(n.order, func(a, b string) int {
		if d := c.order[a] - c.order[b]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for text, of := range c.table(m, at, "patternProperties") {
		if re := c.expression(at, "patternProperties", text); re != nil {
			n.patterns = append(n.patterns, pattern{re, of})
		} else {
			n.extra = &node{} // nobody can say what it lets in
		}
	}
	slices.SortFunc(n.patterns, func(a, b pattern) int { return strings.Compare(a.re.String(), b.re.String()) })
	switch m["additionalProperties"] {
	case nil:
	case false:
		n.closed = true
	default:
		n.extra = sub("additionalProperties")
	}
	if v := m["unevaluatedProperties"]; v != nil && v != false && n.extra == nil {
		n.extra = &node{}
		if v != true {
			c.skip(at, "unevaluatedProperties", "only true and false are known; write additionalProperties")
		}
	}
	n.names = sub("propertyNames")
	n.required = words(m["required"])
	if of, list := m["required"].([]any); m["required"] != nil && (!list || len(of) != len(n.required)) {
		c.skip(at, "required", "it is no list of names; write one beside properties")
	}
	n.leastKeys, n.mostKeys = c.count(m, at, "minProperties"), c.count(m, at, "maxProperties")
	n.needs = map[string][]string{}
	n.brings = c.table(m, at, "dependentSchemas")
	for _, key := range []string{"dependentRequired", "dependencies"} {
		of, _ := m[key].(map[string]any)
		for name, v := range of {
			if _, ok := v.([]any); ok {
				n.needs[name] = append(n.needs[name], words(v)...)
			} else if key == "dependencies" {
				n.brings[name] = c.node(v, at+"/"+key+"/"+escape(name))
			}
		}
	}
}

func (c *compiler) array(n *node, m map[string]any, at string, sub func(string) *node) {
	n.first = c.list(m, at, "prefixItems")
	if _, tuple := m["items"].([]any); tuple {
		n.first, n.rest = c.list(m, at, "items"), sub("additionalItems")
	} else {
		n.rest = sub("items")
	}
	n.least, n.most = c.count(m, at, "minItems"), c.count(m, at, "maxItems")
	n.unique = m["uniqueItems"] == true
	if v := m["unevaluatedItems"]; v != nil && v != true {
		c.skip(at, "unevaluatedItems", "it is not known here; write items")
	}
	n.contains = sub("contains")
	n.fewest, n.mostOf = c.count(m, at, "minContains"), c.count(m, at, "maxContains")
}

func (c *compiler) list(m map[string]any, at, key string) []*node {
	var nodes []*node
	of, ok := m[key].([]any)
	if !ok && m[key] != nil {
		c.skip(at, key, "it is no list of schemas; write one")
	}
	for i, v := range of {
		nodes = append(nodes, c.node(v, fmt.Sprintf("%s/%s/%d", at, key, i)))
	}
	return nodes
}

func (c *compiler) table(m map[string]any, at, key string) map[string]*node {
	of, ok := m[key].(map[string]any)
	if !ok && m[key] != nil {
		c.skip(at, key, "it is no object; write names with their schemas")
	}
	nodes := make(map[string]*node, len(of))
	for name, v := range of {
		nodes[name] = c.node(v, at+"/"+key+"/"+escape(name))
	}
	return nodes
}
