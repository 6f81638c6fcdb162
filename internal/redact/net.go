package redact

// A probe is a literal that announces a secret. look is called for each place where the
// literal stands, whatever the case of its letters unless exact is set.
type probe struct {
	literal string // in lower case
	exact   string // as it must be written; empty: in any case
	look    func(s *scan, from, end int)
	solid   bool // what it announces has no blank in it
}

// A net finds all literals of its probes in one pass over a text (Aho and Corasick).
type net struct {
	class [256]uint16 // of a byte; 0 is in no literal
	width int         // number of classes
	next  []int32     // of state and class
	out   [][]*probe  // of a state, with those of its suffixes
	depth []int       // of a state: how much of a literal has been read
}

// weave makes a net.
func weave(probes []probe) *net {
	n := &net{width: 1}
	for _, p := range probes {
		for i := range len(p.literal) {
			if c := p.literal[i]; n.class[c] == 0 {
				n.class[c] = uint16(n.width) //nolint:gosec // at most 256
				n.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		n.class[c] = n.class[c-'A'+'a']
	}
	add := func(depth int) int32 {
		n.next = append(n.next, make([]int32, n.width)...)
		n.out = append(n.out, nil)
		n.depth = append(n.depth, depth)
		return int32(len(n.out) - 1) //nolint:gosec // far fewer
	}
	add(0)
	for i := range probes {
		var at int32
		for k, c := range []byte(probes[i].literal) {
			to := int(at)*n.width + int(n.class[c])
			if n.next[to] == 0 {
				fresh := add(k + 1)
				n.next[to] = fresh
			}
			at = n.next[to]
		}
		n.out[at] = append(n.out[at], &probes[i])
	}
	n.link()
	return n
}

// link lets each state go on where its longest suffix would.
func (n *net) link() {
	suffix := make([]int32, len(n.out))
	var queue []int32
	for c := range n.width {
		if to := n.next[c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		n.out[at] = append(n.out[at], n.out[suffix[at]]...)
		for c := range n.width {
			i := int(at)*n.width + c
			back := n.next[int(suffix[at])*n.width+c]
			if n.next[i] == 0 {
				n.next[i] = back
				continue
			}
			suffix[n.next[i]] = back
			queue = append(queue, n.next[i])
		}
	}
}

// each calls found for each literal in s, with the place after it, and returns how much
// of one s ends with.
func (n *net) each(s string, found func(p *probe, end int)) int {
	var at int32
	for i := range len(s) {
		at = n.next[int(at)*n.width+int(n.class[s[i]])]
		for _, p := range n.out[at] {
			found(p, i+1)
		}
	}
	return n.depth[at]
}
