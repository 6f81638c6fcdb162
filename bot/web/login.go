package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"hermes/bot"
)

// How often a secret may be wrong before who tries has to wait, and how long: a minute,
// and twice as long each time after. That holds for one name from one address, so that
// nobody shuts somebody else out by guessing.
const (
	freeTries = 5
	firstWait = time.Minute
	mostWait  = time.Hour
	// nameTries is how often in an hour the secret of one name may be wrong from all
	// addresses together, but for those that it has come in from: the names can be guessed
	// from many places no faster than that.
	nameTries = 100
	nameSpan  = time.Hour
	// triesKept is of how many names and addresses wrong secrets are counted; beyond it all
	// others count as one.
	triesKept = 1000
)

// tries counts wrong secrets by the name that was given and where it came from.
type tries struct {
	mu    sync.Mutex
	wrong map[origin]wrong
	names map[string]wrong // from all addresses, until their hour is over
	known map[origin]bool  // that somebody has come in from
}

type origin struct{ name, address string }

type wrong struct {
	n     int
	until time.Time // no further try before; of a name the end of its hour
}

// begin reports whether a secret may be looked at now. A try counts as wrong until good
// takes it back, so that many at a time are no way round.
func (t *tries) begin(name, address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wrong == nil {
		t.wrong, t.names, t.known = map[origin]wrong{}, map[string]wrong{}, map[origin]bool{}
	}
	o := origin{name, address}
	stranger := !t.known[o]
	o = room(t.wrong, o, func(w wrong) bool { return now.After(w.until.Add(mostWait)) })
	name = room(t.names, name, func(w wrong) bool { return now.After(w.until) })
	w, all := t.wrong[o], t.names[name]
	if now.After(all.until) {
		all = wrong{until: now.Add(nameSpan)}
	}
	if now.Before(w.until) || stranger && all.n >= nameTries {
		return false
	}
	w.n++
	w.until = now
	if w.n >= freeTries {
		w.until = now.Add(min(firstWait<<min(w.n-freeTries, 10), mostWait))
	}
	t.wrong[o] = w
	if stranger {
		all.n++
		t.names[name] = all
	}
	return true
}

// room is a key to count under: the one given, or the zero one if there are too many that
// are not over.
func room[K comparable](counted map[K]wrong, key K, over func(wrong) bool) K {
	if _, known := counted[key]; known || len(counted) < triesKept {
		return key
	}
	for k, w := range counted {
		if over(w) {
			delete(counted, k)
		}
	}
	if len(counted) >= triesKept {
		var others K
		return others
	}
	return key
}

func (t *tries) good(name, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o := origin{name, address}
	delete(t.wrong, o)
	if all := t.names[name]; !t.known[o] && all.n > 0 {
		all.n--
		t.names[name] = all
	}
	if len(t.known) >= triesKept {
		clear(t.known)
	}
	t.known[o] = true
}

// origin is where a request comes from: of a network of IPv6 that one person may have
// as a whole only that. Behind a proxy it is what the nearest one has seen, which nobody
// before it can make up.
func (d *door) origin(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if seen := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ","); d.front != nil {
		if last := strings.TrimSpace(seen[len(seen)-1]); last != "" {
			host = last
		}
	}
	at, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	if at = at.Unmap().WithZone(""); at.Is6() {
		return netip.PrefixFrom(at, 64).Masked().String()
	}
	return at.String()
}

// login takes the name and the secret of a named user. Who is not known hears the same
// as who is wrong.
func (c *Console) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if err := r.ParseForm(); err != nil || c.door.named == nil {
		c.plain(w, r, http.StatusForbidden)
		return
	}
	id := r.PostForm.Get("user")
	address := c.door.origin(r)
	u, known := c.door.named[id]
	who := "" // what was given as a name may be a secret
	if known {
		who = c.person(u)
	}
	if !c.tries.begin(id, address, c.now()) {
		c.denied(r.Context(), who, "login")
		c.plainly(w, r, http.StatusTooManyRequests, "fail.429")
		return
	}
	want, got := sha256.Sum256([]byte(u.Secret)), sha256.Sum256([]byte(r.PostForm.Get("secret")))
	if same := subtle.ConstantTimeCompare(want[:], got[:]) == 1; !same || !known || u.Secret == "" {
		c.denied(r.Context(), who, "login")
		c.log.Warn("browser kept out: name and secret do not fit", "platform", platform)
		c.plainly(w, r, http.StatusUnauthorized, "fail.login")
		return
	}
	c.tries.good(id, address)
	c.welcome(w, r, u)
}

// invited asks who has a link whether they want to come in, as whom: programs that look
// at links in chats press no buttons, and nobody becomes somebody else by a link.
func (c *Console) invited(w http.ResponseWriter, r *http.Request) {
	code := r.URL.Query().Get("code")
	u, ok := c.door.holder(code)
	if !ok {
		if _, err := c.session(r); err == nil {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		c.denied(r.Context(), "", "link")
		c.plain(w, r, http.StatusUnauthorized)
		return
	}
	lang := langOf(r)
	c.write(w, r, lang, http.StatusOK, "door", "door", map[string]any{
		"Short": fmt.Sprintf(word(lang, "in.as"), u.Name), "Long": word(lang, "role."+string(u.May)), "Code": code,
	})
}

// comeIn takes the press of invited.
func (c *Console) comeIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if err := r.ParseForm(); err != nil || c.door.named == nil {
		c.plain(w, r, http.StatusForbidden)
		return
	}
	u, ok := c.door.redeem(r.PostForm.Get("code"))
	if !ok {
		c.denied(r.Context(), "", "link")
		c.plain(w, r, http.StatusUnauthorized)
		return
	}
	c.welcome(w, r, u)
}

// welcome lets somebody in, after it is noted that they were.
func (c *Console) welcome(w http.ResponseWriter, r *http.Request, u User) {
	if c.cfg.Entered != nil {
		if err := c.cfg.Entered(r.Context(), c.person(u)); err != nil {
			c.log.Error("browser kept out: the login could not be noted", "err", err)
			c.plain(w, r, http.StatusInternalServerError)
			return
		}
	}
	c.admit(w, c.door.begin(u.ID))
	c.log.Info("browser let in", "platform", platform)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// leave takes somebody out who came in by name.
func (c *Console) leave(w http.ResponseWriter, r *http.Request, v visit) {
	if c.door.named == nil {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	c.door.leave(v.session)
	c.admit(w, session{ends: time.Unix(1, 0)})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// denied tells of a try that somebody's role does not allow, or that brought the wrong
// secret. Each counts; who is told sees to it that they are not too many.
func (c *Console) denied(ctx context.Context, person, try string) {
	if c.cfg.Refused == nil {
		return
	}
	err := c.cfg.Refused(ctx, bot.Refusal{
		Key: "web/" + try + "/" + newToken(), Who: person, Try: try, About: "console",
		Place: bot.Place{Platform: platform, Workspace: c.home.Workspace},
	})
	if err != nil {
		c.log.Error("what was refused could not be noted", "person", person, "try", try, "err", err)
	}
}
