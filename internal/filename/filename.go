// Package filename makes a name that somebody has given to a file into one that is a
// plain file everywhere, and reads as what it is: for what people attach, what is kept of
// it, and what is saved, sent or offered to be saved.
//
// What lives elsewhere: where a file goes. What a newcomer would break: a name is no
// path. Whoever writes to a disk opens the folder as an os.Root and gives it the clean
// name; the two do not replace each other.
package filename

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a name; file systems take 255 bytes.
const (
	mostSigns = 80
	mostBytes = 200
	mostExt   = 8 // characters of an ending that is kept when a name is cut
)

// Clean returns a name of one line: no separators, no signs that systems keep for
// themselves, none that nobody sees or that turn the direction of reading, no dot in
// front, no blank or dot at the end, no name of a device. What has nothing left is "file".
func Clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r), strings.ContainsRune("∕⁄⧸／＼：", r):
			return '-'
		case r == utf8.RuneError || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		default:
			return r
		}
	}, name)
	name = trimmed(strings.Join(strings.Fields(name), " "))
	name = trimmed(cut(name))
	if name == "" {
		return "file"
	}
	if device(name) {
		return "file-" + name
	}
	return name
}

func trimmed(name string) string { return strings.TrimRight(strings.TrimLeft(name, " .-~"), " .") }

// cut shortens a name, and keeps what it ends with.
func cut(name string) string {
	ext := path.Ext(name)
	if utf8.RuneCountInString(ext) > mostExt || len(ext) > mostBytes/4 {
		ext = ""
	}
	stem := []rune(strings.TrimSuffix(name, ext))
	for len(stem) > 0 && (len(stem)+utf8.RuneCountInString(ext) > mostSigns || len(string(stem))+len(ext) > mostBytes) {
		stem = stem[:len(stem)-1]
	}
	return string(stem) + ext
}

// device reports whether Windows takes a name for a device, with whatever ending.
func device(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	stem = strings.TrimSpace(stem)
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	if port, ok := strings.CutPrefix(stem, "COM"); ok {
		return numbered(port)
	}
	port, ok := strings.CutPrefix(stem, "LPT")
	return ok && numbered(port)
}

// numbered reports whether s is a number of a port, the small ones counted in.
func numbered(s string) bool {
	r := []rune(s)
	return len(r) == 1 && strings.ContainsRune("0123456789¹²³", r[0])
}
