package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"hermes/bot"
	"hermes/internal/filename"
)

var _ bot.Fetcher = (*Console)(nil)

// Bounds of what comes with a message.
const (
	mostFiles    = 5
	mostFileSize = 20 << 20
	uploadLimit  = mostFiles*mostFileSize + formLimit
	inMemory     = 8 << 20 // of an upload; the rest waits in a temporary file
)

// Fetch implements bot.Fetcher: what was uploaded is kept with the rest.
func (c *Console) Fetch(ctx context.Context, _ bot.Place, a bot.Attachment, most int64) ([]byte, error) {
	return bot.FromShelf(ctx, c.shelf, a, most)
}

// drawer is where uploads go, nil if nobody keeps any.
func (c *Console) drawer() bot.Drawer {
	d, _ := c.shelf.(bot.Drawer)
	return d
}

// parseForm reads a form, with files if it is a message. An upload is read only for
// who has shown the token in its header or, without our script, for a whole form.
func (c *Console) parseForm(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Path != "/say" || !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") || c.drawer() == nil {
		r.Body = http.MaxBytesReader(w, r.Body, formLimit)
		return r.ParseForm()
	}
	r.Body = http.MaxBytesReader(w, r.Body, uploadLimit)
	return r.ParseMultipartForm(inMemory) //nolint:gosec // bounded by the line above
}

// errTooLarge is of an upload that is not taken.
var errTooLarge = errors.New("upload is too large")

// uploaded keeps the files of a form, as those of the message with a key.
func (c *Console) uploaded(r *http.Request, key string) ([]bot.Attachment, error) {
	if r.MultipartForm == nil || c.drawer() == nil {
		return nil, nil
	}
	var out []bot.Attachment
	for _, h := range r.MultipartForm.File["files"] {
		switch {
		case h.Filename == "" && h.Size == 0:
			continue // a form without our script sends an empty one
		case h.Size > mostFileSize || len(out) == mostFiles:
			return nil, errTooLarge
		}
		b, err := bytesOf(h)
		if err != nil {
			return nil, fmt.Errorf("read upload of %s: %w", key, err)
		}
		a, err := c.drawer().Keep(r.Context(), key, len(out)+1, bot.Attachment{Name: filename.Clean(h.Filename), Mime: h.Header.Get("Content-Type")}, b)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// brings reports whether a form has a file.
func brings(r *http.Request) bool {
	return r.MultipartForm != nil && slices.ContainsFunc(r.MultipartForm.File["files"], func(h *multipart.FileHeader) bool { return h.Size > 0 })
}

func bytesOf(h *multipart.FileHeader) ([]byte, error) {
	f, err := h.Open()
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, errors.Join(err, f.Close())
}
