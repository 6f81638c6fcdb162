package decision

// closer looks at a closing bracket and says whether the list that is being read
// ends with it. One that is wrong here is of a list further out, or was meant to be
// the right one, or is one too many: it is what the count of all brackets says, or
// else what the text after it fits best.
func (p *parser) closer(m byte, w int) bool {
	top, here := p.top(), len(p.stack)-1
	next := p.i + w
	if p.shuts(here, m) {
		p.i = next
		if after, _ := p.mark(p.skip(next)); top.extra > 0 && after == '}' {
			top.extra--
			return false
		}
		return p.fits(here-1, next) || !p.stays(next)
	}
	outer := here - 1
	for outer >= 0 && !p.shuts(outer, m) {
		outer--
	}
	p.work += here - outer
	out, up, stay := outer >= 0 && p.fits(outer-1, next), p.fits(here-1, next), p.fits(here, next)
	own, other := p.surplus(top.shut), p.surplus(m)
	switch {
	case own == nil || other == nil:
	case out && *own < 0 && *other == 0:
		*own++
		return true
	case up && *own < 0 && *other > 0:
		*own++
		*other--
		p.i = next
		return true
	case stay && *own >= 0 && *other > 0:
		*other--
		p.i = next
		return false
	}
	switch {
	case out:
		return true // not consumed: the lists in between have no end of their own
	case up:
		p.i = next
		return true
	case outer >= 0 && !stay:
		return true
	}
	p.i = next
	return false
}

// stays reports whether the list goes on at i although it has just been closed.
func (p *parser) stays(i int) bool {
	if !p.fits(len(p.stack)-1, i) {
		return false
	}
	i = p.skip(i)
	m, w := p.mark(i)
	if m != ',' || p.top().kind == '{' {
		return true
	}
	i = p.skip(i + w)
	m, _ = p.mark(i)
	return m != '"' || p.elementAt(i) && !p.valueAfter(i)
}

// valueAfter reports whether a value follows the string at i, as after a key that
// has lost its colon.
func (p *parser) valueAfter(i int) bool {
	if p.s[i] == '\\' {
		return false
	}
	r, w := p.rune(i)
	end := p.ahead(i+w, r)
	if end < 0 {
		return false
	}
	_, w = p.rune(end)
	m, _ := p.mark(p.skip(end + w))
	return m == '"'
}

// surplus is how many closing brackets of a sort there are more than opening ones.
// It is nil where nobody can say: only so many brackets are counted, and only
// where the quotation marks come in pairs.
func (p *parser) surplus(shut byte) *int {
	if !p.counted {
		p.counted = true
		p.countable = p.count()
	}
	if !p.countable {
		return nil
	}
	switch shut {
	case '}':
		return &p.curly
	case ']':
		return &p.square
	}
	return nil
}

func (p *parser) count() bool {
	if p.counts == 4 {
		return false
	}
	p.counts++
	p.curly, p.square = 0, 0
	var quote byte
	within := false
	p.work += len(p.s) - p.from
	for i := p.from; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == '\\':
			i++
		case c == quote:
			within = !within
		case (c == '"' || c == '\'') && quote == 0:
			quote, within = c, true
		case within:
		case c == '{':
			p.curly--
		case c == '}':
			p.curly++
		case c == '[':
			p.square--
		case c == ']':
			p.square++
		}
	}
	return !within
}

func (p *parser) shuts(k int, m byte) bool {
	shut := p.stack[k].shut
	return shut == m || shut == 0 && m == '}'
}

// fits reports whether what stands at i may follow a whole member of the k-th
// list, or the whole value if k is -1.
func (p *parser) fits(k, i int) bool {
	i = p.skip(i)
	if p.over(i) {
		return true
	}
	m, w := p.mark(i)
	if k < 0 {
		return m == 'a' || m == '"' || m == '{' || m == '[' || m == '('
	}
	object := p.stack[k].kind == '{'
	switch m {
	case '}', ']', ')':
		p.work += k
		for ; k >= 0; k-- {
			if p.shuts(k, m) {
				return true
			}
		}
		return false
	case ',':
		i = p.skip(i + w)
		if p.over(i) || p.ellipsis(i) > 0 {
			return true
		}
		switch m, _ = p.mark(i); m {
		case '}', ']', ')', ',':
			return true
		case '[':
			return true // in an object it is more of the array before it
		case '"', 'a':
			return p.keyAt(i) == object
		}
		return !object
	case '"':
		return p.keyAt(i) == object
	case '{', '[', '(':
		return !object
	case 'a':
		return object && p.keyAt(i)
	}
	return false
}
