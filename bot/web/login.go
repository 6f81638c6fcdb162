package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"hermes/bot"
)

// How often a secret may be wrong before who tries has to wait, and how long: a minute,
// and twice as long each time after.
const (
	freeTries = 5
	firstWait = time.Minute
	mostWait  = time.Hour
	// triesKept is of how many names wrong secrets are counted; beyond it all names count
	// as one.
	triesKept = 1000
)

// tries counts wrong secrets by the name that was given.
type tries struct {
	mu    sync.Mutex
	wrong map[string]wrong
}

type wrong struct {
	n     int
	until time.Time // no further try before
}

// begin reports whether a secret may be looked at now. A try counts as wrong until good
// takes it back, so that many at a time are no way round.
func (t *tries) begin(name string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wrong == nil {
		t.wrong = map[string]wrong{}
	}
	if _, known := t.wrong[name]; !known && len(t.wrong) >= triesKept {
		for n, w := range t.wrong {
			if now.After(w.until.Add(mostWait)) {
				delete(t.wrong, n)
			}
		}
		if len(t.wrong) >= triesKept {
			name = ""
		}
	}
	w := t.wrong[name]
	if now.Before(w.until) {
		return false
	}
	w.n++
	w.until = now
	if w.n >= freeTries {
		w.until = now.Add(min(firstWait<<min(w.n-freeTries, 10), mostWait))
	}
	t.wrong[name] = w
	return true
}

func (t *tries) good(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.wrong, name)
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
	if !c.tries.begin(id, c.now()) {
		c.plainly(w, r, http.StatusTooManyRequests, "fail.429")
		return
	}
	u, known := c.door.named[id]
	want, got := sha256.Sum256([]byte(u.Secret)), sha256.Sum256([]byte(r.PostForm.Get("secret")))
	if same := subtle.ConstantTimeCompare(want[:], got[:]) == 1; !same || !known || u.Secret == "" {
		if known {
			c.denied(r.Context(), c.person(u), "login", "")
		}
		c.log.Warn("browser kept out: name and secret do not fit", "platform", platform)
		c.plainly(w, r, http.StatusUnauthorized, "fail.login")
		return
	}
	c.tries.good(id)
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
// secret; once in a minute for the same one.
func (c *Console) denied(ctx context.Context, person, try, session string) {
	if c.cfg.Refused == nil {
		return
	}
	minute := strconv.FormatInt(c.now().Unix()/60, 10)
	err := c.cfg.Refused(ctx, bot.Refusal{
		Key: "web/" + person + "/" + session + "/" + try + "/" + minute, Who: person, Try: try, About: "console",
		Place: bot.Place{Platform: platform, Workspace: c.home.Workspace},
	})
	if err != nil {
		c.log.Error("what was refused could not be noted", "person", person, "try", try, "err", err)
	}
}
