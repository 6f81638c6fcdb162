package web

import (
	"context"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/bot"
)

// together is how close two lines of one author must be to stand under one name.
const together = 5 * time.Minute

// A lineView is a line as the templates see it.
type lineView struct {
	Slug, V    string // V changes when anything that is seen changes
	DOM        string // id of the element; a root stands twice on a page
	At         when
	Compact    bool
	Bot        bool
	Me         bool
	Name       string
	Initial    string
	Hue        int
	Long       int    // characters, if it is folded
	Start      string // what is seen of it then
	Mention    bool   // it called the bot, though what it says does not show it
	HTML       template.HTML
	Steps      []step
	Live       bool
	Kind, Lang string
	Footer     string
	Record     bot.Record
	Only       bool
	Failed     bool
	Gone       bool
	Trace      string
	Images     []fileView
	Files      []fileView
	Question   string
	Choices    []choiceView
	Answers    int
	ThreadURL  string
	InThread   bool
	Target     bool

	Room, Thread, CSRF, Nonce string // for the buttons' form
}

// An entry of a list is a line or, before the first one of a day, that day.
type entry struct {
	Key, V string
	Day    string
	Line   *lineView
}

type listView struct {
	Src     string // where the script reads it again
	Entries []entry
	Earlier string // the page with earlier lines
	Empty   string // what kind of empty it is
	Label   string
	Hints   []hint
}

// A hint is an example to begin with.
type hint struct{ Text, Why string }

type composer struct {
	Room, Thread, Nonce, CSRF string
	Placeholder, Draft        string
	Problem                   string
	Direct                    bool
	MaxText                   int
	Label                     string
	Files                     bool // may be attached
	Mute                      bool // the visitor only looks
}

type channelBody struct {
	Room     roomView
	List     listView
	Composer composer
	Pane     *paneView
}

type paneView struct {
	Close    string
	List     listView
	Composer composer
}

// start is where a visit begins. On a phone it is the list of channels.
func (c *Console) start(w http.ResponseWriter, r *http.Request, v visit) {
	room := v.user.dm()
	for _, candidate := range c.home.Rooms {
		if v.user.sees(candidate) {
			room = candidate
			break
		}
	}
	if r.URL.Path == "/" {
		http.Redirect(w, r, pathOf(room.ID, ""), http.StatusSeeOther)
		return
	}
	c.showChannel(w, r, v, room, "", http.StatusOK)
}

