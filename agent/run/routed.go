package run

// A Routed is how the router took what a Run is about, beside Request.Intent: for the
// trace, and for people who ask why.
type Routed struct {
	Reason string   `json:"reason"`
	Sure   float64  `json:"sure"`            // from 0, a guess, to 1, certain
	Terms  []string `json:"terms,omitempty"` // the words that decided
	Tags   []string `json:"tags,omitempty"`  // what the words of the team among them stand for
	Open   bool     `json:"open,omitempty"`  // no rule has decided it: it may be wrong
}
