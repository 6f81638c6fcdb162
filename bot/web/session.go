package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// A session is somebody who was let in.
type session struct {
	id    string
	user  string
	ends  time.Time
	began time.Time // of a named user, who has to come in anew some day; else zero
}

// How long a session is good without being used, and of named users how long in all:
// their pages are open where others may reach them.
const (
	sessionLife = 30 * 24 * time.Hour
	namedLife   = 12 * time.Hour
	namedWhole  = 7 * 24 * time.Hour
)

// begin returns a new session of a user.
func (d *door) begin(user string) session {
	now := d.now()
	s := session{id: newToken(), user: user, ends: now.Add(sessionLife)}
	if d.named != nil {
		s.began, s.ends = now, now.Add(namedLife)
	}
	return s
}

// prolong returns the session with a later end once half its life is over, and false if
// it stays as it is.
func (d *door) prolong(s session) (session, bool) {
	now, life := d.now(), sessionLife
	if d.named != nil {
		life = namedLife
	}
	if s.ends.Sub(now) >= life/2 {
		return s, false
	}
	ends := now.Add(life)
	if last := s.began.Add(namedWhole); d.named != nil && ends.After(last) {
		ends = last
	}
	if !ends.After(s.ends) {
		return s, false
	}
	s.ends = ends
	return s, true
}

// seal and open write and read a session as a cookie's value. One of a named user is
// signed together with their secret, so that a new secret ends it; and no session of a
// page without names is one of a page with them.
func (d *door) seal(s session) string {
	body := s.id + "." + s.user + "." + strconv.FormatInt(s.ends.Unix(), 10)
	if d.named == nil {
		return body + "." + d.sign("session", body)
	}
	body += "." + strconv.FormatInt(s.began.Unix(), 10)
	return body + "." + d.sign("named session", body+"\x00"+d.named[s.user].Secret)
}

var errNoSession = errors.New("no session")

func (d *door) open(value string) (session, error) {
	i := strings.LastIndexByte(value, '.')
	if i < 0 {
		return session{}, errNoSession
	}
	body, mac := value[:i], value[i+1:]
	f := strings.Split(body, ".")
	what, signed, fields := "session", body, 3
	if d.named != nil {
		what, fields = "named session", 4
		if len(f) == fields {
			signed += "\x00" + d.named[f[1]].Secret
		}
	}
	if len(f) != fields || !d.signed(what, signed, mac) {
		return session{}, errNoSession
	}
	s := session{id: f[0], user: f[1]}
	for i, at := range []*time.Time{&s.ends, &s.began}[:fields-2] {
		sec, err := strconv.ParseInt(f[2+i], 10, 64)
		if err != nil {
			return session{}, errNoSession
		}
		*at = time.Unix(sec, 0)
	}
	if d.over(s) {
		return session{}, errNoSession
	}
	return s, nil
}

// over reports whether a session is good no more: its time is up, or somebody has gone
// out, or is not named any more.
func (d *door) over(s session) bool {
	now := d.now()
	if !now.Before(s.ends) {
		return true
	}
	if d.named == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.named[s.user]
	_, gone := d.gone[s.id]
	return !known || gone || !now.Before(s.began.Add(namedWhole))
}

// leave ends a session before its time. After a restart one that was taken along from
// the browser is good again until its end; a new secret ends it for good.
func (d *door) leave(s session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for id, ends := range d.gone {
		if !now.Before(ends) {
			delete(d.gone, id)
		}
	}
	d.gone[s.id] = s.began.Add(namedWhole)
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
