package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An event is the news that there is something to read in a place. It carries no
// words: who hears it fetches what they may see.
type event struct {
	seq     int64
	Channel string
	Thread  string
	only    string // the one Person who hears it
}

// eventsKept is how far back a browser can catch up without reading its whole page
// again: minutes of a busy bot.
const eventsKept = 512

// beat is how often a silent stream says that it is alive.
const beat = 20 * time.Second

// A hub tells events to all browsers. An id of an event is "boot.seq": after a
// restart the boot is another, and a browser reads its whole page again.
type hub struct {
	boot string

	mu   sync.Mutex
	seq  int64
	kept []event
	news chan struct{} // closed and replaced by each event
}

func newHub() *hub {
	return &hub{boot: newToken()[:8], news: make(chan struct{})}
}

func (h *hub) tell(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	e.seq = h.seq
	h.kept = append(h.kept, e)
	if n := len(h.kept) - eventsKept; n > 0 {
		h.kept = append([]event(nil), h.kept[n:]...)
	}
	close(h.news)
	h.news = make(chan struct{})
}

// since returns the events after seq, the last seq, and what is closed by the next
// one. It reports false if it does not go back that far.
func (h *hub) since(seq int64) (_ []event, last int64, news <-chan struct{}, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.seq - seq
	if n < 0 || n > int64(len(h.kept)) {
		return nil, h.seq, h.news, false
	}
	return append([]event(nil), h.kept[len(h.kept)-int(n):]...), h.seq, h.news, true
}

func (h *hub) id(seq int64) string { return h.boot + "." + strconv.FormatInt(seq, 10) }

// mark returns the id of the last event: a page that is made now has all up to it.
func (h *hub) mark() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.id(h.seq)
}

// read returns the seq of an id, and false if it is of another boot.
func (h *hub) read(id string) (int64, bool) {
	boot, n, ok := strings.Cut(id, ".")
	seq, err := strconv.ParseInt(n, 10, 64)
	return seq, ok && err == nil && boot == h.boot
}

// events is the stream of a browser. After "reset" it must read again all that it
// shows; after "line" a place.
func (c *Console) events(w http.ResponseWriter, r *http.Request, v visit) {
	id := r.Header.Get("Last-Event-ID")
	if id == "" {
		id = r.URL.Query().Get("since")
	}
	seq, ok := c.hub.read(id)
	if !ok {
		seq = -1
	}
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	// The server's limit for reading a request would end the stream.
	if err := rc.SetReadDeadline(time.Time{}); err != nil {
		c.log.Warn("event stream has a read deadline", "err", err)
	}
	fmt.Fprint(w, "retry: 1000\n\n")
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		missed, last, news, ok := c.hub.since(seq)
		if !ok {
			fmt.Fprintf(w, "id: %s\nevent: reset\ndata: {}\n\n", c.hub.id(last))
		}
		for _, e := range missed {
			if !c.hears(v, e) {
				continue
			}
			fmt.Fprintf(w, "id: %s\nevent: line\ndata: {\"c\":%q,\"t\":%q}\n\n",
				c.hub.id(e.seq), e.Channel, threadSlug(e.Thread))
		}
		seq = last
		if rc.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-news:
			if c.door.over(v.session) {
				return
			}
		case <-tick.C:
			if c.door.over(v.session) {
				return
			}
			fmt.Fprint(w, ": still here\n\n")
		}
	}
}

func (c *Console) hears(v visit, e event) bool {
	room, ok := c.home.room(e.Channel)
	return ok && v.user.sees(room) && (e.only == "" || e.only == v.person)
}
