package file

import (
	"bytes"
	"net/http"
	"strings"
)

// A form is what the first bytes of a file say that it is.
type form int

const (
	isText form = iota
	isPDF
	isZip
	isOffice
	isImage
	isBinary
)

// sniff says what a file is. What is no form that is known is text, if it can be.
func sniff(b []byte) form {
	switch {
	case bytes.Contains(b[:min(len(b), 1024)], []byte("%PDF-")):
		return isPDF
	case bytes.HasPrefix(b, []byte("PK\x03\x04")):
		return isZip
	case bytes.HasPrefix(b, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return isOffice
	}
	switch kind := http.DetectContentType(b); {
	case strings.HasPrefix(kind, "image/"):
		return isImage
	case strings.HasPrefix(kind, "text/"), kind == "application/octet-stream":
		return isText // whether it can be read as text shows when it is
	default:
		return isBinary
	}
}

// dangerous reports whether a file is read by a reader of somebody else's format.
func dangerous(b []byte) bool {
	s := sniff(b)
	return s == isPDF || s == isZip
}
