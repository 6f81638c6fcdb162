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
// connections of one app.
const (
	frameLimit = 20480
	mostConns  = 10
)

// A conn is one open socket.
type conn struct {
	ws     *websocket.Conn
	queue  chan []byte
	gone   chan struct{}
	frozen atomic.Bool
}

// send queues a frame. A queue that is full belongs to somebody who does not
// read, and the frame is lost as it would be.
func (c *conn) send(b []byte) {
	select {
	case c.queue <- b:
	default:
	}
}

func (s *Server) openConnection(args) (reply, *refusal) {
	t := s.id("ticket")
	s.tickets[t] = true
	s.opens = append(s.opens, s.clock.Now())
	return reply{"url": "ws://" + s.addr + "/link/?" + url.Values{"ticket": {t}, "app_id": {App}}.Encode()}, nil
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ticket := r.URL.Query().Get("ticket")
	ok := s.tickets[ticket]
	delete(s.tickets, ticket)
	s.mu.Unlock()
	if !ok {
		http.Error(w, "ticket is used or unknown", http.StatusForbidden)
		return
	}
	c := &conn{queue: make(chan []byte, 65536), gone: make(chan struct{})}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // clients send Slack's own address as the Origin
		OnPingReceived:     func(context.Context, []byte) bool { return !c.frozen.Load() },
	})
	if err != nil {
		return
	}
	c.ws = ws
	ws.SetReadLimit(frameLimit)
	defer ws.CloseNow()
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	if !s.join(ctx, c) {
		return
	}
	go c.write(ctx)
	c.read(ctx, s)
	s.leave(c)
}

// join greets a connection, and counts it from the greeting on.
func (s *Server) join(ctx context.Context, c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= mostConns {
		b, _ := json.Marshal(reply{"type": "disconnect", "reason": "too_many_websockets", "debug_info": reply{"host": "applink-1"}})
		_ = c.ws.Write(ctx, websocket.MessageText, b)
		return false
	}
	b, _ := json.Marshal(reply{
		"type": "hello", "connection_info": reply{"app_id": App}, "num_connections": len(s.conns) + 1,
		"debug_info": reply{"host": "applink-1", "build_number": 54, "approximate_connection_time": 3600},
	})
	c.send(b)
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
			if c.frozen.Load() {
				continue
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
		if json.Unmarshal(b, &ack) == nil && ack.ID != "" && !c.frozen.Load() {
			s.acked(ack.ID, ack.Payload)
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
		_ = c.ws.CloseNow()
	})
}

// Freeze makes all open sockets half-open: nothing comes out of them any more,
// not even an answer to a ping, and nobody is told.
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
	b, _ := json.Marshal(reply{"type": "disconnect", "reason": reason, "debug_info": reply{"host": "applink-1"}})
	s.each(func(c *conn) { c.send(b) })
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
		_ = c.ws.CloseNow()
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
