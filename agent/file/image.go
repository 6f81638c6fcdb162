package file

import (
	"bytes"
	"image"
	_ "image/gif" // the formats whose size is read
	_ "image/jpeg"
	_ "image/png"
	"net/http"

	"hermes/agent/run"
)

// image says how large an image is. What it shows nobody guesses.
func (t *Text) image(b []byte) error {
	t.Sort, t.Mime = run.Image, http.DetectContentType(b)
	if c, _, err := image.DecodeConfig(bytes.NewReader(b)); err == nil {
		t.Width, t.Height = c.Width, c.Height
	}
	return nil
}
