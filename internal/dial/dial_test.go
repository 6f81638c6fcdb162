package dial

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Issue 5, files and web: what is not of the public Internet, in every form in which an
// address can be had.
func TestAddressesOfTheInsideAreRefused(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.100.100.200",
		"169.254.169.254", "169.254.170.2", "192.0.0.192", "168.63.129.16", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1",
		"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
		"::", "::1", "fe80::1", "fe80::1%eth0", "2606:4700::1111%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "3fff::1", "2001::1", "2001:10::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::10.0.0.1", "::ffff:0:10.0.0.1",
		"64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1", "64:ff9b:1::10.0.0.1", "2002:7f00:1::", "2002:a9fe:a9fe::", "2002:808:808::",
		"2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:10.0.0.1", "5f00::1", "100::1", "4000::1",
	} {
		if outside(in) == nil {
			t.Errorf("%s may be reached", in)
		}
	}
	for _, in := range []string{"1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1", "223.255.255.254", "2606:4700::1111", "2001:200::1", "2a00::1", "::ffff:8.8.8.8", "64:ff9b::808:808"} {
		if err := public(netip.MustParseAddr(in)); err != nil {
			t.Errorf("%s = %v", in, err)
		}
	}
	if outside("no address") == nil {
		t.Error("what is no address may be reached")
	}
}

// What an address says is looked at before anything is resolved.
func TestWrittenAddresses(t *testing.T) {
	t.Parallel()
	known := newGate(Config{Hosts: []string{"slack.com", ".slack.com"}, Configured: []string{"http://127.0.0.1:8899/api/"}})
	any := newGate(Config{Plain: true})
	for _, tt := range []struct {
		g    *gate
		url  string
		good bool
	}{
		{known, "https://files.slack.com/f", true}, {known, "https://SLACK.com:443/", true}, {known, "http://127.0.0.1:8899/files/f", true},
		{known, "http://files.slack.com/f", false}, {known, "https://files.slack.com:8443/f", false}, {known, "https://x@files.slack.com/f", false},
		{known, "https://slack.com.example.org/", false}, {known, "https://notslack.com/", false}, {known, "https://.slack.com.", false}, {known, "https://slack.com./", false},
		{known, "http://127.0.0.1:8898/", false}, {known, "http://127.0.0.1/", false}, {known, "https://127.0.0.1:8899/", false}, {known, "http://localhost:8899/", false},
		{known, "ftp://files.slack.com/f", false}, {known, "file:///etc/passwd", false}, {known, "https:slack.com", false}, {known, "", false},

		{any, "https://example.org/a", true}, {any, "http://example.org/a", true}, {any, "https://müller.example/", true}, {any, "https://1.1.1.1/", true}, {any, "https://[2606:4700::1111]/", true},
		{any, "https://my_host.example.org/", true}, {any, "https://1.example/", true},
		{any, "http://127.0.0.1/", false}, {any, "http://[::1]/", false}, {any, "http://[::ffff:7f00:1]/", false}, {any, "http://[fe80::1%25eth0]/", false}, {any, "http://169.254.169.254/latest/meta-data/", false},
		{any, "http://2130706433/", false}, {any, "http://0x7f000001/", false}, {any, "http://017700000001/", false}, {any, "http://0177.0.0.1/", false}, {any, "http://0x7f.1/", false}, {any, "http://127.1/", false},
		{any, "http://127.0.0.1./", false}, {any, "http://99999999999999999999/", false}, {any, "http://0xffffffffffffffffff/", false}, {any, "http://a.0x/", false},
		{any, "http://①②⑦.⓪.⓪.①/", false}, {any, "http://127。0。0。1/", false}, {any, "http://xn--a.example\u00ad/", false},
		{any, "http://localhost/", false}, {any, "http://LOCALHOST./", false}, {any, "http://x.localhost/", false}, {any, "http://metadata.google.internal/", false}, {any, "http://metadata/", false}, {any, "http://printer.local/", false},
		{any, "https://example.org:22/", false}, {any, "https://example.org../", false}, {any, "gopher://example.org/", false},
	} {
		u, err := url.Parse(tt.url)
		if err != nil {
			if tt.good {
				t.Errorf("%s: %v", tt.url, err)
			}
			continue
		}
		if err := tt.g.check(u); (err == nil) != tt.good || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("%s = %v, want let through %t", tt.url, err, tt.good)
		}
	}
}

