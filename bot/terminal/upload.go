package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hermes/bot"
)

var _ bot.Fetcher = (*Terminal)(nil)

// mostFileSize is what is read of a file.
const mostFileSize = 20 << 20

// Fetch implements bot.Fetcher: what a client sent is kept with the rest.
func (t *Terminal) Fetch(ctx context.Context, _ bot.Place, a bot.Attachment, most int64) ([]byte, error) {
	return bot.FromShelf(ctx, t.shelf, a, most)
}

// attach keeps a file for the message that a client will say under an id.
func (t *Terminal) attach(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	n, err := strconv.Atoi(q.Get("n"))
	drawer, ok := t.shelf.(bot.Drawer)
	if err != nil || n < 1 || q.Get("id") == "" || q.Get("name") == "" || !ok {
		http.Error(w, "no such upload", http.StatusBadRequest)
		return
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostFileSize))
	if err != nil {
		http.Error(w, "the file is larger than 20 MB", http.StatusRequestEntityTooLarge)
		return
	}
	a, err := drawer.Keep(r.Context(), sayKey(q.Get("id")), n, bot.Attachment{Name: q.Get("name")}, b)
	if err != nil {
		t.end(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(a); err != nil {
		t.log.Debug("client has gone", "err", err)
	}
}

// fileCommand reads "/file path words". A path with blanks stands between quotes.
func fileCommand(line string) (path, words string, ok bool) {
	rest, ok := strings.CutPrefix(line, "/file ")
	if rest = strings.TrimSpace(rest); !ok || rest == "" {
		return "", "", false
	}
	for _, quote := range []string{`"`, `'`} {
		if inner, begins := strings.CutPrefix(rest, quote); begins {
			if path, words, ok = strings.Cut(inner, quote); ok {
				return path, strings.TrimSpace(words), true
			}
		}
	}
	path, words, _ = strings.Cut(rest, " ")
	return path, strings.TrimSpace(words), true
}

// send has the daemon keep files for what will be said under an id.
func (c *Client) send(ctx context.Context, id string, paths []string) ([]bot.Attachment, error) {
	var out []bot.Attachment
	for i, path := range paths {
		a, err := c.sendFile(ctx, id, i+1, path)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// readFile reads a file that the person has named, in their own rights. It may have grown
// since somebody looked.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the person has named it
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, mostFileSize+1))
	if len(b) > mostFileSize {
		err = fmt.Errorf("%s is larger than 20 MB", path)
	}
	return b, errors.Join(err, f.Close())
}

func (c *Client) sendFile(ctx context.Context, id string, n int, path string) (bot.Attachment, error) {
	var a bot.Attachment
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return a, fmt.Errorf("%w: %w", errRefused, err)
	case !info.Mode().IsRegular():
		return a, fmt.Errorf("%w: %s is no file", errRefused, path)
	case info.Size() > mostFileSize:
		return a, fmt.Errorf("%w: %s is larger than 20 MB", errRefused, path)
	}
	b, err := readFile(path)
	if err != nil {
		return a, fmt.Errorf("%w: %w", errRefused, err)
	}
	q := url.Values{"id": {id}, "n": {strconv.Itoa(n)}, "name": {filepath.Base(path)}}
	text, _, err := c.request(ctx, http.MethodPost, "/chat/attach?"+q.Encode(), b, shortReply)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return a, fmt.Errorf("what the daemon says of %s: %w", path, err)
	}
	return a, nil
}
