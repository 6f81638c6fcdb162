package file

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // the formats whose size is read
	_ "image/jpeg"
	_ "image/png"
	"net/http"

	"hermes/agent/run"
)

// mostDecoded is how many bytes an image may come to when somebody decodes it: that of
// 100 megapixels in colour. What says that it is larger is a bomb, or as good as one, and
// nobody is handed it on as an image.
const mostDecoded = 400 << 20

// image says how large an image is, by its first bytes alone; it is never decoded. What
// it shows nobody guesses.
func (t *Text) image(b []byte) error {
	t.Sort, t.Mime = run.Image, http.DetectContentType(b)
	c, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil //nolint:nilerr // of a format whose size is not read
	}
	if c.Width < 0 || c.Height < 0 || int64(c.Width)*int64(c.Height) > mostDecoded/depth(c.ColorModel) {
		return damaged("image", fmt.Errorf("%d × %d pixels", c.Width, c.Height))
	}
	t.Width, t.Height = c.Width, c.Height
	return nil
}

// depth is how many bytes a pixel takes once it is decoded.
func depth(m color.Model) int64 {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	}
	if _, ok := m.(color.Palette); ok {
		return 1
	}
	return 4
}
