package web

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed static/*
var staticFiles embed.FS

// A visit is one request of somebody who was let in.
type visit struct {
	session  session
	user     User
	person   string
	lang     string
	zone     *time.Location
	zoneName string // empty if the browser has not told it

	draft   string // what the composer shows
	problem string // above the composer
}

// T returns a text of the interface in the visitor's language.
func (v visit) T(key string) string { return word(v.lang, key) }

// speaks reports whether the visitor may do more than look.
func (v visit) speaks() bool { return v.user.May.may(speak) }

// hints are examples to begin with, for who may begin.
func (v visit) hints(of map[string][]hint) []hint {
	if !v.speaks() {
		return nil
	}
	return of[v.lang]
}

// takesSecrets reports whether somebody may come in with a secret.
func (c *Console) takesSecrets() bool {
	return slices.ContainsFunc(c.cfg.Users, func(u User) bool { return u.Secret != "" })
}

func (c *Console) visit(r *http.Request, s session) visit {
	u, _ := c.home.user(s.user)
	v := visit{session: s, user: u, person: c.person(u), lang: langOf(r), zone: time.Local}
	if k, err := r.Cookie("zone"); err == nil {
		name, _ := url.QueryUnescape(k.Value)
		if loc, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
			v.zone, v.zoneName = loc, name
		}
	}
	return v
}

// langOf returns the language that was chosen, else the first of the browser's that
// we speak.
func langOf(r *http.Request) string {
	if k, err := r.Cookie("lang"); err == nil && (k.Value == "en" || k.Value == "zh") {
		return k.Value
	}
	for l := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		switch l = strings.ToLower(strings.TrimSpace(l)); {
		case strings.HasPrefix(l, "zh"):
			return "zh"
		case strings.HasPrefix(l, "en"):
			return "en"
		}
	}
	return "en"
}

// pages are the templates: one set a page and language.
type pages struct{ sets map[string]*template.Template }

// parsed reads the embedded templates, once for all consoles of a process.
var parsed = sync.OnceValue(func() *pages {
	p := &pages{sets: map[string]*template.Template{}}
	for _, lang := range langs {
		base := template.Must(template.New("").Funcs(template.FuncMap{
			"t":    func(key string) string { return word(lang, key) },
			"tn":   func(key string, n int) string { return counted(lang, key, n) },
			"lang": func() string { return lang },
			"dict": dict, "thousands": thousands,
		}).ParseFS(pageFiles, "pages/layout.html", "pages/lines.html"))
		files, _ := pageFiles.ReadDir("pages")
		for _, f := range files {
			name := strings.TrimSuffix(f.Name(), ".html")
			if name == "layout" || name == "lines" {
				continue
			}
			set := template.Must(base.Clone())
			p.sets[lang+"/"+name] = template.Must(set.ParseFS(pageFiles, "pages/"+f.Name()))
		}
	}
	return p
})

// dict makes the data of a template of pairs.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// A frame is what every page has round its own data.
type frame struct {
	Title    string
	Page     string // of the navigation
	View     string // what a phone shows: "nav", "main" or "pane"
	CSRF     string
	Mark     string // the last event that the page has
	Back     string // this page
	Demo     bool
	Named    bool
	Me       userView
	Users    []userView
	Rooms    []roomView
	DM       roomView
	Mine     int // approvals that wait for the visitor
	Version  string
	Body     any
	MaxText  int
	Problem  string
	Refresh  string // the address of the page's list, for the script
	RoomName string
}

type userView struct {
	ID, Name, Initial, Role string
	Hue                     int
	Me                      bool
}

type roomView struct {
	ID, Name, Topic, URL string
	Here, Direct         bool
}

func (c *Console) frame(r *http.Request, v visit) frame {
	f := frame{
		View: "main", CSRF: c.door.token(v.session), Mark: c.hub.mark(), Back: r.URL.RequestURI(),
		Demo: c.cfg.Demo != nil, Named: c.door.named != nil, Me: c.userView(v, v.user), Version: c.cfg.Version, MaxText: maxText,
	}
	if r.Method != http.MethodGet {
		f.Back = "/"
	}
	for _, u := range c.home.Users {
		f.Users = append(f.Users, c.userView(v, u))
	}
	for _, room := range c.home.Rooms {
		if v.user.sees(room) {
			f.Rooms = append(f.Rooms, roomView{ID: room.ID, Name: room.ID, Topic: room.Topic.In(v.lang), URL: pathOf(room.ID, "")})
		}
	}
	dm := v.user.dm()
	f.DM = roomView{ID: dm.ID, Name: botName, URL: pathOf(dm.ID, ""), Direct: true}
	f.Mine = c.mine(r, v)
	return f
}

// mine counts the questions that wait for the visitor. A page without the count is
// better than none.
func (c *Console) mine(r *http.Request, v visit) int {
	if !v.speaks() {
		return 0
	}
	qs, err := c.desk.Questions(r.Context(), v.person)
	if err != nil {
		c.log.Warn("questions not counted", "err", err)
	}
	n := 0
	for _, q := range qs {
		if q.Mine {
			n++
		}
	}
	return n
}

func (c *Console) userView(v visit, u User) userView {
	return userView{ID: u.ID, Name: u.Name, Initial: initial(u.Name), Role: u.Role.In(v.lang), Hue: hue(c.person(u)), Me: u.ID == v.user.ID}
}

// initial returns the first letter of a name.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return "?"
}

// hues is how many colours of avatars the style sheet has.
const hues = 6

func hue(person string) int {
	n := 0
	for _, b := range []byte(person) {
		n = n*31 + int(b)
		n %= 9973
	}
	return n % hues
}

// show writes a page, whole or not at all.
func (c *Console) show(w http.ResponseWriter, r *http.Request, v visit, code int, name string, f frame) {
	c.write(w, r, v.lang, code, name, "layout", f)
}

func (c *Console) write(w http.ResponseWriter, r *http.Request, lang string, code int, name, block string, data any) {
	var b bytes.Buffer
	if err := c.pages.sets[lang+"/"+name].ExecuteTemplate(&b, block, data); err != nil {
		c.log.Error("page not rendered", "page", name, "path", r.URL.Path, "err", err)
		http.Error(w, word(lang, "fail.500"), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = b.WriteTo(w)
}

// fail says inside the console what went wrong.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, v visit, code int) {
	c.failed(w, r, v, code, failWord(code))
}

func (c *Console) failed(w http.ResponseWriter, r *http.Request, v visit, code int, say string) {
	if scripted(r) {
		writeJSON(w, code, map[string]string{"error": v.T(say + ".short")})
		return
	}
	c.explained(w, r, v, code, v.T(say+".short"), v.T(say))
}

// explained says it in the words of the bot.
func (c *Console) explained(w http.ResponseWriter, r *http.Request, v visit, code int, short, long string) {
	if scripted(r) {
		writeJSON(w, code, map[string]string{"error": long})
		return
	}
	f := c.frame(r, v)
	f.Title = short
	f.Body = map[string]string{"Short": short, "Long": long}
	c.show(w, r, v, code, "fail", f)
}

// plain says it to somebody who was not let in.
func (c *Console) plain(w http.ResponseWriter, r *http.Request, code int) {
	c.plainly(w, r, code, failWord(code))
}

func (c *Console) plainly(w http.ResponseWriter, r *http.Request, code int, say string) {
	lang := langOf(r)
	if scripted(r) {
		writeJSON(w, code, map[string]string{"error": word(lang, say+".short")})
		return
	}
	c.write(w, r, lang, code, "door", "door", map[string]any{
		"Short": word(lang, say+".short"), "Long": word(lang, say), "Command": code == http.StatusUnauthorized,
		"Named": c.door.named != nil, "Login": code == http.StatusUnauthorized && c.takesSecrets(),
		// A browser keeps a strict cookie back on the way from another site's
		// page to ours, but not on the way from this one.
		"Again": code == http.StatusUnauthorized && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Site") == "cross-site",
	})
}

func failWord(code int) string {
	switch code {
	case http.StatusUnauthorized:
		return "fail.401"
	case http.StatusForbidden:
		return "fail.403"
	case http.StatusNotFound:
		return "fail.404"
	case http.StatusGone:
		return "fail.410"
	case http.StatusRequestEntityTooLarge:
		return "fail.413"
	case http.StatusMisdirectedRequest:
		return "fail.421"
	case http.StatusServiceUnavailable:
		return "fail.503"
	default:
		return "fail.500"
	}
}

var staticTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	b, err := staticFiles.ReadFile("static/" + path.Base(name))
	kind := staticTypes[path.Ext(name)]
	if err != nil || kind == "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(b) //nolint:gosec // a file of the program
}

// when returns a time as a page writes it.
type when struct {
	ISO, Clock, Day, Full string
}

func (v visit) when(t time.Time) when {
	if t.IsZero() {
		return when{}
	}
	t = t.In(v.zone)
	full := t.Format("Mon 2 Jan 2006, 15:04 MST")
	if v.lang == "zh" {
		full = t.Format("2006年1月2日 ") + zhDays[t.Weekday()] + t.Format(" 15:04 MST")
	}
	return when{t.Format(time.RFC3339), t.Format("15:04"), t.Format(time.DateOnly), full}
}

var zhDays = [...]string{"周日", "周一", "周二", "周三", "周四", "周五", "周六"}

// day returns a date as people say it.
func (v visit) day(t, now time.Time) string {
	t, now = t.In(v.zone), now.In(v.zone)
	date := t.Format(time.DateOnly)
	switch {
	case date == now.Format(time.DateOnly):
		return v.T("day.today")
	case date == now.AddDate(0, 0, -1).Format(time.DateOnly):
		return v.T("day.yesterday")
	case v.lang == "zh" && t.Year() == now.Year():
		return t.Format("1月2日 ") + zhDays[t.Weekday()]
	case v.lang == "zh":
		return t.Format("2006年1月2日 ") + zhDays[t.Weekday()]
	case t.Year() == now.Year():
		return t.Format("Monday, 2 January")
	default:
		return t.Format("Monday, 2 January 2006")
	}
}

// A choiceView is a button.
type choiceView struct{ ID, Label, Style, URL string }

func indexRoom(rs []roomView, id string) int {
	return slices.IndexFunc(rs, func(r roomView) bool { return r.ID == id })
}
