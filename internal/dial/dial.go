// Package dial reaches addresses that somebody else has named: a file of a message, an
// address to answer a press at, a link in a text. Whoever names one must not make us
// look into the network that we stand in (SSRF). So each request, and each redirect
// again, is held against the scheme, the host and the port that are allowed, and each
// connection against the address that was really resolved, at the moment before it is
// made: a name that was public when somebody looked may be private now.
//
// Addresses that the operator has written into the configuration, such as the base URL of
// a model or the Web API of Slack, are the operator's own word and are reached by plain
// clients. So is what such an API itself answers with over that connection, such as the
// address of its socket. What an outside address may be is in address.go.
//
// What a newcomer would break: the environment has no say. Neither a proxy nor an
// exception for loopback is taken from it; both are options for named hosts.
package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrRefused is of an address that may not be reached. Its text says why, for operators.
var ErrRefused = errors.New("the address is refused")

// Config says what may be reached, and how.
type Config struct {
	// Hosts may be reached: a name, or with a dot before it all names below it. None: all
	// that are public.
	Hosts []string
	// Configured are addresses from the operator's configuration. Their scheme, host and
	// port may be reached wherever they lead, also in the clear and on loopback; the
	// ports and names beside them may not.
	Configured []string
	// Plain allows http beside https.
	Plain bool
	// Redirects are followed at most so often; 0: 5, less: never.
	Redirects int
	// Timeout is of a request with all its redirects and the body; 0: one minute.
	Timeout time.Duration
	// Most is how many bytes of a body are given out, unpacked; 0: 32 MB.
	Most int64
	// Proxy is where all but the Configured addresses is asked for; nil: nowhere. It
	// resolves names itself, beyond our sight, so it is for Hosts alone: without any,
	// nothing is reached.
	Proxy *url.URL
	// Resolver looks names up; nil: as the machine does.
	Resolver *net.Resolver
}

// Bounds that are used where a Config has none, and of what it does not say.
const (
	redirects    = 5
	timeout      = time.Minute
	most         = 32 << 20
	connectTime  = 10 * time.Second
	firstByte    = 30 * time.Second
	headerBytes  = 64 << 10
	idleConnTime = 90 * time.Second
)

// New returns a client that reaches what a Config allows and nothing else. Its errors
// hold the address that was asked for, as those of net/http do.
func New(cfg Config) *http.Client {
	g := newGate(cfg)
	return &http.Client{Transport: g, CheckRedirect: g.redirect, Timeout: g.timeout}
}

// A gate is a transport that looks at each request before it lets it through.
type gate struct {
	Config
	timeout    time.Duration
	redirects  int
	most       int64
	configured []string // origins
	ports      []string
	next       *http.Transport
	verdict    func(ip string) error // of an address that was resolved
}

func newGate(cfg Config) *gate {
	g := &gate{Config: cfg, timeout: or(cfg.Timeout, timeout), redirects: or(cfg.Redirects, redirects), most: or(cfg.Most, most), ports: []string{"443"}}
	if cfg.Plain {
		g.ports = append(g.ports, "80")
	}
	for _, c := range cfg.Configured {
		if u, err := url.Parse(c); err == nil && u.Host != "" {
			g.configured = append(g.configured, originOf(u))
		}
	}
	g.verdict = outside
	g.next = &http.Transport{
		Proxy: g.proxy, DialContext: g.dial, TLSHandshakeTimeout: connectTime, ForceAttemptHTTP2: true,
		ResponseHeaderTimeout: firstByte, MaxResponseHeaderBytes: headerBytes, IdleConnTimeout: idleConnTime,
		DisableCompression: true, // what is packed is unpacked by body, which counts
	}
	return g
}

func or[T int | int64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // nothing of it was sent
		}
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Encoding", "identity")
	resp, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return g.body(resp)
}

