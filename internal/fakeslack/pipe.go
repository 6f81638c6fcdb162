package fakeslack

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
)

// A pipe is the network under a socket, which can go dead in one place and look well
// in the other.
type pipe struct {
	net.Conn
	c    *conn
	s    *Server
	once sync.Once
}

// Read takes what comes, and of a frozen socket throws it away.
func (p *pipe) Read(b []byte) (int, error) {
	for {
		n, err := p.Conn.Read(b)
		if err != nil || !p.c.frozen.Load() {
			return n, err
		}
	}
}

// Write sends, and of a frozen socket nothing, though it says so.
func (p *pipe) Write(b []byte) (int, error) {
	if p.c.frozen.Load() {
		return len(b), nil
	}
	return p.Conn.Write(b)
}

// Close leaves the connection open until the other end closes it, if connections are
// to linger and nobody cut it off.
func (p *pipe) Close() error {
	if !p.s.opts.Linger || p.c.cutOff.Load() {
		return p.Conn.Close()
	}
	p.once.Do(func() {
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		p.s.lingering = append(p.s.lingering, p.Conn)
		p.s.waiting.Go(func() {
			_, _ = io.Copy(io.Discard, p.Conn) // until the other end closes
			_ = p.Conn.Close()
		})
	})
	return nil
}

// A piped ResponseWriter hands out its connection as a pipe.
type piped struct {
	http.ResponseWriter
	c *conn
	s *Server
}

func (w piped) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	raw, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	p := &pipe{Conn: raw, c: w.c, s: w.s}
	w.c.pipe = p
	return p, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(p)), nil
}

// cut ends the connection at once, whatever is under way on it.
func (c *conn) cut() {
	c.cutOff.Store(true)
	if c.pipe != nil {
		_ = c.pipe.Conn.Close()
	}
}

// ResetSockets resets all connections in the middle of a frame.
func (s *Server) ResetSockets() {
	s.each(func(c *conn) {
		s.leave(c)
		// The head of a text frame of 126 bytes and more, whose length never comes.
		_, _ = c.pipe.Conn.Write([]byte{0x81, 126})
		if tcp, ok := c.pipe.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		c.cut()
	})
}
