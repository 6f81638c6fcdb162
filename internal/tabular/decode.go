package tabular

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	xunicode "golang.org/x/text/encoding/unicode"
)

// Decode makes text of bytes: UTF-8 and UTF-16 with and without their marks, GB18030,
// and what is left if it is plainly Western. It reports false for what is no text.
func Decode(b []byte) (string, bool) {
	var from encoding.Encoding
	switch {
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xFF\xFE")), bytes.HasPrefix(b, []byte("\xFE\xFF")):
		from = xunicode.UTF16(xunicode.LittleEndian, xunicode.ExpectBOM)
	case zeros(b, 1):
		from = xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)
	case zeros(b, 0):
		from = xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)
	}
	if from == nil && !utf8.Valid(b) {
		from = encoding.Encoding(charmap.Windows1252)
		if isChinese(b) {
			from = simplifiedchinese.GB18030
		}
	}
	text := string(b)
	if from != nil {
		out, err := from.NewDecoder().Bytes(b)
		if err != nil {
			return "", false
		}
		text = string(out)
	}
	return text, readable(text)
}

// zeros reports whether nearly every second byte from one on is zero: Latin letters
// in UTF-16.
func zeros(b []byte, from int) bool {
	b = b[:min(len(b), 4096)]
	n, all, other := 0, 0, 0
	for i := from; i < len(b); i += 2 {
		all++
		if b[i] == 0 {
			n++
		}
		if j := i ^ 1; j < len(b) && b[j] == 0 {
			other++
		}
	}
	return all > 1 && n*10 >= all*7 && other == 0
}

// isChinese reports whether bytes that are no UTF-8 read as GB18030: pairs in the part
// of the plane in which the signs that people write stand. Single accented letters
// between Latin ones make other pairs.
func isChinese(b []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(b); i++ {
		if b[i] < 0x80 {
			continue
		}
		if i+1 < len(b) && b[i] >= 0xA1 && b[i] <= 0xF7 && b[i+1] >= 0xA1 {
			good++
		} else {
			bad++
		}
		i++
	}
	return good > 0 && good*10 >= (good+bad)*8
}

// readable reports whether a text is one: hardly a sign in it that nobody writes.
func readable(s string) bool {
	bad, all := 0, 0
	for _, r := range s {
		all++
		if r == utf8.RuneError || unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1B {
			bad++
		}
	}
	return bad*100 <= all
}
