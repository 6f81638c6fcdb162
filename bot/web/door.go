package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	codeLife    = 5 * time.Minute
	sessionLife = 30 * 24 * time.Hour
	// codesKept bounds what a program that asks for URLs in a loop can fill.
	codesKept = 64
)

// A door lets in who has a one-time code, and knows again who was let in: a session
// is a random id, a user and an end in a signed cookie, so it outlives the program
// as long as the key does.
type door struct {
	key []byte
	now func() time.Time

	mu    sync.Mutex
	base  string // http://host:port
	hosts map[string]bool
	port  string
	any   bool // listens beyond loopback: any literal address is its name
	codes map[string]time.Time
}

// A session is somebody who was let in.
type session struct {
	id   string
	user string
	ends time.Time
}

func newDoor(key []byte, now func() time.Time) *door {
	if len(key) == 0 {
		key = make([]byte, 32)
		rand.Read(key) // never fails
	}
	return &door{key: key, now: now, codes: map[string]time.Time{}}
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
	d.hosts = map[string]bool{host: true, "127.0.0.1": true, "localhost": true, "::1": true}
}

// invite returns the URL with a new one-time code.
func (d *door) invite() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.base == "" {
		return ""
	}
	now := d.now()
	for c, ends := range d.codes {
		if !now.Before(ends) || len(d.codes) >= codesKept {
			delete(d.codes, c)
		}
	}
	code := newToken()
	d.codes[code] = now.Add(codeLife)
	return d.base + "/in?code=" + code
}

// redeem reports whether a code is good, and uses it up.
func (d *door) redeem(code string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	ends, ok := d.codes[code]
	delete(d.codes, code)
	return ok && d.now().Before(ends)
}

// hosted reports whether a Host header is a name of ours. A page of another site
// whose name was made to point here (DNS rebinding) sends its own.
func (d *door) hosted(h string) bool {
	host, port, err := net.SplitHostPort(h)
	if err != nil {
		host, port = strings.Trim(h, "[]"), "80"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return port == d.port && (d.hosts[host] || d.any && net.ParseIP(host) != nil)
}

// cookieName has the port in it, since browsers do not keep the cookies of two
// ports apart.
func (d *door) cookieName() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return "hermes-" + d.port
}

// seal and open write and read a session as a cookie's value.
func (d *door) seal(s session) string {
	body := s.id + "." + s.user + "." + strconv.FormatInt(s.ends.Unix(), 10)
	return body + "." + d.sign("session", body)
}

var errNoSession = errors.New("no session")

func (d *door) open(value string) (session, error) {
	i := strings.LastIndexByte(value, '.')
	if i < 0 || !d.signed("session", value[:i], value[i+1:]) {
		return session{}, errNoSession
	}
	f := strings.Split(value[:i], ".")
	if len(f) != 3 {
		return session{}, errNoSession
	}
	ends, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || d.now().Unix() >= ends {
		return session{}, errNoSession
	}
	return session{f[0], f[1], time.Unix(ends, 0)}, nil
}

// token is what a form of this session must bring back.
func (d *door) token(s session) string { return d.sign("csrf", s.id) }

func (d *door) sign(what, text string) string {
	m := hmac.New(sha256.New, d.key)
	m.Write([]byte(what + "\x00" + text))
	return encode(m.Sum(nil))
}

func (d *door) signed(what, text, mac string) bool {
	return subtle.ConstantTimeCompare([]byte(d.sign(what, text)), []byte(mac)) == 1
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

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
		switch {
		case !c.door.hosted(r.Host):
			c.plain(w, r, http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !fromHere(r):
			c.plain(w, r, http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// fromHere reports whether a request was made by a page of ours. Under the policy
// no-referrer a browser sends the Origin of a form as "null", and then tells by
// Sec-Fetch-Site where it comes from.
func fromHere(r *http.Request) bool {
	switch o := r.Header.Get("Origin"); o {
	case "", "null":
		return r.Header.Get("Sec-Fetch-Site") == "same-origin"
	default:
		u, err := url.Parse(o)
		return err == nil && u.Scheme == "http" && u.Host == r.Host
	}
}

// formLimit is of a whole form: a message of the longest kind, with every
// character escaped, and a little.
const formLimit = 12*maxText + 16<<10

// in lets a request through that has a session and, if it would change something,
// its token. All others get a plain page that says how to come in.
func (c *Console) in(next func(http.ResponseWriter, *http.Request, visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s, err := c.session(r)
		if err != nil {
			c.plain(w, r, http.StatusUnauthorized)
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
		if s.ends.Sub(c.now()) < sessionLife/2 {
			c.admit(w, session{s.id, s.user, c.now().Add(sessionLife)})
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
	if _, ok := c.home.user(s.user); !ok {
		s.user = c.home.Users[0].ID
	}
	return s, nil
}

func (c *Console) admit(w http.ResponseWriter, s session) {
	http.SetCookie(w, &http.Cookie{
		Name: c.door.cookieName(), Value: c.door.seal(s), Path: "/", Expires: s.ends,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// enter exchanges a one-time code for a session. A browser that only looks ahead
// must not use it up.
func (c *Console) enter(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Sec-Purpose")+r.Header.Get("Purpose"), "prefetch") || r.Method != http.MethodGet {
		c.plain(w, r, http.StatusForbidden)
		return
	}
	if !c.door.redeem(r.FormValue("code")) {
		// Who has come in and follows the printed link again just goes in.
		if _, err := c.session(r); err == nil {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		c.plain(w, r, http.StatusUnauthorized)
		return
	}
	c.admit(w, session{newToken(), c.home.Users[0].ID, c.now().Add(sessionLife)})
	c.log.Info("browser let in", "platform", platform)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (c *Console) switchUser(w http.ResponseWriter, r *http.Request, v visit) {
	u, ok := c.home.user(r.PostForm.Get("user"))
	if c.cfg.Demo == nil || !ok {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	c.admit(w, session{v.session.id, u.ID, c.now().Add(sessionLife)})
	http.Redirect(w, r, back(r, func(room string) bool {
		to, ok := c.home.room(room)
		return ok && u.sees(to)
	}), http.StatusSeeOther)
}

func (c *Console) switchLang(w http.ResponseWriter, r *http.Request, _ visit) {
	lang := "en"
	if r.PostForm.Get("lang") == "zh" {
		lang = "zh"
	}
	http.SetCookie(w, &http.Cookie{
		Name: "lang", Value: lang, Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, back(r, func(string) bool { return true }), http.StatusSeeOther)
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
