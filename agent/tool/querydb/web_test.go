package querydb

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/tabular"
)

const webSecret = "s3cret-value"

// api answers with pages of two rows each.
func api(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, asked
}

func deals(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+webSecret {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	rows := []string{`{"on":"2026-10-01","owner":{"team":"North"},"amount":10}`, `{"on":"2026-10-02","owner":{"team":"South"},"amount":2.5}`, `{"on":"2026-10-03","owner":{"team":"North"},"amount":1}`}
	page := 0
	fmt.Sscan(r.URL.Query().Get("page"), &page)
	from, next := min(page*2, len(rows)), "null"
	to := min(from+2, len(rows))
	if to < len(rows) {
		next = fmt.Sprintf(`"/deals?page=%d"`, page+1)
	}
	fmt.Fprintf(w, `{"data":{"items":[%s]},"paging":{"next":%s,"cursor":%d}}`, strings.Join(rows[from:to], ","), next, page+1)
}

func webLayer(address string) Layer {
	return Layer{
		Name: "crm", Dialect: SQLite,
		Web: &Web{
			URL: address + "/deals?key=" + webSecret, Headers: []Header{{"Authorization", "Bearer " + webSecret}},
			Table: "deals", Rows: "data.items", Next: "paging.next", Private: true,
		},
		Measures:   []Measure{{Name: "won", Label: Label{"Won", "成交额"}, SQL: "SUM(amount)", From: "deals", Time: `"on"`, Unit: "EUR", Scale: 2}},
		Dimensions: []Dimension{{Name: "team", Label: Label{"team", "团队"}, SQL: "owner_team"}},
	}
}

// An address that answers with JSON is asked as a database is, page after page, however
// the next one is named.
func TestWebIsASource(t *testing.T) {
	for name, change := range map[string]func(*Web){
		"by an address": func(*Web) {},
		"by counting":   func(w *Web) { w.Next, w.Page = "", "page" },
	} {
		t.Run(name, func(t *testing.T) {
			address, asked := api(t, deals)
			l := webLayer(address)
			l.Measures[0].Time = "on_"
			change(l.Web)
			s := open(t, l)
			a, g, _ := ask(t, s, callAt(noon, `{"measure":"won","by":["team"],"period":"last_month"}`))
			if len(g.Rows) != 2 || g.Rows[0][1] != 11.0 || *a.Total.Value != 13.5 || a.AsOf == "" {
				t.Errorf("rows %v, total %v, as of %q", g.Rows, a.Total, a.AsOf)
			}
			before := asked.Load()
			ask(t, s, callAt("2026-11-02T12:00", `{"measure":"won","period":"last_month"}`))
			if asked.Load() != before {
				t.Error("within a minute it is asked again")
			}
		})
	}
}

// A run sees one answer; who begins when it is old has a new one.
func TestWebIsAskedOncePerRun(t *testing.T) {
	address, asked := api(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[{"on":"2026-10-01","amount":1}]`) })
	l := webLayer(address)
	l.Web.Rows, l.Web.Next, l.Measures[0].Time, l.Dimensions = "", "", "on_", nil
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	s, err := Open(l, Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, step := range []struct {
		run  string
		want int64
	}{{"a", 1}, {"a", 1}, {"b", 1}} {
		if _, done, err := s.take(t.Context(), step.run); err != nil {
			t.Fatal(err)
		} else if done(); asked.Load() != step.want {
			t.Errorf("run %s: asked %d times, want %d", step.run, asked.Load(), step.want)
		}
	}
	now = now.Add(2 * time.Minute)
	for run, want := range map[string]int64{"a": 1} {
		_, done, err := s.take(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if done(); asked.Load() != want {
			t.Errorf("run %s goes on with another answer", run)
		}
	}
	_, done, err := s.take(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	if done(); asked.Load() != 2 {
		t.Errorf("a run that begins later has the old answer")
	}
}

// What goes wrong is told without a secret, and with what to do. Private networks are
// reached only where that is said, other hosts never.
func TestWebFaults(t *testing.T) {
	elsewhere, reached := api(t, deals)
	for name, tt := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		change func(*Web)
		want   string
	}{
		"a private network":     {deals, func(w *Web) { w.Private = false; w.URL = strings.Replace(w.URL, "http:", "https:", 1) }, "private: true"},
		"no rights":             {deals, func(w *Web) { w.Headers = nil }, "401"},
		"no list at that place": {deals, func(w *Web) { w.Rows = "data" }, "there is: items"},
		"nothing at that place": {deals, func(w *Web) { w.Rows = "result.items" }, "there is nothing at result; there is: data, paging"},
		"no JSON":               {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, func(*Web) {}, "no JSON"},
		"too many pages":        {deals, func(w *Web) { w.MaxPages = 1 }, "raise max_pages"},
		"too many rows":         {deals, func(w *Web) { w.MaxRows = 2 }, "raise max_rows"},
		"too many bytes":        {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[`+strings.Repeat(" ", 3000)+`]`) }, func(w *Web) { w.MaxBytes = 1000; w.Rows, w.Next = "", "" }, "1000"},
		"a circle": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"data":{"items":[{"a":1}]},"paging":{"next":"?page=1"}}`)
		}, func(*Web) {}, "read already"},
		"a page of another host": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"data":{"items":[{"a":1}]},"paging":{"next":%q}}`, elsewhere+"/x")
		}, func(*Web) {}, "another host"},
		"sent on to another": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+"/deals", http.StatusFound)
		}, func(*Web) {}, "refused"},
		"no rows":              {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[]`) }, func(w *Web) { w.Rows, w.Next = "", "" }, "no rows"},
		"rows of another kind": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[1,2]`) }, func(w *Web) { w.Rows, w.Next = "", "" }, "row 1: it is a number"},
		"no answer in time":    {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func(w *Web) { w.Timeout = 50 * time.Millisecond }, "has not answered in 50ms"},
	} {
		t.Run(name, func(t *testing.T) {
			address, _ := api(t, tt.answer)
			l := webLayer(address)
			l.Measures, l.Dimensions = nil, nil
			tt.change(l.Web)
			err := open(t, l).Check(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), webSecret) {
				t.Errorf("the error holds a secret: %v", err)
			}
		})
	}
	if reached.Load() != 0 {
		t.Error("another host was asked")
	}
}