// names is a resolver that gives one answer after the other to who asks for a name, the
// last one for ever.
type names struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   map[string]int
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go n.serve(theirs)
		return ours, nil
	}}
}

func (n *names) serve(c net.Conn) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		q := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, q); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(q) != nil || len(m.Questions) != 1 {
			return
		}
		m.Header = dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}
		m.Additionals = nil
		if m.Questions[0].Type == dnsmessage.TypeA {
			for _, ip := range n.next(m.Questions[0].Name.String()) {
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET},
					Body:   &dnsmessage.AResource{A: netip.MustParseAddr(ip).As4()},
				})
			}
		}
		b, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...)); err != nil {
			return
		}
	}
}

func (n *names) next(name string) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	name = strings.TrimSuffix(name, ".")
	all := n.answers[name]
	i := min(n.asked[name], len(all)-1)
	n.asked[name]++
	if i < 0 {
		return nil
	}
	return strings.Fields(all[i])
}

// A scene has a server of the outside, on 127.0.0.2, which counts as public here, and one
// of the inside on 127.0.0.1 at the same port, which nobody may reach.
type scene struct {
	t       *testing.T
	names   *names
	port    string
	outside *http.ServeMux
	reached atomic.Int32 // how often the inside was
	gate    *gate
	client  *http.Client
}

func newScene(t *testing.T, cfg Config, answers map[string][]string) *scene {
	t.Helper()
	s := &scene{t: t, names: &names{answers: answers, asked: map[string]int{}}, outside: http.NewServeMux()}
	out, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("this machine has one loopback address: %v", err)
	}
	_, s.port, _ = net.SplitHostPort(out.Addr().String())
	serve := func(l net.Listener, h http.Handler) {
		srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
		srv.Start()
		t.Cleanup(srv.Close)
	}
	serve(out, s.outside)
	in, err := net.Listen("tcp", "127.0.0.1:"+s.port)
	if err != nil {
		t.Skipf("the port is taken: %v", err)
	}
	serve(in, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.reached.Add(1)
		_, _ = io.WriteString(w, "a secret of the inside")
	}))
	cfg.Plain, cfg.Resolver = true, s.names.resolver()
	s.gate = newGate(cfg)
	s.gate.ports = append(s.gate.ports, s.port)
	s.gate.next.DisableKeepAlives = true
	s.gate.verdict = func(ip string) error {
		if ip == "127.0.0.2" {
			return nil
		}
		return outside(ip)
	}
	s.client = &http.Client{Transport: s.gate, CheckRedirect: s.gate.redirect, Timeout: s.gate.timeout}
	return s
}

func (s *scene) at(host, path string) string {
	return "http://" + net.JoinHostPort(host, s.port) + path
}

func (s *scene) get(host, path string, header ...string) (string, error) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.at(host, path), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := Read(resp, 1000)
	return string(b), err
}

// A name that was public when it was looked up first, and is private when it is connected
// to, is not reached; nor is one of whose addresses only some are public.
func TestANameThatTurnsInward(t *testing.T) {
	t.Parallel()
	s := newScene(t, Config{}, map[string][]string{
		"rebind.example": {"127.0.0.2", "127.0.0.1"},
		"both.example":   {"127.0.0.1 127.0.0.2"},
		"inward.example": {"127.0.0.1"}, "metadata.example": {"169.254.169.254"},
	})
	s.outside.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "public") })
	if got, err := s.get("rebind.example", "/"); got != "public" || err != nil {
		t.Fatalf("a public name = %q, %v", got, err)
	}
	for _, host := range []string{"rebind.example", "rebind.example", "inward.example", "metadata.example"} {
		if got, err := s.get(host, "/"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "not public") {
			t.Errorf("%s = %q, %v; want it refused", host, got, err)
		}
	}
	if got, err := s.get("both.example", "/"); err == nil && got != "public" || err != nil && !errors.Is(err, ErrRefused) {
		t.Errorf("a name of both = %q, %v", got, err)
	}
	if n := s.reached.Load(); n > 0 {
		t.Errorf("the inside was reached %d times", n)
	}
}

