package web

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/bot"
)

// maxText is how many characters a message may have: as many as Slack's.
const maxText = 40_000

const botName = "Hermes"

// A nonce names one sending of a form: its time in base 36 and something random.
// A form that is sent again brings the same one, and so the same Key.
var nonceAt = regexp.MustCompile(`^([0-9a-z]{8})-[0-9A-Za-z_-]{8,64}$`)

// newNonce is for a form that is sent without our script.
func newNonce(now time.Time) string {
	return base36(now.UnixMilli()) + "-" + newToken()[:22]
}

func base36(n int64) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	b := [8]byte{}
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = digits[n%36]
		n /= 36
	}
	return string(b[:])
}

// messageID returns the id of a message: it sorts by time, and depends on nothing
// but who sends what form where.
func messageID(nonce, person, channel string) (string, bool) {
	m := nonceAt.FindStringSubmatch(nonce)
	if m == nil {
		return "", false
	}
	sum := sha256.Sum256([]byte(nonce + "\x00" + person + "\x00" + channel))
	return m[1] + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5])), true
}

// mention is the call of the bot's name, with what stands between it and the words.
var mention = regexp.MustCompile(`(?i)(^|[^0-9A-Za-z_@.])[@＠]hermes\b[ \t]*[,，:：]?[ \t]*`)

// called returns a text without the call of the bot's name, and whether it was
// called.
func called(text string) (string, bool) {
	if !mention.MatchString(text) {
		return text, false
	}
	return strings.TrimSpace(mention.ReplaceAllString(text, "$1")), true
}

// say takes a message of a person.
func (c *Console) say(to bot.Receiver) func(http.ResponseWriter, *http.Request, visit) {
	return func(w http.ResponseWriter, r *http.Request, v visit) {
		room, ok := c.home.room(r.PostForm.Get("c"))
		if !ok || !v.user.sees(room) {
			c.fail(w, r, v, http.StatusNotFound)
			return
		}
		text := strings.TrimSpace(strings.ReplaceAll(r.PostForm.Get("text"), "\r\n", "\n"))
		id, ok := messageID(r.PostForm.Get("nonce"), v.person, room.ID)
		switch n := utf8.RuneCountInString(text); {
		case text == "" && !brings(r) || !ok || !utf8.ValidString(text):
			c.refuse(w, r, v, room, http.StatusUnprocessableEntity, "say.empty")
			return
		case n > maxText:
			c.refuse(w, r, v, room, http.StatusRequestEntityTooLarge, "say.long")
			return
		}
		m := bot.Message{
			Key:    messageKey(c.place(room, ""), id),
			Place:  c.place(room, ""),
			From:   v.person,
			Name:   v.user.Name,
			Direct: room.owner != "",
			At:     c.now(),
			Zone:   v.zoneName,
		}
		if m.Text, m.Addressed = called(text); m.Addressed {
			m.Said = text
		}
		thread := r.PostForm.Get("t")
		switch {
		case thread != "":
			root, err := c.root(r.Context(), v, room, thread)
			if err != nil {
				c.broken(w, r, v, err)
				return
			}
			m.Place.Thread = root.thread()
			if m.InThread, err = c.spokenIn(r.Context(), v, root); err != nil {
				c.broken(w, r, v, err)
				return
			}
		case m.Addressed && !m.Direct:
			m.Place.Thread = id
			thread = id
		}
		files, err := c.uploaded(r, m.Key)
		switch {
		case errors.Is(err, errTooLarge):
			c.refuse(w, r, v, room, http.StatusRequestEntityTooLarge, "say.files")
			return
		case err != nil:
			c.log.Error("upload not stored", "message", m.Key, "err", err)
			c.refuse(w, r, v, room, http.StatusServiceUnavailable, "say.failed")
			return
		}
		m.Files = files
		m.Link = linkOf(m.Place, id)
		m.Raw, _ = json.Marshal(map[string]string{"text": text, "nonce": r.PostForm.Get("nonce")})
		if err := to.Receive(r.Context(), m); err != nil {
			c.log.Error("message not stored", "message", m.Key, "err", err)
			c.refuse(w, r, v, room, http.StatusServiceUnavailable, "say.failed")
			return
		}
		c.hub.tell(event{Channel: room.ID, Thread: m.Place.Thread})
		page := pathOf(room.ID, thread)
		if scripted(r) {
			writeJSON(w, http.StatusOK, map[string]string{"id": id, "page": page})
			return
		}
		http.Redirect(w, r, page, http.StatusSeeOther) //nolint:gosec // a path made of the id of a room that is there
	}
}