// redirect is asked before a redirect is followed. What was sent to one host is not
// sent on to another: no body, and of the headers only those that ask for a form of
// the answer. A redirect back is one from elsewhere as well.
func (g *gate) redirect(next *http.Request, via []*http.Request) error {
	switch first := via[0]; {
	case len(via) > g.redirects:
		return fmt.Errorf("%w: more than %d redirects", ErrRefused, max(g.redirects, 0))
	case first.Method != http.MethodGet && first.Method != http.MethodHead:
		return fmt.Errorf("%w: what was sent to %s would go on to %s", ErrRefused, first.URL.Host, next.URL.Host)
	}
	if err := g.check(next.URL); err != nil {
		return err
	}
	home := originOf(via[0].URL)
	if originOf(next.URL) == home && !slices.ContainsFunc(via, func(r *http.Request) bool { return originOf(r.URL) != home }) {
		return nil
	}
	for name := range next.Header {
		if !slices.Contains([]string{"Accept", "Accept-Language", "User-Agent"}, name) {
			next.Header.Del(name)
		}
	}
	return nil
}

// check looks at an address as it is written.
func (g *gate) check(u *url.URL) error {
	host := strings.ToLower(u.Hostname())
	no := func(why string) error { return fmt.Errorf("%w: %s", ErrRefused, why) }
	switch {
	case u.Scheme != "https" && u.Scheme != "http" || host == "":
		return no("it is none of the web")
	case u.User != nil:
		return no("it names a user")
	case slices.Contains(g.configured, originOf(u)):
		return nil
	case u.Scheme == "http" && !g.Plain:
		return no("it is in the clear")
	case !slices.Contains(g.ports, portOf(u)):
		return no("port " + portOf(u) + " is not one of the web")
	case len(g.Hosts) > 0 && !slices.ContainsFunc(g.Hosts, func(h string) bool { return matches(h, host) }):
		return no("its host is not one of those that are known")
	case g.Proxy != nil && len(g.Hosts) == 0:
		return no("through a proxy only known hosts are asked for")
	}
	if why := hidden(host); why != "" {
		return no(why)
	}
	return nil
}

// matches reports whether a host is the one that is allowed, or stands below it.
func matches(allowed, host string) bool {
	if below, ok := strings.CutPrefix(allowed, "."); ok {
		return strings.HasSuffix(host, "."+below)
	}
	return host == allowed
}

func (g *gate) proxy(r *http.Request) (*url.URL, error) {
	if slices.Contains(g.configured, originOf(r.URL)) {
		return nil, nil
	}
	return g.Proxy, nil
}

// dial connects. Only what was resolved in this very call is connected to, one address
// after the other, and each is looked at before.
func (g *gate) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: connectTime, Resolver: g.Resolver}
	if !g.own(addr) {
		d.ControlContext = func(_ context.Context, _, resolved string, _ syscall.RawConn) error {
			ip, _, err := net.SplitHostPort(resolved)
			if err != nil {
				return fmt.Errorf("%w: %s", ErrRefused, resolved)
			}
			if err := g.verdict(ip); err != nil {
				return fmt.Errorf("%w: %s leads to %s, %w", ErrRefused, addr, ip, err)
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, addr)
}

// own reports whether host and port are of the operator's word.
func (g *gate) own(addr string) bool {
	if g.Proxy != nil && addr == addrOf(g.Proxy) {
		return true
	}
	return slices.ContainsFunc(g.configured, func(origin string) bool {
		_, at, _ := strings.Cut(origin, "://")
		return at == strings.ToLower(addr)
	})
}

// originOf is scheme, host and port, the port always written.
func originOf(u *url.URL) string { return u.Scheme + "://" + addrOf(u) }

func addrOf(u *url.URL) string {
	return net.JoinHostPort(strings.ToLower(u.Hostname()), portOf(u))
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	case strings.HasPrefix(u.Scheme, "socks5"):
		return "1080"
	default:
		return "80"
	}
}
