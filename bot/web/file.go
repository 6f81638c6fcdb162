package web

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"hermes/bot"
	"hermes/internal/filename"
)

// A fileView is a file as the templates see it.
type fileView struct {
	Name, Kind, URL, Size, Alt string
	Inline                     bool
	Width, Height              int
}

// mostPixels is of an image that a page shows by itself: a few kilobytes may unpack to
// more than the memory of who looks. A larger one is there to be saved.
const mostPixels = 50_000_000

// A measure is what a page says about a file's bytes. Files do not change, so it is
// taken once.
type measure struct{ size, width, height int }

func (c *Console) measure(ctx context.Context, id string) (measure, bool) {
	if m, ok := c.sizes.Load(id); ok {
		return m.(measure), true
	}
	_, b, err := c.shelf.Open(ctx, id)
	if err != nil {
		c.log.Warn("file not measured", "file", id, "err", err)
		return measure{}, false
	}
	m := measure{size: len(b)}
	if cfg, err := png.DecodeConfig(bytes.NewReader(b)); err == nil {
		m.width, m.height = cfg.Width, cfg.Height
	}
	c.sizes.Store(id, m)
	return m, true
}

func (c *Console) fileView(ctx context.Context, v visit, room Room, thread string, l line, f bot.File) fileView {
	if thread == "" {
		thread = "-"
	}
	fv := fileView{
		Name: filename.Clean(f.Name),
		URL:  "/file/" + url.PathEscape(room.ID) + "/" + thread + "/" + l.slug() + "/" + url.PathEscape(f.ID),
	}
	fv.Kind = strings.ToUpper(strings.TrimPrefix(path.Ext(fv.Name), "."))
	if fv.Kind == "" || len(fv.Kind) > 4 {
		fv.Kind = "FILE"
	}
	m, ok := c.measure(ctx, f.ID)
	if ok {
		fv.Size = sizeOf(m.size)
	}
	if f.Mime == "image/png" && m.width > 0 && m.width*m.height <= mostPixels {
		fv.Inline, fv.Width, fv.Height = true, m.width, m.height
		fv.Alt = fmt.Sprintf(v.T("file.chart"), strings.TrimSuffix(fv.Name, path.Ext(fv.Name)))
	}
	return fv
}

func sizeOf(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 1000*1000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	default:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
}

// file serves a file to who sees the line that shows it. Only a PNG is shown; all
// else is to be saved, and may do nothing if it is opened all the same.
func (c *Console) file(w http.ResponseWriter, r *http.Request, v visit) {
	room, ok := c.home.room(r.PathValue("channel"))
	if !ok || !v.user.sees(room) {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	thread, id := r.PathValue("thread"), r.PathValue("file")
	if thread == "-" {
		thread = ""
	}
	l, err := c.line(r.Context(), v, room, thread, r.PathValue("line"))
	if err == nil && !slices.ContainsFunc(l.Files, func(f bot.File) bool { return f.ID == id }) && (l.File == nil || l.File.ID != id) {
		err = errNoLine
	}
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	f, b, err := c.shelf.Open(r.Context(), id)
	if err != nil {
		c.broken(w, r, v, fmt.Errorf("open file %s: %w", id, err))
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	kind, disposition := "application/octet-stream", "attachment"
	if cfg, err := png.DecodeConfig(bytes.NewReader(b)); err == nil && f.Mime == "image/png" && cfg.Width*cfg.Height <= mostPixels {
		kind, disposition = "image/png", "inline"
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": filename.Clean(f.Name)}))
	h.Set("Content-Length", strconv.Itoa(len(b)))
	_, _ = w.Write(b) //nolint:gosec // an image, or a file to be saved that may do nothing
}
