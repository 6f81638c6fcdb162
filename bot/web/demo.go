package web

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hermes/bot"
)

// A Demo is a workspace to try the bot in: some rooms, and some users between whom
// whoever holds the page may switch.
type Demo struct {
	Workspace string
	Rooms     []Room
	Users     []User // the first one is who comes in
}

// A Room is a channel of the console.
type Room struct {
	ID     string // its name without the "#"
	Guests bool   // guests see it
	Topic  Words

	owner string // the User whose direct messages these are
}

// A User is somebody who uses the console.
type User struct {
	ID, Name string
	Role     Words
	Guest    bool
	May      Role   // what they may do here; nothing if empty
	Secret   string // of a named user, to sign in with; empty: by link alone
}

// Words are one text in the languages of the interface.
type Words struct{ En, Zh string }

// In returns the words in a language.
func (w Words) In(lang string) string {
	if lang == "zh" && w.Zh != "" {
		return w.Zh
	}
	return w.En
}

// NewDemo returns the demo workspace: an analyst, a sales lead who may approve,
// and a guest who sees only #general.
func NewDemo() *Demo {
	return &Demo{
		Workspace: "demo",
		Rooms:     NewRooms(),
		Users: []User{
			{ID: "analyst", Name: "Ana", Role: Words{"analyst", "分析师"}, May: Approver},
			{ID: "lead", Name: "Lee", Role: Words{"sales lead, may approve", "销售主管，可审批"}, May: Admin},
			{ID: "guest", Name: "Gus", Role: Words{"guest", "访客"}, Guest: true, May: Approver},
		},
	}
}

// NewRooms returns the rooms of a workspace that has nothing but the console.
func NewRooms() []Room {
	return []Room{
		{ID: "general", Guests: true, Topic: Words{"Everybody. Ask Hermes here.", "所有人都在这里，可以向 Hermes 提问"}},
		{ID: "sales", Topic: Words{"Sales reports and figures", "销售报告与数据"}},
		{ID: "ops", Topic: Words{"Running the business", "日常运营"}},
	}
}

// team is the workspace of named users. Who has no title has the one of their role.
func team(users []User, rooms []Room) Demo {
	d := Demo{Workspace: ownersOnly.Workspace, Rooms: rooms, Users: slices.Clone(users)}
	for i, u := range d.Users {
		if u.Name == "" {
			d.Users[i].Name = u.ID
		}
		if t, ok := words["role."+string(u.May)]; ok && u.Role == (Words{}) {
			d.Users[i].Role = t
		}
	}
	return d
}

// ownersOnly is the console beside a chat platform: one user and the bot.
var ownersOnly = Demo{
	Workspace: "local",
	Users:     []User{{ID: "owner", Name: "Owner", Role: Words{"owner", "所有者"}, May: Admin}},
}

// dmPrefix begins the id of a direct message; the rest is the User's.
const dmPrefix = "dm-"

func (d Demo) user(id string) (User, bool) {
	i := slices.IndexFunc(d.Users, func(u User) bool { return u.ID == id })
	if i < 0 {
		return User{}, false
	}
	return d.Users[i], true
}

// room finds a Room by its id, direct messages included.
func (d Demo) room(id string) (Room, bool) {
	if owner, ok := strings.CutPrefix(id, dmPrefix); ok {
		_, ok := d.user(owner)
		return Room{ID: id, owner: owner}, ok
	}
	i := slices.IndexFunc(d.Rooms, func(r Room) bool { return r.ID == id })
	if i < 0 {
		return Room{}, false
	}
	return d.Rooms[i], true
}

// sees reports whether u may read and write in r.
func (u User) sees(r Room) bool {
	if r.owner != "" {
		return r.owner == u.ID
	}
	return r.Guests || !u.Guest
}

func (u User) dm() Room { return Room{ID: dmPrefix + u.ID, owner: u.ID} }

func (c *Console) person(u User) string { return bot.Person(platform, c.home.Workspace, u.ID) }

func (c *Console) place(r Room, thread string) bot.Place {
	return bot.Place{Platform: platform, Workspace: c.home.Workspace, Channel: r.ID, Thread: thread}
}

// Alone implements bot.Confidant.
func (c *Console) Alone(person string) bot.Place {
	return c.place(User{ID: bot.UserOf(person)}.dm(), "")
}

// NameOf implements bot.Namer: how people call a Person.
func (c *Console) NameOf(person string) string {
	if person == "" {
		return botName
	}
	id := bot.UserOf(person)
	if u, ok := c.home.user(id); ok && c.person(u) == person {
		return u.Name
	}
	return id
}

// room returns the Room of a Place of ours.
func (c *Console) room(p bot.Place) (Room, bool) {
	if p.Platform != platform || p.Workspace != c.home.Workspace {
		return Room{}, false
	}
	return c.home.room(p.Channel)
}

// Channel implements bot.Directory. Direct messages are found from inside alone:
// nobody can have something posted into another's.
func (c *Console) Channel(_ context.Context, home bot.Place, name string) (bot.Channel, error) {
	if home.Platform != platform || home.Workspace != c.home.Workspace {
		return bot.Channel{}, fmt.Errorf("%s/%s is not a workspace here: %w", home.Platform, home.Workspace, bot.ErrNoChannel)
	}
	id := strings.ToLower(strings.TrimLeft(strings.TrimSpace(name), "#＃"))
	r, ok := c.home.room(id)
	if !ok || r.owner != "" && home.Channel != r.ID {
		return bot.Channel{}, fmt.Errorf("channel %q: %w", name, bot.ErrNoChannel)
	}
	return bot.Channel{Place: c.place(r, ""), Name: "#" + r.ID, Private: r.owner != "", Member: true}, nil
}