// refuse says why a message was not taken, and keeps its text in the composer.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, v visit, room Room, code int, word string) {
	if scripted(r) {
		writeJSON(w, code, map[string]string{"error": v.T(word)})
		return
	}
	v.draft, v.problem = r.PostForm.Get("text"), v.T(word)
	c.showChannel(w, r, v, room, r.PostForm.Get("t"), code)
}

// press takes a press on a button: of a card, or of the list of approvals, where
// there is no line and the question itself must be open for the viewer.
func (c *Console) press(to bot.Receiver) func(http.ResponseWriter, *http.Request, visit) {
	return func(w http.ResponseWriter, r *http.Request, v visit) {
		f := r.PostForm
		room, ok := c.home.room(f.Get("c"))
		nonce := f.Get("nonce")
		if !nonceAt.MatchString(nonce) || f.Get("choice") == "" || ok && !v.user.sees(room) {
			c.fail(w, r, v, http.StatusNotFound)
			return
		}
		click := bot.Click{From: v.person, Name: v.user.Name, Question: f.Get("question"), Choice: f.Get("choice"), At: c.now()}
		back, message := "/approvals", ""
		if line := f.Get("line"); ok && line != "" {
			l, err := c.line(r.Context(), v, room, f.Get("t"), line)
			if err == nil && l.Question != "" && l.Question != click.Question {
				err = errNoLine
			}
			if err != nil {
				c.broken(w, r, v, err)
				return
			}
			click.Place, message = l.Place, l.Key
			back = linkOf(l.Place, l.id())
		} else {
			qs, err := c.desk.Questions(r.Context(), v.person)
			i := slices.IndexFunc(qs, func(q bot.OpenQuestion) bool { return q.ID == click.Question })
			if err != nil || i < 0 {
				c.gone(w, r, v, click.Question, click.Choice, nonce, err)
				return
			}
			click.Place, message = qs[i].Home, "question/"+click.Question
		}
		click.Key = strings.Join([]string{message, url.PathEscape(click.Choice), v.user.ID, nonce}, "/")
		if key, ok := strings.CutPrefix(click.Choice, "stop:"); ok {
			click.Stop, click.Question, click.Choice = key, "", ""
		} else if key, ok := strings.CutPrefix(click.Choice, "continue:"); ok {
			click.Continue, click.Question, click.Choice = key, "", ""
		} else if key, ok := strings.CutPrefix(click.Choice, "abandon:"); ok {
			click.Abandon, click.Question, click.Choice = key, "", ""
		} else if key, ok := strings.CutPrefix(click.Choice, "save:"); ok {
			click.Save, click.Question, click.Choice = key, "", ""
		} else if key, ok := strings.CutPrefix(click.Choice, "repeat:"); ok {
			click.Repeat, click.Question, click.Choice = key, "", ""
		}
		if err := to.Click(r.Context(), click); err != nil {
			c.log.Error("press not stored", "press", click.Key, "err", err)
			c.fail(w, r, v, http.StatusServiceUnavailable)
			return
		}
		c.hub.tell(event{Channel: click.Place.Channel, Thread: click.Place.Thread, only: v.person})
		if scripted(r) {
			writeJSON(w, http.StatusOK, map[string]string{"said": v.T("press.sent")})
			return
		}
		http.Redirect(w, r, back, http.StatusSeeOther) //nolint:gosec // a path of a line that is there
	}
}

// spokenIn reports whether the bot has said something in the thread of root.
func (c *Console) spokenIn(ctx context.Context, v visit, root line) (bool, error) {
	if root.From == "" {
		return true, nil
	}
	lines, err := c.spoken(ctx, root.in(), v, mostLines)
	return slices.ContainsFunc(lines, func(l bot.Line) bool { return l.From == "" }), err
}

// scripted reports whether our script asks, which reads JSON, and not a form.
func scripted(r *http.Request) bool { return r.Header.Get("Accept") == "application/json" }

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

// broken answers a request that failed: a line that is not there for this viewer
// is a page that is not there.
func (c *Console) broken(w http.ResponseWriter, r *http.Request, v visit, err error) {
	if errors.Is(err, errNoLine) {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	if r.Context().Err() == nil {
		c.log.Error("page failed", "path", r.URL.Path, "err", err)
	}
	c.fail(w, r, v, http.StatusInternalServerError)
}
