package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot/web"
)

// A printed URL lets one browser in, once, for five minutes.
func TestCodeIsGoodOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	path := strings.TrimPrefix(s.entry, s.base)

	first := s.stranger()
	code, _, h := first.get(path)
	if code != http.StatusSeeOther || h.Get("Location") != "/" {
		t.Fatalf("first use = %d to %q, want a redirect away from the code", code, h.Get("Location"))
	}
	cookie := h.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q lacks %s", cookie, want)
		}
	}
	if code, _, _ := first.get("/c/general"); code != http.StatusOK {
		t.Errorf("page after the exchange = %d, want 200", code)
	}
	if code, _, _ := s.stranger().get(path); code != http.StatusUnauthorized {
		t.Errorf("second use = %d, want 401", code)
	}

	late := strings.TrimPrefix(s.con.NewCode(), s.base)
	s.clock.move(5 * time.Minute)
	if code, _, _ := s.stranger().get(late); code != http.StatusUnauthorized {
		t.Errorf("use after five minutes = %d, want 401", code)
	}
}

// A browser that looks ahead does not use the code up.
func TestPrefetchKeepsCode(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.stranger()
	req := b.request("GET", strings.TrimPrefix(s.entry, s.base), nil)
	req.Header.Set("Sec-Purpose", "prefetch;prerender")
	if code, _, _ := b.do(req); code != http.StatusForbidden {
		t.Errorf("prefetch = %d, want 403", code)
	}
	if code, _, _ := b.get(strings.TrimPrefix(s.entry, s.base)); code != http.StatusSeeOther {
		t.Errorf("use after a prefetch = %d, want 303", code)
	}
}

// Who was not let in sees on every page how to come in, and nothing else.
func TestStrangerIsToldHowToEnter(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.desk.add(said("general", "", "aaaaaaaa1", "lead", "a secret"))
	b := s.stranger()
	for _, path := range []string{"/", "/c/general", "/lines/general", "/events", "/approvals", "/runs", "/memory", "/pulse", "/nowhere", "/file/general/-/aaaaaaaa1/x"} {
		code, page, _ := b.get(path)
		if code != http.StatusUnauthorized || !strings.Contains(page, "hermes url") || strings.Contains(page, "secret") {
			t.Errorf("GET %s = %d, want a 401 page that names `hermes url`:\n%s", path, code, page)
		}
	}
	for _, path := range []string{"/say", "/press", "/switch", "/lang"} {
		code, _, _ := b.do(b.request("POST", path, url.Values{"c": {"general"}}))
		if code != http.StatusUnauthorized {
			t.Errorf("POST %s = %d, want 401", path, code)
		}
	}
}

// A session is signed: another key, a changed user, or an end in the past is none.
func TestSessionOutlivesProgramOnlyWithItsKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("lead")
	u, _ := url.Parse(s.base)
	kept := b.client.Jar.Cookies(u)
	s.stop()

	addr := func(key string) func(*web.Config) {
		return func(c *web.Config) { c.Addr, c.Key = u.Host, []byte(key) }
	}
	again := newStage(t, addr("a key of the test"))
	if again.base != s.base {
		t.Skipf("port %s was taken meanwhile", u.Host)
	}
	back := again.stranger()
	back.client.Jar.SetCookies(u, kept)
	if code, page, _ := back.get("/c/sales"); code != http.StatusOK || !strings.Contains(page, "<b>Lee</b>") {
		t.Errorf("page after a restart = %d, want 200 as Lee", code)
	}
	forged := again.stranger()
	var changed []*http.Cookie
	for _, k := range kept {
		changed = append(changed, &http.Cookie{Name: k.Name, Value: strings.Replace(k.Value, ".lead.", ".analyst.", 1)})
	}
	forged.client.Jar.SetCookies(u, changed)
	if code, _, _ := forged.get("/c/sales"); code != http.StatusUnauthorized {
		t.Errorf("page with a changed cookie = %d, want 401", code)
	}
	again.clock.move(31 * 24 * time.Hour)
	if code, _, _ := back.get("/c/sales"); code != http.StatusUnauthorized {
		t.Errorf("page a month later = %d, want 401", code)
	}
	again.stop()

	other := newStage(t, addr("another key"))
	if other.base != s.base {
		t.Skipf("port %s was taken meanwhile", u.Host)
	}
	locked := other.stranger()
	locked.client.Jar.SetCookies(u, kept)
	if code, _, _ := locked.get("/c/sales"); code != http.StatusUnauthorized {
		t.Errorf("page under another key = %d, want 401", code)
	}
}

