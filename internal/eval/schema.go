package eval

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// schemaOf is the schema that a server of tools would give for arguments like these.
func schemaOf(args map[string]any) json.RawMessage {
	props := map[string]any{}
	for name, v := range args {
		p := map[string]any{"type": typeOf(v), "description": "the " + name}
		if list, ok := v.([]any); ok {
			p["items"] = map[string]any{"type": "string"}
			if len(list) > 0 {
				p["items"] = map[string]any{"type": typeOf(list[0])}
			}
		}
		props[name] = p
	}
	b, err := json.Marshal(map[string]any{"type": "object", "properties": props})
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // it is made of literals and names
	}
	return b
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64, int:
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}

func merged(m map[string]any, key string, v any) map[string]any {
	m = maps.Clone(m)
	m[key] = v
	return m
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
