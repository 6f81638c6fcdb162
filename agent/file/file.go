// Package file reads what people attach: text and code, tables, workbooks, the text of
// PDFs, the size of images. What a file is its bytes say, not its name. Where the
// bytes come from and who is told of them is not decided here.
//
//	bytes → sniff → text | rows | workbook | PDF | image → Text → Clerk → artifacts
//
// What a newcomer would break: a file comes from outside. It may be a bomb, so
// whatever unpacks one counts what comes out; and readers of others' formats panic,
// hang or overflow, so in the program they run in a process of their own (Guard).
package file

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/filename"
)

// The bounds.
const (
	MaxBytes = 20 << 20 // of a file
	MaxFiles = 5        // of a message
	MaxText  = 1 << 20  // bytes of text that are kept of a file
)

// extract is how many bytes of a file a model is shown at once.
const extract = 3 << 10

// A Text is what was read of a file.
type Text struct {
	run.File
	Body  string      // its text, MaxText at most; empty of tables and images
	Grids []tool.Grid // the rows of File.Tables
}

// Read reads a file. Its error is a run.Unread, and the Text then says what is known
// of the file all the same.
func Read(name, mime string, b []byte) (t Text, err error) {
	t.Name, t.Mime, t.Size = filename.Clean(name), plainMime(mime), int64(len(b))
	defer func() {
		if p := recover(); p != nil {
			// A reader of somebody else's format met what it did not expect.
			t, err = Text{File: run.File{Name: t.Name, Mime: t.Mime, Size: t.Size, Sort: t.Sort}}, run.Damaged
		}
		var why run.Unread
		if errors.As(err, &why) {
			t.Why, err = why, why
			t.Body, t.Grids, t.Tables = "", nil, nil
		}
	}()
	switch {
	case len(b) > MaxBytes:
		return t, run.TooLarge
	case len(b) == 0:
		return t, run.EmptyFile
	}
	switch s := sniff(b); s {
	case isPDF:
		err = t.pdf(b)
	case isZip:
		err = t.workbook(b)
	case isOffice:
		err = t.office(b)
	case isImage:
		err = t.image(b)
	case isBinary:
		err = run.UnreadSort
	default:
		err = t.text(b)
	}
	return t, err
}

// keep takes over a text: as much as is kept of it, and what it amounts to.
func (t *Text) keep(body string) {
	t.Chars = utf8.RuneCountInString(body)
	t.Lines = strings.Count(strings.TrimRight(body, "\n"), "\n") + 1
	t.Body = body
	if len(body) > MaxText {
		t.Body = body[:cutAt(body, MaxText)]
		t.Left = int64(len(body) - len(t.Body))
	}
	t.Extract = t.Body
	if len(t.Body) > extract {
		t.Extract = t.Body[:cutAt(t.Body, extract)]
		if i := strings.LastIndexByte(t.Extract, '\n'); i > extract/2 {
			t.Extract = t.Extract[:i]
		}
	}
	t.Whole = t.Left == 0 && len(t.Extract) == len(t.Body)
}

// cutAt is the last border of a character up to n.
func cutAt(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return min(n, len(s))
}

func plainMime(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.ToLower(strings.TrimSpace(mime))
}

// extension is what a name ends with: "csv".
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

// office is a file of the old sort of Microsoft's: an encrypted workbook, or one that
// nobody writes any more.
func (t *Text) office(b []byte) error {
	t.Mime = "application/x-ole-storage"
	// The name of the part that holds what is encrypted, in UTF-16.
	if bytes.Contains(b, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")) {
		t.Sort = run.Workbook
		return run.Locked
	}
	return run.UnreadSort
}

func damaged(what string, err error) error {
	return fmt.Errorf("%s: %w: %w", what, run.Damaged, err)
}
