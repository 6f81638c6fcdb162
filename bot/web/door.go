package web

import (
	"crypto/rand"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	codeLife = 5 * time.Minute
	// codesKept bounds what a program that asks for URLs in a loop can fill.
	codesKept = 64
)

// A door lets in who has a one-time code, or of named users who knows their secret, and
// knows again who was let in: a session is a random id, a user and an end in a signed
// cookie, so it outlives the program as long as the key does.
type door struct {
	key   []byte
	now   func() time.Time
	named map[string]User // who comes in by name; nil: whoever has a code
	front *url.URL        // where people find it if a proxy stands before; else nil

	mu    sync.Mutex
	base  string // http://host:port
	hosts map[string]bool
	port  string
	any   bool // listens beyond loopback: any literal address is its name
	codes map[string]ticket
	gone  map[string]time.Time // sessions that were ended, until when they would be good
}

// A ticket is what a one-time code is good for.
type ticket struct {
	user string
	ends time.Time
}

func newDoor(key []byte, now func() time.Time, named []User, front *url.URL) *door {
	if len(key) == 0 {
		key = make([]byte, 32)
		rand.Read(key) // never fails
	}
	d := &door{key: key, now: now, front: front, codes: map[string]ticket{}, gone: map[string]time.Time{}}
	if len(named) > 0 {
		d.named = map[string]User{}
		for _, u := range named {
			d.named[u.ID] = u
		}
	}
	return d
}

// at tells the door where it stands.
func (d *door) at(a net.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	host, port, _ := net.SplitHostPort(a.String())
	ip := net.ParseIP(host)
	if ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	d.any = ip == nil || !ip.IsLoopback()
	d.port = port
	d.base = "http://" + net.JoinHostPort(host, port)
	if d.front != nil {
		d.base = d.front.Scheme + "://" + d.front.Host
	}
	d.hosts = map[string]bool{host: true, "127.0.0.1": true, "localhost": true, "::1": true}
}

// address is where the page is; empty before it is known.
func (d *door) address() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.base
}

// invite returns the URL with a new one-time code for a user.
func (d *door) invite(user string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.base == "" {
		return ""
	}
	now := d.now()
	for c, t := range d.codes {
		if !now.Before(t.ends) || len(d.codes) >= codesKept {
			delete(d.codes, c)
		}
	}
	code := newToken()
	d.codes[code] = ticket{user, now.Add(codeLife)}
	return d.base + "/in?code=" + code
}

// spend reports for whom a code is good, and uses it up.
func (d *door) spend(code string) (user string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, ok := d.codes[code]
	delete(d.codes, code)
	return t.user, ok && d.now().Before(t.ends)
}

// redeem is spend for named users.
func (d *door) redeem(code string) (User, bool) {
	id, ok := d.spend(code)
	u, known := d.named[id]
	return u, ok && known
}

// holder is redeem without using the code up.
func (d *door) holder(code string) (User, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, ok := d.codes[code]
	u, known := d.named[t.user]
	return u, ok && known && d.now().Before(t.ends)
}

// hosted reports whether a Host header is a name of ours. A page of another site
// whose name was made to point here (DNS rebinding) sends its own.
func (d *door) hosted(h string) bool {
	if d.front != nil && strings.EqualFold(h, d.front.Host) {
		return true
	}
	host, port, err := net.SplitHostPort(h)
	if err != nil {
		host, port = strings.Trim(h, "[]"), "80"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return port == d.port && (d.hosts[host] || d.any && net.ParseIP(host) != nil)
}

// cookieName has the port in it, since browsers do not keep the cookies of two
// ports apart. Where all goes over TLS its prefix has the browser see to it that no page
// beside ours has set it.
func (d *door) cookieName() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.secure() {
		return "__Host-hermes-" + d.port
	}
	return "hermes-" + d.port
}

// secure reports whether people come over TLS.
func (d *door) secure() bool { return d.front != nil && d.front.Scheme == "https" }

