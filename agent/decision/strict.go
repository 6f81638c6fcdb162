package decision

// maxDepth is how deep arrays and objects may lie in each other. No decision comes
// near it; what is deeper is noise, or an attack on whoever reads it next.
const maxDepth = 200

// strict returns where the JSON value that begins at i ends. It is false where
// there is none by the letter of RFC 8259, or where it is nested too deep.
func strict(s string, i int) (int, bool) { return strictValue(s, i, maxDepth) }

func strictValue(s string, i, depth int) (int, bool) {
	if i >= len(s) {
		return i, false
	}
	switch c := s[i]; {
	case c == '"':
		return strictString(s, i)
	case c == '{' || c == '[':
		if depth == 0 {
			return i, false
		}
		return strictList(s, i, depth-1)
	case c == 't':
		return strictWord(s, i, "true")
	case c == 'f':
		return strictWord(s, i, "false")
	case c == 'n':
		return strictWord(s, i, "null")
	default:
		return strictNumber(s, i)
	}
}

// strictList reads an object or an array.
func strictList(s string, i, depth int) (int, bool) {
	object, ok := s[i] == '{', false
	shut := byte(']')
	if object {
		shut = '}'
	}
	i = blank(s, i+1)
	if i < len(s) && s[i] == shut {
		return i + 1, true
	}
	for i < len(s) {
		if object {
			if s[i] != '"' {
				return i, false
			}
			if i, ok = strictString(s, i); !ok {
				return i, false
			}
			if i = blank(s, i); i >= len(s) || s[i] != ':' {
				return i, false
			}
			i = blank(s, i+1)
		}
		if i, ok = strictValue(s, i, depth); !ok {
			return i, false
		}
		i = blank(s, i)
		switch {
		case i >= len(s):
			return i, false
		case s[i] == shut:
			return i + 1, true
		case s[i] != ',':
			return i, false
		}
		i = blank(s, i+1)
	}
	return i, false
}

func strictString(s string, i int) (int, bool) {
	for i++; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1, true
		case c < ' ':
			return i, false
		case c == '\\':
			n := escape(s, i)
			if n == 0 {
				return i, false
			}
			i += n - 1
		}
	}
	return i, false
}

// escape is the length of the escape of RFC 8259 at i, or 0.
func escape(s string, i int) int {
	if i+1 >= len(s) {
		return 0
	}
	switch s[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if i+6 <= len(s) && hexes(s[i+2:i+6]) {
			return 6
		}
	}
	return 0
}

func strictWord(s string, i int, word string) (int, bool) {
	end := i + len(word)
	return end, end <= len(s) && s[i:end] == word
}

func strictNumber(s string, i int) (int, bool) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	whole := digits(s, i)
	if whole == i || s[i] == '0' && whole > i+1 {
		return i, false
	}
	i = whole
	if i < len(s) && s[i] == '.' {
		n := digits(s, i+1)
		if n == i+1 {
			return i, false
		}
		i = n
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		n := digits(s, i)
		if n == i {
			return i, false
		}
		i = n
	}
	return i, true
}

// digits returns where the digits that begin at i end.
func digits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

func hexes(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || '9' < c) && (c|0x20 < 'a' || 'f' < c|0x20) {
			return false
		}
	}
	return s != ""
}

// blank skips the white space of RFC 8259.
func blank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}