// Every redirect is held against the same rules, and there is an end to them.
func TestRedirectsAreLookedAtAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t, Config{}, map[string][]string{
		"a.example": {"127.0.0.2"}, "b.example": {"127.0.0.2"}, "inward.example": {"127.0.0.1"}, "rebind.example": {"127.0.0.2", "127.0.0.1"},
	})
	s.outside.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusFound)
	})
	s.outside.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/round", http.StatusFound) })
	s.outside.HandleFunc("/end", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "end") })
	if got, err := s.get("a.example", "/to?u="+url.QueryEscape(s.at("b.example", "/end"))); got != "end" || err != nil {
		t.Errorf("a redirect to a public host = %q, %v", got, err)
	}
	for _, to := range []string{
		s.at("127.0.0.1", "/"), s.at("::1", "/"), s.at("::ffff:127.0.0.1", "/"), s.at("inward.example", "/"), s.at("localhost", "/"), s.at("2130706433", "/"), s.at("0177.1", "/"),
		"file:///etc/passwd", "http://169.254.169.254/latest/", "http://user@b.example/", "http://b.example:22/",
	} {
		if got, err := s.get("a.example", "/to?u="+url.QueryEscape(to)); !errors.Is(err, ErrRefused) {
			// net/http itself follows nothing but http and https.
			if !strings.HasPrefix(to, "file:") || err == nil {
				t.Errorf("a redirect to %s = %q, %v; want it refused", to, got, err)
			}
		}
	}
	if _, err := s.get("rebind.example", "/to?u="+url.QueryEscape(s.at("rebind.example", "/end"))); !errors.Is(err, ErrRefused) {
		t.Errorf("a redirect to a name that has turned inward = %v", err)
	}
	if _, err := s.get("a.example", "/round"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("a circle = %v", err)
	}
	if n := s.reached.Load(); n > 0 {
		t.Errorf("the inside was reached %d times", n)
	}
}

// What is for one host does not go on to another: no header with a token, no cookie, no
// address we came from, and no body.
func TestNothingGoesOnToAnotherHost(t *testing.T) {
	t.Parallel()
	s := newScene(t, Config{}, map[string][]string{"a.example": {"127.0.0.2"}, "b.example": {"127.0.0.2"}, "sub.a.example": {"127.0.0.2"}})
	s.outside.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusTemporaryRedirect)
	})
	s.outside.HandleFunc("/what", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Header.Get("Authorization")+r.Header.Get("Cookie")+r.Header.Get("X-Key")+r.Header.Get("Referer")+string(b))
	})
	to := func(host, then string) string { return s.at(host, "/to?u="+url.QueryEscape(then)) }
	secrets := []string{"Authorization", "Bearer xoxb-1", "Cookie", "d=1", "X-Key", "k"}
	if got, err := s.get("a.example", "/to?u="+url.QueryEscape("/what"), secrets...); !strings.Contains(got, "xoxb-1") || err != nil {
		t.Errorf("on the same host = %q, %v; want what was sent", got, err)
	}
	for name, path := range map[string]string{
		"another host":   "/to?u=" + url.QueryEscape(s.at("b.example", "/what")),
		"one below":      "/to?u=" + url.QueryEscape(s.at("sub.a.example", "/what")),
		"there and back": "/to?u=" + url.QueryEscape(to("b.example", s.at("a.example", "/what"))),
	} {
		if got, err := s.get("a.example", path, secrets...); got != "" || err != nil {
			t.Errorf("%s is told %q, %v; want nothing", name, got, err)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to("a.example", s.at("b.example", "/what")), strings.NewReader("words"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.client.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	if !errors.Is(err, ErrRefused) {
		t.Errorf("a post that is sent on = %v; want it refused", err)
	}
}

// What the operator has configured may be on loopback, and only that: not another port,
// not the same host by redirect in another way, and no variable of the environment.
func TestOnlyWhatIsConfiguredIsExempt(t *testing.T) {
	hits := 0
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits++
		if to := r.URL.Query().Get("u"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "home")
	}))
	defer home.Close()
	beside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("what stands beside was reached") }))
	defer beside.Close()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, beside.URL)
	}
	t.Setenv("NO_PROXY", "")
	c := New(Config{Hosts: []string{"files.example"}, Configured: []string{home.URL + "/api/", "::", "no address"}})
	get := func(u string) error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := get(home.URL + "/x"); err != nil || hits != 1 {
		t.Errorf("what is configured = %v", err)
	}
	for _, u := range []string{beside.URL, strings.Replace(home.URL, "127.0.0.1", "localhost", 1), strings.Replace(home.URL, "http:", "https:", 1), home.URL + "/?u=" + url.QueryEscape(beside.URL)} {
		if err := get(u); !errors.Is(err, ErrRefused) {
			t.Errorf("%s = %v, want it refused", u, err)
		}
	}
}

