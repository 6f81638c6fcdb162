package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/web"
)

const secret = "a long secret of kim"

// refusals are what a console tells of tries that came to nothing.
type refusals struct {
	mu  sync.Mutex
	all []bot.Refusal
}

func (r *refusals) note(_ context.Context, x bot.Refusal) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, x)
	return nil
}

func (r *refusals) tries() (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.all {
		all = append(all, x.Who+" "+x.Try)
	}
	return all
}

// newTeam is a stage whose users come in by name, one of them with a role that nobody
// knows.
func newTeam(t *testing.T, change ...func(*web.Config)) (*stage, *refusals) {
	t.Helper()
	r := &refusals{}
	s := newStage(t, append([]func(*web.Config){func(c *web.Config) {
		c.Rooms, c.Refused = web.NewRooms(), r.note
		c.Users = []web.User{
			{ID: "vic", May: web.Viewer}, {ID: "kim", Name: "Kim Li", May: web.Approver, Secret: secret},
			{ID: "ada", May: web.Admin}, {ID: "odd", May: "root"}, {ID: "nil"},
		}
	}}, change...)...)
	s.base = strings.TrimSuffix(s.entry, "/")
	return s, r
}

// as is a browser that somebody came in with, by a link.
func (s *stage) as(id string) *browser {
	s.t.Helper()
	b := s.stranger()
	link, err := s.con.CodeFor(id)
	if err != nil {
		s.t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil {
		s.t.Fatal(err)
	}
	if code, page, _ := b.get("/in?" + u.RawQuery); code != http.StatusOK || !strings.Contains(page, "Come in") {
		s.t.Fatalf("link = %d, want that it asks", code)
	}
	if code, page, _ := b.do(b.request("POST", "/in", u.Query())); code != http.StatusSeeOther {
		s.t.Fatalf("come in as %s = %d:\n%s", id, code, page)
	}
	return b
}

// Issue 5, console: what each role may do, request by request. A role without a name is
// told so and sees nothing; what is refused changes nothing and is noted.
func TestWhatARoleMayDo(t *testing.T) {
	t.Parallel()
	card := told("general", "aaaaaaaa1", "card-1", "the words of the card")
	root := said("general", "aaaaaaaa1", "aaaaaaaa1", "kim", "ask")
	card.Kind, card.Question = bot.Card, "q-1"
	card.Choices = []bot.Choice{{ID: "yes", Label: "Post now"}}
	looks := []string{"/c/general", "/c/general/aaaaaaaa1", "/c/sales", "/lines/general", "/approvals", "/schedules", "/runs", "/memory", "/pulse", "/home"}
	type post struct {
		path string
		form url.Values
	}
	now := nonce
	speaks := []post{
		{"/say", url.Values{"c": {"general"}, "text": {"hello"}, "nonce": {now}}},
		{"/press", url.Values{"c": {"general"}, "t": {"aaaaaaaa1"}, "line": {"LINE"}, "question": {"q-1"}, "choice": {"yes"}, "nonce": {now}}},
		{"/press", url.Values{"question": {"q-1"}, "choice": {"yes"}, "nonce": {now}}},
		{"/press", url.Values{"question": {"q-1"}, "choice": {"stop:r"}, "nonce": {now}}},
	}
	for id, may := range map[string]struct{ look, speak bool }{
		"vic": {true, false}, "kim": {true, true}, "ada": {true, true}, "odd": {}, "nil": {},
	} {
		s, refused := newTeam(t)
		s.desk.add(root, card)
		posted, err := s.con.Post(t.Context(), bot.Post{Key: card.Key, Place: bot.Place{Platform: "web", Workspace: "local", Channel: "general", Thread: "aaaaaaaa1"}})
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(posted.Link, "#m-")
		s.desk.questions = []bot.OpenQuestion{{ID: "q-1", Text: "the words of the card", Home: bot.Place{Platform: "web", Workspace: "local", Channel: "general"}, Mine: true, Choices: card.Choices}}
		b := s.as(id)
		token := "none"
		for _, path := range looks {
			code, page, _ := b.get(path)
			if may.look && code != http.StatusOK || !may.look && (code != http.StatusForbidden || strings.Contains(page, "the words") || strings.Contains(page, "general") || strings.Contains(page, "csrf")) {
				t.Errorf("%s: GET %s = %d, want it seen: %t\n%s", id, path, code, may.look, page)
			}
			if buttons := strings.Contains(page, "Post now") || strings.Contains(page, "<textarea"); buttons && !may.speak {
				t.Errorf("%s: GET %s has something to press", id, path)
			}
			if m := csrfAt.FindStringSubmatch(page); m != nil {
				token = m[1]
			}
		}
		if may.look {
			b.hear("")
		} else if code, page, _ := b.get("/events?since=x"); code != http.StatusForbidden || strings.Contains(page, "event:") {
			t.Errorf("%s: GET /events = %d", id, code)
		}
		for _, p := range speaks {
			p.form.Set("csrf", token)
			if p.form.Has("line") {
				p.form.Set("line", line)
			}
			code, _, _ := b.do(b.request("POST", p.path, p.form))
			if may.speak && code != http.StatusSeeOther || !may.speak && code != http.StatusForbidden {
				t.Errorf("%s: POST %s %v = %d, want it done: %t", id, p.path, p.form, code, may.speak)
			}
		}
		if got := len(s.ears.messages) + len(s.ears.clicks); (got == len(speaks)) != may.speak || !may.speak && got != 0 {
			t.Errorf("%s: %d messages and presses arrived", id, got)
		}
		if may.speak != (len(refused.tries()) == 0) || !may.speak && !slices.Contains(refused.tries(), "web:local:"+id+" POST /press") {
			t.Errorf("%s: noted %q", id, refused.tries())
		}
		for _, path := range []string{"/decide", "/revoke"} {
			if code, _, _ := b.do(b.request("POST", path, url.Values{"csrf": {token}, "question": {"q-1"}, "choice": {"edit"}, "grant": {"g"}})); (code == http.StatusForbidden) == may.speak {
				t.Errorf("%s: POST %s = %d, want it heard: %t", id, path, code, may.speak)
			}
		}
		// Nobody changes who they are, and whoever looks may choose a language and go out.
		if code, _, _ := b.do(b.request("POST", "/switch", url.Values{"user": {"ada"}, "csrf": {token}})); code == http.StatusSeeOther {
			t.Errorf("%s: POST /switch = %d", id, code)
		}
		for _, path := range []string{"/lang", "/out"} {
			if code, _, _ := b.do(b.request("POST", path, url.Values{"csrf": {token}})); (code == http.StatusSeeOther) != may.look {
				t.Errorf("%s: POST %s = %d", id, path, code)
			}
		}
	}
}

// A link is for one named user and asks before it lets in; programs that look at links
// use nothing up, and a link of somebody else's page changes nobody.
func TestALinkIsForOneUser(t *testing.T) {
	t.Parallel()
	s, _ := newTeam(t)
	if strings.Contains(s.entry, "code=") {
		t.Errorf("the printed URL of several users is %q, want none's link", s.entry)
	}
	for _, id := range []string{"", "bob", "Kim"} {
		if link, err := s.con.CodeFor(id); err == nil || link != "" {
			t.Errorf("link for %q = %q", id, link)
		}
	}
	link, err := s.con.CodeFor("kim")
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(link, s.base)
	code := url.Values{"code": {strings.TrimPrefix(path, "/in?code=")}}
	for range 3 {
		if status, page, h := s.stranger().get(path); status != http.StatusOK || !strings.Contains(page, "Come in as Kim Li?") || h.Get("Set-Cookie") != "" {
			t.Errorf("link = %d with cookie %q", status, h.Get("Set-Cookie"))
		}
	}
	b := s.stranger()
	foreign := b.request("POST", "/in", code)
	foreign.Header.Set("Origin", "https://evil.example")
	if status, _, _ := b.do(foreign); status != http.StatusForbidden {
		t.Errorf("a foreign page that lets somebody in = %d", status)
	}
	if status, _, _ := b.do(b.request("POST", "/in", code)); status != http.StatusSeeOther {
		t.Errorf("come in = %d", status)
	}
	if _, page, _ := b.get("/c/general"); !strings.Contains(page, "<b>Kim Li</b>") {
		t.Error("the page does not say who came in")
	}
	if status, _, _ := s.stranger().do(s.stranger().request("POST", "/in", code)); status != http.StatusUnauthorized {
		t.Errorf("a second use = %d, want 401", status)
	}
	if status, page, _ := s.stranger().get("/c/general"); status != http.StatusUnauthorized || !strings.Contains(page, `action="/login"`) || !strings.Contains(page, "hermes url NAME") {
		t.Errorf("a stranger = %d, want the page to come in by", status)
	}
}

// Who has a secret signs in with it; who is wrong learns nothing, waits after a few tries,
// and is noted, each time, and never by what was given as a name. Others' tries do not shut
// a link.
func TestSigningIn(t *testing.T) {
	t.Parallel()
	s, refused := newTeam(t)
	try := func(user, secret string) (int, string) {
		b := s.stranger()
		code, page, h := b.do(b.request("POST", "/login", url.Values{"user": {user}, "secret": {secret}}))
		if (code == http.StatusSeeOther) != (h.Get("Set-Cookie") != "") {
			t.Errorf("%s: %d with cookie %q", user, code, h.Get("Set-Cookie"))
		}
		return code, page
	}
	if code, _ := try("kim", secret); code != http.StatusSeeOther {
		t.Fatalf("the right secret = %d", code)
	}
	_, stranger := try("bob", "wrong")
	for _, c := range [][2]string{{"kim", "wrong"}, {"kim", ""}, {"vic", ""}, {"vic", "wrong"}, {"", ""}} {
		if code, page := try(c[0], c[1]); code != http.StatusUnauthorized || page != stranger {
			t.Errorf("%q = %d, want what a stranger hears", c, code)
		}
	}
	got := refused.tries()
	slices.Sort(got)
	if want := []string{" login", " login", "web:local:kim login", "web:local:kim login", "web:local:vic login", "web:local:vic login"}; !slices.Equal(got, want) {
		t.Errorf("noted %q, want %q", got, want)
	}
	if b := s.stranger(); true {
		if code, _, _ := b.do(b.request("POST", "/in", url.Values{"code": {"of nobody"}})); code != http.StatusUnauthorized || !slices.Contains(refused.tries(), " link") {
			t.Errorf("a link that is none = %d, noted %q", code, refused.tries())
		}
	}
	for range 3 {
		try("kim", "wrong")
	}
	if code, _ := try("kim", secret); code != http.StatusTooManyRequests {
		t.Errorf("the right secret after five wrong ones = %d, want 429", code)
	}
	s.as("kim")
	s.clock.move(61 * time.Second)
	if code, _ := try("kim", secret); code != http.StatusSeeOther {
		t.Errorf("a minute later = %d", code)
	}
	if code, _ := try("kim", "wrong"); code != http.StatusUnauthorized {
		t.Errorf("after a good one = %d, want a count from the start", code)
	}
	unnamed := newStage(t)
	b := unnamed.stranger()
	if code, _, _ := b.do(b.request("POST", "/login", url.Values{"user": {"lead"}, "secret": {""}})); code != http.StatusForbidden {
		t.Errorf("signing in where nobody is named = %d", code)
	}
}

// Nobody shuts somebody else out by guessing: wrong secrets count for the name from one
// address. From all addresses together they are bounded all the same, but for one that the
// name has come in from; behind a proxy the address is what that has seen.
func TestGuessingShutsNobodyElseOut(t *testing.T) {
	t.Parallel()
	s, refused := newTeam(t, func(c *web.Config) { c.URL = "https://hermes.example.com" })
	local := "http://" + s.con.Addr()
	try := func(secret string, seen ...string) int {
		b := s.stranger()
		b.stage = &stage{t: t, base: local}
		req := b.request("POST", "/login", url.Values{"user": {"kim"}, "secret": {secret}})
		req.Host = "hermes.example.com"
		req.Header.Set("Origin", "https://hermes.example.com")
		req.Header.Set("X-Forwarded-For", strings.Join(seen, ", "))
		code, _, _ := b.do(req)
		return code
	}
	const home, office, eve = "198.51.100.1", "2001:db8::1", "203.0.113.9"
	if code := try(secret, home); code != http.StatusSeeOther {
		t.Fatalf("the right secret = %d", code)
	}
	for n := range 6 {
		want := http.StatusUnauthorized
		if n >= 5 {
			want = http.StatusTooManyRequests
		}
		if code := try("wrong", home, eve); code != want { // what eve says of herself counts for nothing
			t.Errorf("try %d = %d, want %d", n, code, want)
		}
	}
	for _, at := range []string{home, office} {
		if code := try(secret, at); code != http.StatusSeeOther {
			t.Errorf("from %s while somebody guesses = %d", at, code)
		}
	}
	guessed := 0
	for n := range 300 {
		if try("wrong", fmt.Sprintf("203.0.%d.%d", 200+n/250, n%250)) == http.StatusUnauthorized {
			guessed++
		}
	}
	if guessed != 95 {
		t.Errorf("%d guesses from many addresses after five, want a hundred in all", guessed)
	}
	for at, want := range map[string]int{home: http.StatusSeeOther, "2001:db8::2": http.StatusSeeOther, "192.0.2.7": http.StatusTooManyRequests} {
		if code := try(secret, at); code != want {
			t.Errorf("from %s after that = %d, want %d", at, code, want)
		}
	}
	s.clock.move(61 * time.Minute)
	if code := try(secret, "192.0.2.7"); code != http.StatusSeeOther {
		t.Errorf("an hour later = %d", code)
	}
	if got := len(refused.tries()); got != 307 {
		t.Errorf("%d tries were noted, want each of 307", got)
	}
}

// A session of a named user ends after twelve hours without use, after seven days in any
// case, when they go out, and with their secret; one of another sort of page is none.
func TestNamedSessionsEnd(t *testing.T) {
	t.Parallel()
	s, _ := newTeam(t)
	at, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	b := s.as("kim")
	for range 27 {
		s.clock.move(6*time.Hour + time.Minute)
		if code, _, _ := b.get("/c/general"); code != http.StatusOK {
			t.Fatalf("in use = %d", code)
		}
	}
	s.clock.move(6 * time.Hour)
	if code, _, _ := b.get("/c/general"); code != http.StatusUnauthorized {
		t.Errorf("after seven days of use = %d, want 401", code)
	}
	b = s.as("kim")
	s.clock.move(12*time.Hour + time.Second)
	if code, _, _ := b.get("/c/general"); code != http.StatusUnauthorized {
		t.Errorf("after twelve hours = %d, want 401", code)
	}

	b = s.as("kim")
	taken := b.client.Jar.Cookies(at)
	next := b.hear("")
	_, _, _ = next()
	if code, _ := b.post("/out", url.Values{}); code != http.StatusSeeOther {
		t.Fatalf("sign out = %d", code)
	}
	thief := s.stranger()
	thief.client.Jar.SetCookies(at, taken)
	for name, who := range map[string]*browser{"gone out": b, "taken along": thief} {
		if code, _, _ := who.get("/c/general"); code != http.StatusUnauthorized {
			t.Errorf("%s = %d, want 401", name, code)
		}
	}

	moved := time.Until(s.clock.now())
	kept := s.as("kim").client.Jar.Cookies(at)
	ada := s.as("ada").client.Jar.Cookies(at)
	s.stop()
	for name, tt := range map[string]struct {
		change  func(*web.Config)
		cookies []*http.Cookie
		want    int
	}{
		"the same":             {func(*web.Config) {}, kept, http.StatusOK},
		"another secret":       {func(c *web.Config) { c.Users[1].Secret = "another secret of kim" }, kept, http.StatusUnauthorized},
		"another's secret":     {func(c *web.Config) { c.Users[1].Secret = "another secret of kim" }, ada, http.StatusOK},
		"a role that looks":    {func(c *web.Config) { c.Users[1].May = web.Viewer }, kept, http.StatusOK},
		"a role taken away":    {func(c *web.Config) { c.Users[1].May = "" }, kept, http.StatusForbidden},
		"nobody by that name":  {func(c *web.Config) { c.Users = c.Users[2:] }, kept, http.StatusUnauthorized},
		"a page without names": {func(c *web.Config) { c.Users = nil }, kept, http.StatusUnauthorized},
	} {
		again, _ := newTeam(t, func(c *web.Config) { c.Addr = at.Host }, tt.change)
		if !strings.HasPrefix(again.entry, s.base) {
			t.Skipf("port %s was taken meanwhile", at.Host)
		}
		again.base = s.base
		again.clock.move(moved)
		back := again.stranger()
		back.client.Jar.SetCookies(at, tt.cookies)
		if code, _, _ := back.get("/c/general"); code != tt.want {
			t.Errorf("%s: page after a restart = %d, want %d", name, code, tt.want)
		}
		again.stop()
	}
}

// Behind a proxy with TLS the page answers to its own name, its cookies go nowhere in the
// clear, and a page of the same name in the clear is a foreign one.
func TestBehindAProxy(t *testing.T) {
	t.Parallel()
	s, _ := newTeam(t, func(c *web.Config) { c.URL = "https://hermes.example.com" })
	link, err := s.con.CodeFor("kim")
	if err != nil || !strings.HasPrefix(link, "https://hermes.example.com/in?code=") || s.entry != "https://hermes.example.com" {
		t.Fatalf("link %q of %q, %v", link, s.entry, err)
	}
	local := "http://" + s.con.Addr()
	post := func(host, origin string) (int, http.Header) {
		b := s.stranger()
		b.stage = &stage{t: t, base: local}
		req := b.request("POST", "/login", url.Values{"user": {"kim"}, "secret": {secret}})
		req.Host = host
		req.Header.Set("Origin", origin)
		code, _, h := b.do(req)
		return code, h
	}
	code, h := post("hermes.example.com", "https://hermes.example.com")
	if cookie := h.Get("Set-Cookie"); code != http.StatusSeeOther || !strings.HasPrefix(cookie, "__Host-hermes-") || !strings.Contains(cookie, "; Secure") || h.Get("Strict-Transport-Security") == "" {
		t.Errorf("sign in = %d with %q", code, cookie)
	}
	for _, tt := range []struct {
		host, origin string
		want         int
	}{
		{strings.TrimPrefix(local, "http://"), "https://hermes.example.com", http.StatusSeeOther}, // a proxy that tells its own name for us
		{"hermes.example.com", "http://hermes.example.com", http.StatusForbidden},
		{"hermes.example.com", "https://hermes.example.com.evil.example", http.StatusForbidden},
		{"hermes.example.com", "https://evil.example", http.StatusForbidden},
		{"evil.example", "https://evil.example", http.StatusMisdirectedRequest},
		{"hermes.example.com:444", "https://hermes.example.com:444", http.StatusMisdirectedRequest},
	} {
		if code, _ := post(tt.host, tt.origin); code != tt.want {
			t.Errorf("sign in at %s from %s = %d, want %d", tt.host, tt.origin, code, tt.want)
		}
	}
}

// What others can reach is opened to somebody by name or not at all.
func TestListenBeyondLoopback(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cfg  web.Config
		good bool
	}{
		"not allowed":       {web.Config{Users: []web.User{{ID: "kim", May: web.Viewer}}}, false},
		"allowed to nobody": {web.Config{AllowRemote: true}, false},
		"a demo for all":    {web.Config{AllowRemote: true, Demo: web.NewDemo()}, false},
		"allowed to one":    {web.Config{AllowRemote: true, Users: []web.User{{ID: "kim", May: web.Viewer}}}, true},
	} {
		tt.cfg.Addr = "0.0.0.0:0"
		con := web.New(tt.cfg, &desk{}, shelf{}, nil, time.Now)
		if _, err := con.Listen(t.Context()); (err == nil) != tt.good {
			t.Errorf("%s: Listen = %v", name, err)
		}
	}
}