func (c *Console) channel(w http.ResponseWriter, r *http.Request, v visit) {
	room, ok := c.home.room(r.PathValue("channel"))
	if !ok || !v.user.sees(room) {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	if say := r.URL.Query().Get("say"); len(say) <= 2000 {
		v.draft = say
	}
	c.showChannel(w, r, v, room, r.PathValue("line"), http.StatusOK)
}

// showChannel writes the page of a room, with the thread of a root if one is named.
func (c *Console) showChannel(w http.ResponseWriter, r *http.Request, v visit, room Room, thread string, code int) {
	f := c.frame(r, v)
	body := channelBody{}
	f.Page, f.Title = "c/"+room.ID, "#"+room.ID
	if room.owner != "" {
		f.Title = botName
		f.DM.Here = true
		body.Room = f.DM
		body.Room.Topic = v.T("topic.direct")
	} else if i := indexRoom(f.Rooms, room.ID); i >= 0 {
		f.Rooms[i].Here = true
		body.Room = f.Rooms[i]
	}
	if r.URL.Path == "/home" {
		f.View = "nav"
	}
	var err error
	if body.List, err = c.roomList(r, v, room, thread); err != nil {
		c.broken(w, r, v, err)
		return
	}
	body.Composer = c.composer(v, room, "")
	if thread != "" {
		f.View = "pane"
		list, err := c.threadList(r, v, room, thread)
		if err != nil {
			c.broken(w, r, v, err)
			return
		}
		body.Pane = &paneView{Close: pathOf(room.ID, ""), List: list, Composer: c.composer(v, room, thread)}
		body.Composer.Draft, body.Composer.Problem = "", ""
	}
	f.Body = body
	c.show(w, r, v, code, "channel", f)
}

func (c *Console) composer(v visit, room Room, thread string) composer {
	k := composer{
		Room: room.ID, Thread: thread, Nonce: newNonce(c.now()), CSRF: c.door.token(v.session),
		Draft: v.draft, Problem: v.problem, Direct: room.owner != "", MaxText: maxText, Files: c.drawer() != nil, Mute: !v.speaks(),
	}
	switch {
	case thread != "":
		k.Placeholder = v.T("write.thread")
	case room.owner != "":
		k.Placeholder = v.T("write.direct")
	default:
		k.Placeholder = fmt.Sprintf(v.T("write.channel"), "#"+room.ID)
	}
	k.Label = k.Placeholder
	return k
}

// lines is a list alone, as the script reads it again.
func (c *Console) lines(w http.ResponseWriter, r *http.Request, v visit) {
	room, ok := c.home.room(r.PathValue("channel"))
	if !ok || !v.user.sees(room) {
		c.fail(w, r, v, http.StatusNotFound)
		return
	}
	var list listView
	var err error
	if thread := r.PathValue("line"); thread != "" {
		list, err = c.threadList(r, v, room, thread)
	} else {
		list, err = c.roomList(r, v, room, "")
	}
	if err != nil {
		c.broken(w, r, v, err)
		return
	}
	c.write(w, r, v.lang, http.StatusOK, "channel", "list", list)
}

func (c *Console) roomList(r *http.Request, v visit, room Room, target string) (listView, error) {
	n := fewLines
	if asked, err := strconv.Atoi(r.URL.Query().Get("n")); err == nil {
		n = min(max(asked, fewLines), mostLines)
	}
	roots, err := c.roots(r.Context(), v, room, n)
	if err != nil {
		return listView{}, err
	}
	list := listView{
		Src:     "/lines/" + url.PathEscape(room.ID) + "?n=" + strconv.Itoa(n),
		Entries: c.entries(r.Context(), v, room, "", target, roots),
		Label:   fmt.Sprintf(v.T("list.channel"), "#"+room.ID),
	}
	if len(roots) >= n && n < mostLines {
		list.Earlier = pathOf(room.ID, "") + "?n=" + strconv.Itoa(n+moreLines)
	}
	switch {
	case room.owner != "":
		list.Empty, list.Hints = "direct", v.hints(directHints)
		list.Label = v.T("list.direct")
	case len(c.home.Rooms) > 0 && room.ID == c.home.Rooms[0].ID:
		list.Empty, list.Hints = "welcome", v.hints(welcomeHints)
	default:
		list.Empty = "channel"
	}
	return list, nil
}

// threadList returns a root and the lines of its thread.
func (c *Console) threadList(r *http.Request, v visit, room Room, thread string) (listView, error) {
	root, err := c.root(r.Context(), v, room, thread)
	if err != nil {
		return listView{}, err
	}
	ls, err := c.read(r.Context(), v, root.in(), mostLines)
	if err != nil {
		return listView{}, err
	}
	ls = slices.DeleteFunc(ls, func(l line) bool { return l.Key == root.Key })
	return listView{
		Src:     "/lines/" + url.PathEscape(room.ID) + "/" + url.PathEscape(thread),
		Entries: c.entries(r.Context(), v, room, thread, "", append([]line{root}, ls...)),
		Label:   v.T("list.thread"),
		Empty:   "thread",
	}, nil
}

// entries makes the list of lines: with days between them, names once for what was
// said together, and each file once.
func (c *Console) entries(ctx context.Context, v visit, room Room, thread, target string, ls []line) []entry {
	shown := map[string]bool{}
	for _, l := range ls {
		for _, f := range l.Files {
			shown[f.ID] = true
		}
	}
	now := c.now()
	var out []entry
	var before line
	day := ""
	for _, l := range ls {
		if l.File != nil && shown[l.File.ID] && strings.TrimSpace(l.Text) == "" {
			continue // the line that it belongs to shows it
		}
		if d := v.day(l.At, now); d != day {
			day = d
			out = append(out, entry{Key: "day-" + l.At.In(v.zone).Format(time.DateOnly), V: d, Day: d})
			before = line{}
		}
		lv := c.lineView(ctx, v, room, thread, l)
		lv.Target = target != "" && lv.Slug == target
		lv.Compact = before.Key != "" && before.From == l.From && before.Only == l.Only &&
			l.At.Sub(before.At) < together && (l.isRoot() == before.isRoot())
		lv.V = version(lv)
		out = append(out, entry{Key: lv.Slug, V: lv.V, Line: &lv})
		before = l
	}
	return out
}

// A line of a person, or an answer, that is longer than longLine characters is folded
// to its first.
const (
	longLine = 4000
	foldedAt = 400
)

// version is a short hash of all that is seen of a line, but for what is new in
// every rendering.
func version(lv lineView) string {
	lv.V, lv.Nonce, lv.CSRF, lv.Target = "", "", "", false
	return hashOf(lv)
}

func hashOf(v any) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", v)
	return strconv.FormatUint(h.Sum64(), 36)
}

