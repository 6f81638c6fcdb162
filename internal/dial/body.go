package dial

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// ErrTooLarge is of a body that is longer than it may be, packed or unpacked.
var ErrTooLarge = errors.New("the answer is too large")

// Read reads a body to its end, most bytes of it. One that says that it is longer is
// not begun; one that says less, or nothing, is not believed.
func Read(resp *http.Response, most int64) ([]byte, error) {
	if resp.ContentLength > most {
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, resp.ContentLength)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case int64(len(b)) > most:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)
	case err != nil:
		return nil, fmt.Errorf("cut off after %d bytes: %w", len(b), err)
	}
	return b, nil
}

// body gives out what an answer holds, unpacked and counted. We ask for nothing packed;
// some send what lies packed with them all the same.
func (g *gate) body(resp *http.Response) (*http.Response, error) {
	packed := resp.Body
	switch how := strings.ToLower(strings.Join(resp.Header.Values("Content-Encoding"), ",")); how {
	case "", "identity":
		resp.Body = &counted{from: packed, close: packed.Close, left: g.most}
	case "gzip", "x-gzip":
		resp.Body = &counted{from: &lazyGzip{from: io.LimitReader(packed, g.most)}, close: packed.Close, left: g.most}
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Uncompressed = -1, true
	default:
		return nil, errors.Join(fmt.Errorf("the answer is packed as %q, which was not asked for", how), packed.Close())
	}
	return resp, nil
}

// counted gives out so many bytes and then an error, if there are more.
type counted struct {
	from  io.Reader
	close func() error
	left  int64
}

func (c *counted) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.from.Read(p)
	if int64(n) > c.left {
		n = int(c.left)
		err = ErrTooLarge
	}
	c.left -= int64(n)
	return n, err
}

func (c *counted) Close() error { return c.close() }

// A lazyGzip reads the header when it is read from, so that a bad one is an error of the
// body and not of the request.
type lazyGzip struct {
	from io.Reader
	zip  *gzip.Reader
}

func (l *lazyGzip) Read(p []byte) (int, error) {
	if l.zip == nil {
		z, err := gzip.NewReader(l.from)
		if err != nil {
			return 0, fmt.Errorf("unpack: %w", err)
		}
		l.zip = z
	}
	return l.zip.Read(p)
}
