package querydb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hermes/internal/dial"
	"hermes/internal/tabular"
)

// Web is a table that an address answers with as JSON.
type Web struct {
	URL     string   // with its secrets
	Headers []Header // likewise
	Table   string   // what the table is called; empty: rows
	Rows    string   // where the rows stand: data.items; empty: the answer is their list
	// Next is where the answer says what comes next: an address, or, with Cursor, what
	// that parameter of the address is to be.
	Next, Cursor string
	// Page is a parameter that counts from First on, until an answer has no rows.
	Page     string
	First    int
	MaxPages int           // 0: 100
	MaxBytes int64         // of all pages; 0: 32 MB
	Timeout  time.Duration // of all pages; 0: 30 s
	// Private allows an address that leads into a private network, and one in the clear.
	Private bool
	tabular.Options
}

// A Header is sent with each request.
type Header struct{ Name, Value string }

// Bounds of what an address answers with.
const (
	mostPages    = 100
	mostWebBytes = 32 << 20
	webTime      = 30 * time.Second
)

// Origin is where it is asked, without what may be secret.
func (w Web) Origin() string {
	u, err := url.Parse(w.URL)
	if err != nil {
		return "its address"
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

func (w Web) validate() error {
	var faults []error
	no := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	u, err := url.Parse(w.URL)
	switch {
	case w.URL == "":
		no("url: missing")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		no("url: it is no address of the web")
	case u.User != nil:
		no("url: it has a user in it; write a header instead")
	case u.Scheme == "http" && !w.Private:
		no("url: it is in the clear; write https, or private: true for an address of your own network")
	}
	for _, h := range w.Headers {
		if h.Name == "" || strings.ContainsAny(h.Name, " :\r\n") || strings.ContainsAny(h.Value, "\r\n") {
			no("headers: %q is no header", h.Name)
		}
	}
	switch {
	case w.Next != "" && w.Page != "":
		no("next: next and page cannot be both")
	case w.Cursor != "" && w.Next == "":
		no("cursor: it needs next")
	}
	return errors.Join(append(faults, optionFaults(w.Options)...)...)
}

// state implements feed: whether the answer would be another nobody knows.
func (w Web) state(context.Context) (string, error) { return "", nil }

// load implements feed. It asks page after page, on one host alone.
func (w Web) load(ctx context.Context) ([]tabular.Table, time.Time, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(w.Timeout, webTime), fmt.Errorf("%s has not answered in %s", w.Origin(), cmp.Or(w.Timeout, webTime)))
	defer cancel()
	first, err := url.Parse(w.URL)
	if err != nil {
		return nil, time.Time{}, errors.New("url: it is no address")
	}
	left := cmp.Or(w.MaxBytes, int64(mostWebBytes))
	cfg := dial.Config{Hosts: []string{strings.ToLower(first.Hostname())}, Timeout: 2 * cmp.Or(w.Timeout, webTime), Most: left + 2} // ours end first, and say so
	if w.Private {
		cfg.Configured = []string{w.URL}
	}
	client := dial.New(cfg)
	defer client.CloseIdleConnections()
	var all []any
	var asOf time.Time
	at, number := first, w.First
	if w.Page != "" {
		at = with(first, w.Page, strconv.Itoa(number))
	}
	seen := map[string]bool{}
	for page := 1; at != nil; page++ {
		where := fmt.Sprintf("%s page %d", w.Origin(), page)
		switch {
		case page > cmp.Or(w.MaxPages, mostPages):
			return nil, asOf, fmt.Errorf("%s: there are more than %d pages\n  hint: raise max_pages, or ask for larger ones", w.Origin(), cmp.Or(w.MaxPages, mostPages))
		case seen[at.String()]:
			return nil, asOf, fmt.Errorf("%s: the next page is one that was read already\n  hint: look at next and cursor", where)
		}
		seen[at.String()] = true
		body, date, err := w.get(ctx, client, at, left)
		if err != nil {
			return nil, asOf, fmt.Errorf("%s: %w", where, err)
		}
		left -= int64(len(body))
		if asOf.IsZero() {
			asOf = date
		}
		rows, next, err := w.page(body)
		if err != nil {
			return nil, asOf, fmt.Errorf("%s: %w", where, err)
		}
		if all = append(all, rows...); len(all) > cmp.Or(w.MaxRows, tabular.MostRows) {
			return nil, asOf, fmt.Errorf("%s: there are more than %d rows\n  hint: raise max_rows, or have the address answer with less", w.Origin(), cmp.Or(w.MaxRows, tabular.MostRows))
		}
		if at, err = w.next(first, at, next, number+page, len(rows)); err != nil {
			return nil, asOf, fmt.Errorf("%s: %w", where, err)
		}
	}
	t, err := tabular.Objects(w.Origin(), all, w.Options)
	if err != nil {
		return nil, asOf, err
	}
	if len(t.Columns) == 0 {
		return nil, asOf, fmt.Errorf("%s: it answers with no rows, so nobody knows its columns", w.Origin())
	}
	t.Name = tabular.Name(cmp.Or(w.Table, "rows"))
	return []tabular.Table{t}, asOf, nil
}

// get asks for one page. Its errors hold no address, which may have a secret in it.
func (w Web) get(ctx context.Context, client *http.Client, at *url.URL, left int64) (body []byte, date time.Time, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, date, errors.New("it is no address")
	}
	req.Header.Set("Accept", "application/json")
	for _, h := range w.Headers {
		req.Header.Set(h.Name, h.Value)
	}
	resp, err := client.Do(req)
	if err != nil {
		var in *url.Error
		if errors.As(err, &in) {
			err = in.Err
		}
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case errors.Is(err, dial.ErrRefused):
			return nil, date, fmt.Errorf("%w\n  hint: private: true allows an address of your own network", err)
		}
		return nil, date, err
	}
	defer func() { _ = resp.Body.Close() }() // it has been read
	body, err = io.ReadAll(io.LimitReader(resp.Body, left+1))
	switch {
	case ctx.Err() != nil:
		return nil, date, context.Cause(ctx)
	case err != nil:
		return nil, date, fmt.Errorf("read the answer: %w", err)
	case int64(len(body)) > left:
		return nil, date, fmt.Errorf("the answers have more than %d bytes\n  hint: raise max_bytes", cmp.Or(w.MaxBytes, int64(mostWebBytes)))
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		return nil, date, fmt.Errorf("it answers %s\n  hint: look at headers, and at the variables they name", resp.Status)
	case resp.StatusCode != http.StatusOK:
		return nil, date, fmt.Errorf("it answers %s", resp.Status)
	}
	if date, err = http.ParseTime(resp.Header.Get("Date")); err != nil {
		date = time.Time{} // the caller's clock will do
	}
	return body, date, nil
}

