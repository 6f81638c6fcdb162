package llm

// Estimate is what a call has probably used of a model that does not say: a token for
// four bytes, which is near for English and Chinese alike, and somewhat high for code.
func Estimate(req Request, reply Reply) Usage {
	size := func(m Message) int {
		n := len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Args)
		}
		for _, r := range m.Results {
			n += r.size()
		}
		return n
	}
	in := len(req.System)
	for _, t := range req.Tools {
		in += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for _, m := range req.Messages {
		in += size(m)
	}
	return Usage{In: in/4 + 1, Out: size(reply.Message)/4 + 1}
}

// size is the length of the Prose.
func (r Result) size() int {
	n := len(r.Text)
	if r.Brief != "" {
		n = len(r.Brief)
	}
	if r.Mark != "" {
		n += len(r.Mark) + 1
	}
	if r.Note != "" {
		n += len(r.Note) + 1
	}
	return n
}
