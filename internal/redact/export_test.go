package redact

// Steps is how many bytes are gone over for s, beside the one pass of the net.
func (r *Redactor) Steps(s string) int {
	sc := &scan{text: s}
	r.into(sc)
	return sc.steps
}