// A page of another site, even one whose name points here, can do nothing.
func TestForeignPagesAreRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("")
	token := b.csrf()

	for host, want := range map[string]int{
		"evil.example":                        http.StatusMisdirectedRequest,
		"evil.example:8484":                   http.StatusMisdirectedRequest,
		"127.0.0.1:1":                         http.StatusMisdirectedRequest,
		"127.0.0.1.evil.example":              http.StatusMisdirectedRequest,
		strings.TrimPrefix(s.base, "http://"): http.StatusOK,
		// Ours, though a browser keeps its cookie for the other name.
		"localhost:" + s.base[strings.LastIndex(s.base, ":")+1:]: http.StatusUnauthorized,
	} {
		req := b.request("GET", "/c/general", nil)
		req.Host = host
		if code, _, _ := b.do(req); code != want {
			t.Errorf("Host %s = %d, want %d", host, code, want)
		}
	}

	posts := map[string]struct {
		change func(h http.Header, form url.Values)
		want   int
	}{
		"own page":                {func(http.Header, url.Values) {}, http.StatusSeeOther},
		"own page, no referrer":   {func(h http.Header, _ url.Values) { h.Set("Origin", "null"); h.Set("Sec-Fetch-Site", "same-origin") }, http.StatusSeeOther},
		"own script":              {func(h http.Header, f url.Values) { h.Set("X-CSRF", token); f.Del("csrf") }, http.StatusSeeOther},
		"foreign origin":          {func(h http.Header, _ url.Values) { h.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		"another port":            {func(h http.Header, _ url.Values) { h.Set("Origin", "http://127.0.0.1:1") }, http.StatusForbidden},
		"null origin, cross-site": {func(h http.Header, _ url.Values) { h.Set("Origin", "null"); h.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"no origin at all":        {func(h http.Header, _ url.Values) { h.Del("Origin") }, http.StatusForbidden},
		"no token":                {func(_ http.Header, f url.Values) { f.Del("csrf") }, http.StatusForbidden},
		"wrong token":             {func(_ http.Header, f url.Values) { f.Set("csrf", token[:len(token)-1]+"~") }, http.StatusForbidden},
	}
	for name, tt := range posts {
		form := url.Values{"csrf": {token}, "lang": {"en"}}
		header := http.Header{"Origin": {s.base}}
		tt.change(header, form)
		req := b.request("POST", "/lang", form)
		req.Header.Del("Origin")
		for k, v := range header {
			req.Header[k] = v
		}
		if code, _, _ := b.do(req); code != tt.want {
			t.Errorf("POST from %s = %d, want %d", name, code, tt.want)
		}
	}
}

// The headers that every page has are these.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("")
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":  "nosniff",
		"Referrer-Policy":         "no-referrer",
		"Cache-Control":           "no-store",
	}
	for _, path := range []string{"/c/general", "/approvals", "/nowhere", "/static/app.js", "/lines/general"} {
		_, page, h := b.get(path)
		got := map[string]string{}
		for k := range want {
			got[k] = h.Get(k)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("headers of %s (-want +got):\n%s", path, d)
		}
		if strings.HasSuffix(path, ".js") {
			continue
		}
		for _, inline := range []string{"<style", " style=", "<script>", " onclick=", "javascript:"} {
			if strings.Contains(page, inline) {
				t.Errorf("%s has %q, which its policy forbids", path, inline)
			}
		}
	}
}

// Listen takes loopback addresses only, and the next port if one is busy.
func TestListen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "[::]:0"} {
		con := web.New(web.Config{Addr: addr}, s.desk, s.shelf, nil, time.Now)
		if _, err := con.Listen(t.Context()); err == nil || !strings.Contains(err.Error(), "hint: use 127.0.0.1") {
			t.Errorf("Listen on %s = %v, want a refusal with a hint", addr, err)
		}
	}
	busy := newStage(t, func(c *web.Config) { c.Addr = strings.TrimPrefix(s.base, "http://") })
	if busy.base == s.base {
		t.Errorf("second console listens on the first one's %s", s.base)
	}
	if code, _, _ := busy.enter("").get("/c/general"); code != http.StatusOK {
		t.Errorf("page on the next port = %d, want 200", code)
	}
}

// Switching exists only in the demo, and is marked on every page there.
func TestSwitching(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("guest")
	for _, path := range []string{"/c/general", "/approvals", "/schedules", "/runs", "/memory", "/nowhere"} {
		if _, page, _ := b.get(path); !strings.Contains(page, "Demo: you are <b>Gus</b>") {
			t.Errorf("%s does not say who the visitor is", path)
		}
	}
	for from, want := range map[string]string{"/c/sales": "/", "/c/general": "/c/general", "/memory": "/memory", "//evil.example": "/", "https://evil.example": "/", `/\evil.example`: "/"} {
		form := url.Values{"user": {"guest"}, "back": {from}, "csrf": {b.csrf()}}
		_, _, h := b.do(b.request("POST", "/switch", form))
		if got := h.Get("Location"); got != want {
			t.Errorf("guest who switched on %s is sent to %q, want %q", from, got, want)
		}
	}

	alone := newStage(t, func(c *web.Config) { c.Demo = nil })
	owner := alone.stranger()
	owner.get(strings.TrimPrefix(alone.entry, alone.base))
	_, page, _ := owner.get("/c/dm-owner")
	if strings.Contains(page, "/switch") || strings.Contains(page, "Demo") {
		t.Errorf("console without a demo offers to switch")
	}
	form := url.Values{"user": {"owner"}, "csrf": {csrfAt.FindStringSubmatch(page)[1]}}
	if code, _, _ := owner.do(owner.request("POST", "/switch", form)); code != http.StatusNotFound {
		t.Errorf("POST /switch without a demo = %d, want 404", code)
	}
}

// Issue 5, audit: whoever is let in is told first; where that cannot be kept, nobody is.
func TestALoginIsTold(t *testing.T) {
	t.Parallel()
	var told []string
	var fails error
	s := newStage(t, func(c *web.Config) {
		c.Entered = func(_ context.Context, person string) error { told = append(told, person); return fails }
	})
	b := s.stranger()
	fails = errors.New("disk")
	if code, _, h := b.get(strings.TrimPrefix(s.entry, s.base)); code != http.StatusInternalServerError || h.Get("Set-Cookie") != "" {
		t.Errorf("a login that cannot be noted = %d with cookie %q", code, h.Get("Set-Cookie"))
	}
	fails = nil
	if code, _, _ := b.get(strings.TrimPrefix(s.con.NewCode(), s.base)); code != http.StatusSeeOther || len(told) != 2 || !strings.HasPrefix(told[1], "web:") {
		t.Errorf("login = %d, told %q", code, told)
	}
}