// page takes the rows out of an answer, and what it says of the next.
func (w Web) page(body []byte) (rows []any, next string, err error) {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	var all any
	if err := d.Decode(&all); err != nil {
		return nil, "", errors.New("it answers with what is no JSON")
	}
	v, err := tabular.At(all, w.Rows)
	if err != nil {
		return nil, "", fmt.Errorf("rows: %w", err)
	}
	list, ok := v.([]any)
	if !ok {
		hint := ""
		if object, is := v.(map[string]any); is {
			hint = "\n  hint: name the list within under rows; there is: " + strings.Join(sortedKeys(object)[:min(len(object), 20)], ", ")
		}
		return nil, "", fmt.Errorf("rows: there is no list%s", hint)
	}
	if w.Next != "" {
		if v, err := tabular.At(all, w.Next); err == nil && v != nil {
			next = strings.TrimSpace(fmt.Sprint(v))
			if v == false || next == "0" {
				next = ""
			}
		}
	}
	return list, next, nil
}

// next is the address of the next page; nil if there is none.
func (w Web) next(first, at *url.URL, said string, number, rows int) (*url.URL, error) {
	switch {
	case w.Page != "" && rows > 0:
		return with(first, w.Page, strconv.Itoa(number)), nil
	case w.Next == "" || said == "":
		return nil, nil
	case w.Cursor != "":
		return with(first, w.Cursor, said), nil
	}
	u, err := at.Parse(said)
	if err != nil {
		return nil, errors.New("next: it names no address")
	}
	if u.Scheme != first.Scheme || !strings.EqualFold(u.Host, first.Host) {
		return nil, errors.New("next: it leads to another host")
	}
	return u, nil
}

func with(u *url.URL, name, value string) *url.URL {
	c := *u
	q := c.Query()
	q.Set(name, value)
	c.RawQuery = q.Encode()
	return &c
}
