package run

// A Habit is how often a person has lately approved the same kind of call: of the same
// tool for the same asker, with the same Control.
type Habit struct {
	By   string `json:"by"`
	Name string `json:"name,omitempty"` // how people call By
	N    int    `json:"n"`
}
