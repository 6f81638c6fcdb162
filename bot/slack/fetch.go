package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"hermes/bot"
	"hermes/internal/dial"
)

// filesScope is what reading files takes.
const filesScope = "files:read"

// file is a file as Slack tells of it. Of one from another organisation it may tell
// no more than its id and that more is to be asked for.
type file struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Title    string `json:"title"`
	Mime     string `json:"mimetype"`
	Size     int64  `json:"size"`
	Private  string `json:"url_private"`
	Download string `json:"url_private_download"`
	Mode     string `json:"mode"`
}

// files are those of a message. One that cannot be read is left out, and the message
// stays.
type files []file

// UnmarshalJSON implements json.Unmarshaler.
func (fs *files) UnmarshalJSON(b []byte) error {
	var all []json.RawMessage
	_ = json.Unmarshal(b, &all) // what is no list has no files
	*fs = nil
	for _, raw := range all {
		var f file
		if json.Unmarshal(raw, &f) == nil && f.ID != "" {
			*fs = append(*fs, f)
		}
	}
	return nil
}

// gone are the modes of files that are there no more.
var gone = []string{"tombstone", "hidden_by_limit"}

func (fs files) attachments() []bot.Attachment {
	var out []bot.Attachment
	for _, f := range fs {
		if !slices.Contains(gone, f.Mode) {
			out = append(out, f.attachment())
		}
	}
	return out
}

func (f file) attachment() bot.Attachment {
	a := bot.Attachment{ID: f.ID, Name: f.Name, Mime: f.Mime, Size: f.Size, URL: f.Download}
	if a.Name == "" {
		a.Name = f.Title
	}
	if a.URL == "" {
		a.URL = f.Private
	}
	return a
}

// hosts are where Slack has files, and takes answers to presses.
var hosts = []string{"slack.com", ".slack.com", "slack-gov.com", ".slack-gov.com"}

// Fetch implements bot.Fetcher. The token goes to Slack's own hosts and to nobody
// else, whatever address a file has and wherever it leads.
func (s *Slack) Fetch(ctx context.Context, _ bot.Place, a bot.Attachment, most int64) ([]byte, error) {
	if a.URL == "" {
		known, err := s.fileInfo(ctx, a.ID)
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", a.ID, err)
		}
		a = known
	}
	if a.Size > most {
		return nil, fmt.Errorf("file %s: %w: %d bytes", a.ID, bot.ErrTooLarge, a.Size)
	}
	b, err := s.download(ctx, a, most)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", a.ID, err)
	}
	return b, nil
}

// fileInfo asks for what Slack has not told of a file.
func (s *Slack) fileInfo(ctx context.Context, id string) (bot.Attachment, error) {
	var out struct {
		File file `json:"file"`
	}
	err := s.paced(ctx, "files.info", "", func() error {
		return s.ask(ctx, "files.info", url.Values{"file": {id}}, &out)
	})
	switch code := codeOf(err); {
	case code == "missing_scope":
		return bot.Attachment{}, fmt.Errorf("%w: the app lacks the scope %s", bot.ErrNoAccess, filesScope)
	case slices.Contains([]string{"file_not_found", "file_deleted", "not_visible", "access_denied", "no_permission"}, code):
		return bot.Attachment{}, fmt.Errorf("%w: files.info: %s", bot.ErrNoAccess, code)
	case err != nil:
		return bot.Attachment{}, readTrouble(err)
	case out.File.ID == "" || slices.Contains(gone, out.File.Mode):
		return bot.Attachment{}, fmt.Errorf("%w: it is there no more", bot.ErrNoAccess)
	}
	a := out.File.attachment()
	if a.URL == "" {
		return bot.Attachment{}, fmt.Errorf("%w: slack gives no address for it", bot.ErrNoAccess)
	}
	return a, nil
}

// download gets the bytes of a file.
func (s *Slack) download(ctx context.Context, a bot.Attachment, most int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: the address is not slack's: it cannot be read", bot.ErrNoAccess)
	}
	req.Header.Set("Authorization", "Bearer "+s.cfg.BotToken)
	resp, err := s.out.Do(req)
	switch {
	case errors.Is(err, dial.ErrRefused):
		return nil, fmt.Errorf("%w: the address is not slack's, or leads to one that is not: %w", bot.ErrNoAccess, reason(err))
	case err != nil:
		return nil, fmt.Errorf("%w: %s", bot.ErrBusy, scrub(err.Error(), a.URL))
	}
	defer func() { _ = resp.Body.Close() }() // it has been read as far as it is wanted
	switch {
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		return nil, fmt.Errorf("%w: slack answers %s", bot.ErrBusy, resp.Status)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%w: slack answers %s%s", bot.ErrNoAccess, resp.Status, s.lacks(filesScope))
	}
	b, err := dial.Read(resp, most)
	switch {
	case errors.Is(err, dial.ErrTooLarge):
		return nil, fmt.Errorf("%w: %w", bot.ErrTooLarge, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", bot.ErrBusy, err)
	case signIn(a, resp, b):
		return nil, fmt.Errorf("%w: slack wants somebody to sign in%s", bot.ErrNoAccess, s.lacks(filesScope))
	}
	return b, nil
}

// reason is an error of a request without the address that was asked for, which is
// nobody's business.
func reason(err error) error {
	if at := (*url.Error)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// signIn reports whether a body is the page on which people sign in, which Slack
// sends with a good status to who may not read a file. A file may be a page itself,
// whatever it is called; that one lies where it was looked for, and has its size.
func signIn(a bot.Attachment, resp *http.Response, b []byte) bool {
	if !strings.HasPrefix(http.DetectContentType(b), "text/html") {
		return false
	}
	page := strings.HasPrefix(a.Mime, "text/html") || slices.Contains([]string{".html", ".htm"}, strings.ToLower(path.Ext(a.Name)))
	moved := resp.Request.URL.String() != a.URL
	if a.Size > 0 {
		return moved || int64(len(b)) != a.Size // many a program exports pages under the name of a table
	}
	return moved || !page
}
