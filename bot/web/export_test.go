package web

// Addr is where a Console listens.
func (c *Console) Addr() string { return c.ln.Addr().String() }
