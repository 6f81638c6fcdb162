package fakeslack

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// frameLimit is the longest frame that Slack takes, mostConns the most
// connections of one app, pingEvery how often Slack pings, notice how long before
// it closes a socket it says so, and ticketLife how long the address of one is good.
const (
	frameLimit = 20480
	mostConns  = 10
	pingEvery  = 10 * time.Second
	notice     = 10 * time.Second
	ticketLife = 30 * time.Second
	shortLife  = 350 * time.Second // of one that was opened with debug_reconnects
)

// A conn is one open socket.
type conn struct {
	ws     *websocket.Conn
	queue  chan []byte
	short  bool // closed after six minutes
	leave  func()
	frozen atomic.Bool
	cutOff atomic.Bool
	pipe   *pipe
}

// pings pings as Slack does, by the wall's clock as the network itself, and takes no
// interest in the answer.
func (c *conn) pings(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if c.frozen.Load() {
			continue
		}
		within, stop := context.WithTimeout(ctx, pingEvery)
		_ = c.ws.Ping(within)
		stop()
	}
}

// send queues a frame; nil closes the socket after what was queued before. A queue that is full belongs to somebody who does not
// read, and the frame is lost as it would be.
func (c *conn) send(b []byte) {
	select {
	case c.queue <- b:
	default:
	}
}

func (s *Server) openConnection(args) (reply, *refusal) {
	t := s.id("ticket")
	s.tickets[t] = s.clock.Now()
	s.opens = append(s.opens, s.clock.Now())
	return reply{"url": "ws://" + s.addr + "/link/?" + url.Values{"ticket": {t}, "app_id": {App}}.Encode()}, nil
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ticket := r.URL.Query().Get("ticket")
	at, ok := s.tickets[ticket]
	ok = ok && s.clock.Now().Sub(at) < ticketLife
	delete(s.tickets, ticket)
	conflict := s.conflicts > 0
	if conflict {
		s.conflicts--
	}
	s.mu.Unlock()
	switch {
	case conflict:
		http.Error(w, "conflict", http.StatusConflict)
		return
	case !ok:
		http.Error(w, "ticket is used or unknown", http.StatusForbidden)
		return
	}
	c := &conn{queue: make(chan []byte, 65536), short: r.URL.Query().Get("debug_reconnects") == "true"}
	ws, err := websocket.Accept(piped{w, c, s}, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // clients send Slack's own address as the Origin
	})
	if err != nil {
		return
	}
	c.ws, c.leave = ws, func() { s.leave(c) }
	ws.SetReadLimit(frameLimit)
	defer ws.CloseNow()
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	if !s.join(ctx, c) {
		return
	}
	go c.write(ctx)
	go c.pings(ctx)
	c.read(ctx, s)
	s.leave(c)
}

// join greets a connection, and counts it from the greeting on.
func (s *Server) join(ctx context.Context, c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= mostConns {
		_ = c.ws.Write(ctx, websocket.MessageText, disconnect("too_many_websockets"))
		return false
	}
	debugged := reply{"host": "applink-1", "build_number": 54, "approximate_connection_time": 3600}
	if c.short {
		debugged["approximate_connection_time"] = 360
	}
	b, _ := json.Marshal(reply{
		"type": "hello", "connection_info": reply{"app_id": App}, "num_connections": len(s.conns) + 1,
		"debug_info": debugged,
	})
	c.send(b)
	if s.storm > 0 {
		s.storm--
		c.send(disconnect("refresh_requested"))
		c.send(nil)
	}
	if c.short {
		s.clock.AfterFunc(shortLife, func() { c.refresh(s.clock) })
	}
	s.conns = append(s.conns, c)
	s.maxConns = max(s.maxConns, len(s.conns))
	s.touch()
	return true
}

func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = slices.DeleteFunc(s.conns, func(o *conn) bool { return o == c })
	s.lost(c)
	s.touch()
}

func (c *conn) write(ctx context.Context) {
	for {
		select {
		case b := <-c.queue:
			if b == nil {
				c.leave()
				_ = c.ws.Close(websocket.StatusGoingAway, "")
				return
			}
			if c.ws.Write(ctx, websocket.MessageText, b) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (c *conn) read(ctx context.Context, s *Server) {
	for {
		_, b, err := c.ws.Read(ctx)
		if err != nil {
			return
		}
		var ack struct {
			ID      string          `json:"envelope_id"`
			Payload json.RawMessage `json:"payload"`
		}
		if json.Unmarshal(b, &ack) == nil && ack.ID != "" {
			s.ack(ack.ID, ack.Payload)
		}
	}
}

// Conns returns how many sockets are open, and how many were at most.
func (s *Server) Conns() (now, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns), s.maxConns
}

// Opens returns when a socket was asked for.
func (s *Server) Opens() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.opens)
}

// WaitConns returns once n sockets are open.
func (s *Server) WaitConns(ctx context.Context, n int) error {
	return s.Wait(ctx, "open sockets", func() bool { now, _ := s.Conns(); return now == n })
}

func (s *Server) each(f func(*conn)) {
	s.mu.Lock()
	conns := slices.Clone(s.conns)
	s.mu.Unlock()
	for _, c := range conns {
		f(c)
	}
}

// DropSockets closes all sockets without a word, and returns when they are gone.
func (s *Server) DropSockets() {
	s.each(func(c *conn) {
		s.leave(c)
		c.cut()
	})
}

// Freeze makes all open sockets half-open: nothing comes out of them any more, not
// even an answer to a ping or to a goodbye, and nobody is told.
func (s *Server) Freeze() { s.each(func(c *conn) { c.frozen.Store(true) }) }

// Frozen returns how many half-open sockets there are. They still count as open,
// and what is sent may go to them.
func (s *Server) Frozen() int {
	n := 0
	s.each(func(c *conn) {
		if c.frozen.Load() {
			n++
		}
	})
	return n
}

// Disconnect tells all open sockets that they will be closed: warning,
// refresh_requested, link_disabled. Closing them is left to DropOldest.
func (s *Server) Disconnect(reason string) {
	s.each(func(c *conn) { c.send(disconnect(reason)) })
}

func disconnect(reason string) []byte {
	b, _ := json.Marshal(reply{"type": "disconnect", "reason": reason, "debug_info": reply{"host": "applink-1"}})
	return b
}

// Refresh does to all open sockets what Slack does every few hours: it warns, and
// after ten seconds asks to connect anew and closes them.
func (s *Server) Refresh() {
	s.each(func(c *conn) { c.refresh(s.clock) })
}

func (c *conn) refresh(clock Clock) {
	c.send(disconnect("warning"))
	clock.AfterFunc(notice, func() {
		c.send(disconnect("refresh_requested"))
		c.send(nil)
	})
}

// Storm closes the next n sockets as soon as they were greeted.
func (s *Server) Storm(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.storm = n
}

// Conflict refuses the next n sockets with 409.
func (s *Server) Conflict(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conflicts = n
}

// DropOldest closes the socket that has been open longest.
func (s *Server) DropOldest() {
	s.mu.Lock()
	var c *conn
	if len(s.conns) > 0 {
		c = s.conns[0]
	}
	s.mu.Unlock()
	if c != nil {
		s.leave(c)
		c.cut()
	}
}

// SendRaw sends a frame as it is to one open socket.
func (s *Server) SendRaw(frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.pick(); c != nil {
		c.send(frame)
	}
}
