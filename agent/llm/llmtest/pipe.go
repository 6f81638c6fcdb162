package llmtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// Pipe returns a client all of whose connections lead to h, whatever the URL, and
// without a network: it works in a bubble of testing/synctest, where waiting costs
// nothing. It stops with the test.
func Pipe(t testing.TB, h http.Handler) *http.Client {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Hour}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.Serve(l)
	}()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = s.Close()
		<-served
	})
	return &http.Client{Transport: transport}
}

// pipes is a net.Listener whose connections are made in memory.
type pipes struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }
