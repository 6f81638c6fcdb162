package tool

import "strings"

// Wanted returns the names of the tools that are told Later and one of whose Words
// stands in a text: somebody asks for what they do.
func (s *Set) Wanted(text string) []string {
	var names []string
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, t := range s.tools {
		spec := t.Spec()
		if !spec.Later {
			continue
		}
		for _, w := range spec.Words {
			if strings.Contains(text, w) {
				names = append(names, spec.Name)
				break
			}
		}
	}
	return names
}