// What is declared wrongly is told, each with its key.
func TestWebValidate(t *testing.T) {
	w := Web{URL: "http://u:p@h/x", Headers: []Header{{"a b", "x"}}, Next: "n", Page: "p", Options: tabular.Options{Days: "x"}}
	err := Layer{Name: "crm", Dialect: SQLite, Web: &w}.Validate()
	for _, want := range []string{"url: it has a user", `headers: "a b"`, "next and page", `days: "x"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v has no %q", err, want)
		}
	}
	if err := (Layer{Name: "crm", Dialect: SQLite, Web: &Web{URL: "http://h/x"}}).Validate(); err == nil || !strings.Contains(err.Error(), "in the clear") {
		t.Errorf("in the clear: %v", err)
	}
}

// Whatever an address answers with, it ends in tables or in an error.
func FuzzWebPage(f *testing.F) {
	f.Add(`{"data":{"items":[{"a":1}]},"paging":{"next":"/x"}}`, "data.items", "paging.next")
	f.Add(`[{"a":{"b":[1]}}]`, "", "")
	f.Fuzz(func(t *testing.T, body, rows, next string) {
		w := Web{URL: "https://h.example/x", Rows: rows, Next: next}
		list, _, err := w.page([]byte(body))
		if err == nil && list == nil && !json.Valid([]byte(body)) {
			t.Errorf("no list, and no error, of %q", body)
		}
	})
}
