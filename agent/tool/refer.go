package tool

import (
	"net/url"
	"strconv"
	"strings"
)

// refer finds the schema that the $ref at a pointer means. What stands in another
// text is not fetched.
func (c *compiler) refer(at, ref string) *node {
	if !strings.HasPrefix(ref, "#") {
		c.skip(at, "$ref", quote(ref)+" stands elsewhere and is not fetched; copy it into $defs")
		return nil
	}
	n := c.within(ref)
	if n == nil {
		c.skip(at, "$ref", "there is no "+quote(ref)+" in the schema; put it there or mend the name")
	}
	return n
}

// within is the schema of a reference to the same text, or nil.
func (c *compiler) within(ref string) *node {
	pointer := strings.TrimPrefix(ref, "#")
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
		ok := false
		switch of := v.(type) {
		case map[string]any:
			v, ok = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			if ok = err == nil && i >= 0 && i < len(of); ok {
				v = of[i]
			}
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