func (c *Console) lineView(ctx context.Context, v visit, room Room, thread string, l line) lineView {
	sees := c.sees(v)
	lv := lineView{
		Slug: l.slug(), At: v.when(l.At), Bot: l.From == "", Me: l.From == v.person,
		Name: l.Name, Kind: string(l.Kind), Lang: l.Lang, Footer: l.Footer, Record: l.Record, Only: l.Only != "",
		Failed: l.State == "failed", Gone: l.Gone, Trace: l.Trace, Question: l.Question, Answers: l.Answers,
		InThread: thread != "", Room: room.ID, Thread: thread,
		CSRF: c.door.token(v.session), Nonce: newNonce(c.now()),
	}
	lv.DOM = "m-" + lv.Slug
	if thread == "" {
		lv.DOM = "c-" + lv.Slug
		if room.owner != "" {
			lv.DOM = "m-" + lv.Slug
		}
	}
	if lv.Name == "" {
		lv.Name = c.NameOf(l.From)
	}
	lv.Initial, lv.Hue = initial(lv.Name), hue(l.From)
	lv.Mention = !lv.Bot && room.owner == "" && l.Place.Thread == l.id() && !mention.MatchString(l.Text)
	lv.Choices = c.choices(v, l.Question, l.Choices)
	for _, ch := range l.Choices {
		lv.Live = lv.Live || strings.HasPrefix(ch.ID, "stop:")
	}
	if l.Kind == bot.Progress {
		lv.HTML, lv.Steps = steps(l.Text, lv.Live, sees)
	} else if strings.TrimSpace(l.Text) != "" {
		lv.HTML = render(l.Text, sees)
		if n := utf8.RuneCountInString(l.Text); n > longLine && l.Kind == bot.Answer {
			lv.Long, lv.Start = n, string([]rune(l.Text)[:foldedAt])+"…"
		}
	}
	files := l.Files
	if l.File != nil && !slices.ContainsFunc(files, func(f bot.File) bool { return f.ID == l.File.ID }) {
		files = append(slices.Clone(files), *l.File)
	}
	for _, f := range files {
		fv := c.fileView(ctx, v, room, thread, l, f)
		if fv.Inline {
			lv.Images = append(lv.Images, fv)
		} else {
			lv.Files = append(lv.Files, fv)
		}
	}
	if thread == "" && room.owner == "" || l.Answers > 0 {
		lv.ThreadURL = pathOf(room.ID, lv.Slug)
	}
	if lv.InThread {
		lv.ThreadURL = ""
	}
	return lv
}

func styleOf(s bot.Style) string {
	switch s {
	case bot.Primary:
		return "primary"
	case bot.Danger:
		return "danger"
	default:
		return "plain"
	}
}
