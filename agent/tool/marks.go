package tool

import "encoding/json"

// Marks are what a person should look at in an Artifact before others see it: the
// property "marks" of its Meta, a line each. A grant covers none that has some.
func (a Artifact) Marks() []string {
	var meta struct {
		Marks []string `json:"marks"`
	}
	if len(a.Meta) == 0 || json.Unmarshal(a.Meta, &meta) != nil {
		return nil
	}
	return meta.Marks
}

// Words reports whether words of a language model stand in an Artifact: the property
// "words" of its Meta.
func (a Artifact) Words() bool {
	var meta struct {
		Words bool `json:"words"`
	}
	return len(a.Meta) > 0 && json.Unmarshal(a.Meta, &meta) == nil && meta.Words
}