// policy is what a page may do: load our own files, talk with us, nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard sets the headers that every answer has, and refuses what comes under a
// foreign name or, if it would change something, from a foreign page.
func (c *Console) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if c.door.secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		switch {
		case !c.door.hosted(r.Host):
			c.plain(w, r, http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !c.door.fromHere(r):
			c.plain(w, r, http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// fromHere reports whether a request was made by a page of ours. Under the policy
// no-referrer a browser sends the Origin of a form as "null", and then tells by
// Sec-Fetch-Site where it comes from.
func (d *door) fromHere(r *http.Request) bool {
	switch o := r.Header.Get("Origin"); o {
	case "", "null":
		return r.Header.Get("Sec-Fetch-Site") == "same-origin"
	default:
		u, err := url.Parse(o)
		if err != nil {
			return false
		}
		if d.front != nil && (strings.EqualFold(u.Host, d.front.Host) || strings.EqualFold(r.Host, d.front.Host)) {
			return u.Scheme == d.front.Scheme && strings.EqualFold(u.Host, d.front.Host)
		}
		return u.Scheme == "http" && u.Host == r.Host
	}
}

// formLimit is of a whole form: a message of the longest kind, with every
// character escaped, and a little.
const formLimit = 12*maxText + 16<<10

// in lets a request through that has a session of somebody whose role lets them do that
// and, if it would change something, its token. All others get a plain page that says
// how to come in.
func (c *Console) in(a act, next func(http.ResponseWriter, *http.Request, visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s, err := c.session(r)
		if err != nil {
			c.plain(w, r, http.StatusUnauthorized)
			return
		}
		if u, _ := c.home.user(s.user); !u.May.may(a) {
			c.denied(r.Context(), c.person(u), r.Method+" "+pageOf(r))
			if !u.May.may(look) {
				c.plainly(w, r, http.StatusForbidden, "fail.role")
				return
			}
			c.failed(w, r, c.visit(r, s), http.StatusForbidden, "fail.role")
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			// A form that is too large has not been read to its token.
			if err := c.parseForm(w, r); err != nil {
				c.fail(w, r, c.visit(r, s), http.StatusRequestEntityTooLarge)
				return
			}
			got := r.Header.Get("X-CSRF")
			if got == "" {
				got = r.PostForm.Get("csrf")
			}
			if !c.door.signed("csrf", s.id, got) {
				c.plain(w, r, http.StatusForbidden)
				return
			}
		}
		v := c.visit(r, s)
		if longer, ok := c.door.prolong(s); ok {
			c.admit(w, longer)
		}
		next(w, r, v)
	}
}

func (c *Console) session(r *http.Request) (session, error) {
	k, err := r.Cookie(c.door.cookieName())
	if err != nil {
		return session{}, errNoSession
	}
	s, err := c.door.open(k.Value)
	if err != nil {
		return session{}, err
	}
	// A page without names is of one person; of one with names over has said.
	if _, ok := c.home.user(s.user); !ok {
		s.user = c.home.Users[0].ID
	}
	return s, nil
}

// pageOf is the first part of a path, which says what was wanted and not of what.
func pageOf(r *http.Request) string {
	page, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return "/" + page
}

func (c *Console) admit(w http.ResponseWriter, s session) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where people come over TLS; on loopback there is none
		Name: c.door.cookieName(), Value: c.door.seal(s), Path: "/", Expires: s.ends,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.door.secure(),
	})
}

// enter exchanges a one-time code for a session; of named users it asks first. A browser
// that only looks ahead must not use it up.
func (c *Console) enter(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Sec-Purpose")+r.Header.Get("Purpose"), "prefetch") || r.Method != http.MethodGet {
		c.plain(w, r, http.StatusForbidden)
		return
	}
	if c.door.named != nil {
		c.invited(w, r)
		return
	}
	if _, ok := c.door.spend(r.FormValue("code")); !ok {
		// Who has come in and follows the printed link again just goes in.
		if _, err := c.session(r); err == nil {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		c.denied(r.Context(), "", "link")
		c.plain(w, r, http.StatusUnauthorized)
		return
	}
	c.welcome(w, r, c.home.Users[0])
}

func (c *Console) switchUser(w http.ResponseWriter, r *http.Request, v visit) {
	u, ok := c.home.user(r.PostForm.Get("user"))
	if c.cfg.Demo == nil || c.door.named != nil || !ok {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	c.admit(w, session{id: v.session.id, user: u.ID, ends: c.now().Add(sessionLife)})
	http.Redirect(w, r, back(r, func(room string) bool { //nolint:gosec // back returns paths of ours alone
		to, ok := c.home.room(room)
		return ok && u.sees(to)
	}), http.StatusSeeOther)
}

func (c *Console) switchLang(w http.ResponseWriter, r *http.Request, _ visit) {
	lang := "en"
	if r.PostForm.Get("lang") == "zh" {
		lang = "zh"
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where people come over TLS; on loopback there is none
		Name: "lang", Value: lang, Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.door.secure(),
	})
	http.Redirect(w, r, back(r, func(string) bool { return true }), http.StatusSeeOther) //nolint:gosec // as above
}

// back returns the page that a form came from, a path of ours, or the start if it
// is in a room that may not be seen.
func back(r *http.Request, seen func(room string) bool) string {
	to := r.PostForm.Get("back")
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n") {
		return "/"
	}
	if room, ok := strings.CutPrefix(u.Path, "/c/"); ok {
		room, _, _ = strings.Cut(room, "/")
		if !seen(room) {
			return "/"
		}
	}
	return to
}