// A proxy is asked for known hosts alone, since it is the one who resolves.
func TestAProxyIsForKnownHosts(t *testing.T) {
	t.Parallel()
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.String()) }))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	get := func(cfg Config, u string) error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := New(cfg).Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := get(Config{Proxy: at, Plain: true, Hosts: []string{"files.example"}}, "http://files.example/f"); err != nil || len(asked) != 1 {
		t.Errorf("through the proxy = %v, asked %q", err, asked)
	}
	for _, cfg := range []Config{{Proxy: at, Plain: true}, {Proxy: at, Plain: true, Hosts: []string{"other.example"}}} {
		if err := get(cfg, "http://files.example/f"); !errors.Is(err, ErrRefused) || len(asked) != 1 {
			t.Errorf("with %v = %v, asked %q; want it refused", cfg.Hosts, err, asked)
		}
	}
}

// A body has so many bytes and no more, whatever it says of itself, packed or not.
func TestBodiesHaveABound(t *testing.T) {
	t.Parallel()
	s := newScene(t, Config{Most: 1 << 20}, map[string][]string{"a.example": {"127.0.0.2"}})
	pack := func(n int) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for range n {
			_, _ = z.Write(make([]byte, 1<<10))
		}
		_ = z.Close()
		return b.Bytes()
	}
	bodies := map[string]func(w http.ResponseWriter){
		"/short": func(w http.ResponseWriter) { _, _ = io.WriteString(w, "short") },
		"/long": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "5000")
			_, _ = w.Write(make([]byte, 5000))
		},
		"/endless": func(w http.ResponseWriter) {
			for i := 0; i < 4096; i++ {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		},
		"/cut": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "900")
			_, _ = io.WriteString(w, "short")
		},
		"/packed": func(w http.ResponseWriter) { w.Header().Set("Content-Encoding", "gzip"); _, _ = w.Write(pack(0)) },
		"/bomb": func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(pack(4 << 10))
		},
		"/notpacked": func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, "plain")
		},
		"/twice": func(w http.ResponseWriter) { w.Header().Set("Content-Encoding", "gzip, gzip"); _, _ = w.Write(pack(1)) },
		"/other": func(w http.ResponseWriter) { w.Header().Set("Content-Encoding", "br"); _, _ = io.WriteString(w, "x") },
	}
	for path, say := range bodies {
		s.outside.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("asked for %q", r.Header.Get("Accept-Encoding"))
			}
			say(w)
		})
	}
	for path, want := range map[string]error{"/short": nil, "/packed": nil, "/long": ErrTooLarge, "/endless": ErrTooLarge, "/bomb": ErrTooLarge} {
		if got, err := s.get("a.example", path); !errors.Is(err, want) || want == nil && path == "/short" && got != "short" {
			t.Errorf("%s = %d bytes, %v; want %v", path, len(got), err, want)
		}
	}
	for _, path := range []string{"/cut", "/notpacked", "/twice", "/other"} {
		if got, err := s.get("a.example", path); err == nil || got != "" {
			t.Errorf("%s = %q, %v; want an error", path, got, err)
		}
	}
	// Whoever does not count is given no more than the gate lets out.
	resp, err := s.client.Get(s.at("a.example", "/bomb"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); n != 1<<20 || !errors.Is(err, ErrTooLarge) {
		t.Errorf("a bomb gives out %d bytes, %v", n, err)
	}
}

// Who answers drop by drop is not waited for for ever.
func TestABodyHasItsTime(t *testing.T) {
	t.Parallel()
	s := newScene(t, Config{Timeout: 100 * time.Millisecond}, map[string][]string{"a.example": {"127.0.0.2"}})
	s.outside.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "a")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	_, err := s.get("a.example", "/")
	var slow net.Error
	if !errors.As(err, &slow) || !slow.Timeout() {
		t.Errorf("a body without an end = %v, want that it has taken too long", err)
	}
}
