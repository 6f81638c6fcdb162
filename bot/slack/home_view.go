package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"
	gmtext "github.com/yuin/goldmark/text"

	"hermes/bot"
)

// Slack takes 100 blocks and 250 KB in a view. homeSize leaves room for what it
// counts and we do not.
const (
	viewBlocks = 100
	homeSize   = 200_000
)

// most is how many of each kind a home shows. With all of them it stays below
// viewBlocks: three blocks for a question, two for one of others and for a schedule, one
// for all else.
type most struct{ mine, others, jobs, grants, runs int }

var mostShown = most{mine: 8, others: 5, jobs: 12, grants: 10, runs: 15}

func (m most) half() most {
	return most{(m.mine + 1) / 2, (m.others + 1) / 2, (m.jobs + 1) / 2, (m.grants + 1) / 2, (m.runs + 1) / 2}
}

// askedLimit is how much of a question a home shows, in characters.
const askedLimit = 1500

// recordLimit is how much of a line of its record is shown there; all of it is on the card.
const recordLimit = 300

// A desk is what a home is made of, as its viewer may see it.
type desk struct {
	user, lang string
	zone       *time.Location
	plans      bool // the viewer may make schedules
	notice     string
	questions  []bot.OpenQuestion
	jobs       []bot.JobView
	runs       []bot.RunView
	grants     []bot.Allowance
	purses     []bot.PurseView
}

// homeView is the home of a user. Who they are is asked first: people of elsewhere
// have no home here, nor has anybody of whom it is not known.
func (s *Slack) homeView(ctx context.Context, user, notice string) (slack.HomeTabViewRequest, error) {
	viewer := bot.Person(platform, s.Team(), user)
	standing, err := s.Standing(ctx, viewer)
	lang := s.langOf(user)
	switch {
	case err != nil:
		s.log.Warn("slack home of somebody unknown", "user", user, "err", err)
		return homeOf(section(say(lang, "I cannot find out who you are right now. Please open this tab again in a few minutes.", "我暂时无法确认您的身份，请几分钟后再打开这个页面。"))), nil
	case standing != bot.Member && standing != bot.Guest:
		return homeOf(section(say(lang, "I work for the members of this workspace only, so there is nothing here for you.", "我只为本工作区的成员服务，所以这里没有您的内容。"))), nil
	}
	d := desk{user: user, lang: lang, zone: s.zoneOf(user), notice: notice, plans: s.cfg.Planner != nil && standing == bot.Member}
	if d.questions, err = s.cfg.Desk.Questions(ctx, viewer); err != nil {
		return slack.HomeTabViewRequest{}, fmt.Errorf("questions of %s: %w", user, err)
	}
	if d.jobs, err = s.cfg.Desk.Jobs(ctx, viewer); err != nil {
		return slack.HomeTabViewRequest{}, fmt.Errorf("schedules of %s: %w", user, err)
	}
	if s.cfg.Decider != nil {
		if d.grants, err = s.cfg.Decider.Grants(ctx, viewer, lang); err != nil {
			return slack.HomeTabViewRequest{}, fmt.Errorf("grants of %s: %w", user, err)
		}
	}
	if d.runs, err = s.cfg.Desk.Runs(ctx, viewer, mostShown.runs+1); err != nil {
		return slack.HomeTabViewRequest{}, fmt.Errorf("runs of %s: %w", user, err)
	}
	if d.purses, err = s.pursesOf(ctx, viewer); err != nil {
		return slack.HomeTabViewRequest{}, fmt.Errorf("budgets of %s: %w", user, err)
	}
	return d.view()
}

func homeOf(blocks ...slack.Block) slack.HomeTabViewRequest {
	return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: blocks}}
}

// view shows as much as Slack takes.
func (d desk) view() (slack.HomeTabViewRequest, error) {
	for m := mostShown; ; m = m.half() {
		v := homeOf(numbered(d.blocks(m))...)
		body, err := json.Marshal(v)
		if err != nil {
			return v, fmt.Errorf("encode home of %s: %w", d.user, err)
		}
		if len(body) <= homeSize || m == m.half() {
			return v, nil
		}
	}
}

// numbered gives each button a name of its own: what is on ten cards may be in one
// home ten times, and Slack takes each name once.
func numbered(blocks []slack.Block) []slack.Block {
	n := 0
	name := func(e slack.BlockElement) {
		if b, ok := e.(*slack.ButtonBlockElement); ok && len(b.ActionID) <= actionLimit-numberRoom {
			n++
			b.ActionID += numberMark + strconv.Itoa(n)
		}
	}
	for _, block := range blocks {
		switch b := block.(type) {
		case *slack.ActionBlock:
			for _, e := range b.Elements.ElementSet {
				name(e)
			}
		case *slack.SectionBlock:
			if b.Accessory != nil && b.Accessory.ButtonElement != nil {
				name(b.Accessory.ButtonElement)
			}
		}
	}
	return blocks
}

const (
	numberMark = "#"
	numberRoom = 5
)

// unnumbered is the name of a button without its number.
func unnumbered(act string) string {
	i := strings.LastIndex(act, numberMark)
	if i < 0 {
		return act
	}
	if _, err := strconv.ParseUint(act[i+len(numberMark):], 10, 32); err != nil {
		return act
	}
	return act[:i]
}

func (d desk) say(en, zh string) string { return say(d.lang, en, zh) }

func (d desk) blocks(m most) []slack.Block {
	var out []slack.Block
	if d.notice != "" {
		out = append(out, section("⚠ "+escaped.Replace(d.notice)))
	}
	mine, others := d.parted()
	out = append(out, header(d.say("Waiting for you", "等您决定")))
	if len(mine) == 0 {
		out = append(out, small(d.say("Nothing waits for your decision.", "没有等您决定的事。")))
	}
	out = append(out, listed(d, mine, m.mine, d.question)...)
	if len(others) > 0 {
		out = append(out, header(d.say("Waiting for others", "等别人决定")))
		out = append(out, listed(d, others, m.others, d.waiting)...)
	}
	out = append(out, header(d.say("Schedules", "定时任务")))
	if len(d.jobs) == 0 {
		out = append(out, small(d.say("There are no schedules yet.", "还没有定时任务。")))
	}
	out = append(out, listed(d, d.jobs, m.jobs, d.job)...)
	if d.plans {
		out = append(out, slack.NewActionBlock("", viewButton(actNew, "", d.say("New schedule", "新建定时任务"), slack.StyleDefault)))
	}
	if len(d.grants) > 0 {
		out = append(out, header(d.say("Allowed without asking", "不用问就可以做的")))
		out = append(out, listed(d, d.grants, m.grants, d.grant)...)
	}
	out = append(out, header(d.say("Recent work", "最近的工作")))
	out = append(out, d.budgets()...)
	if len(d.runs) == 0 {
		out = append(out, small(d.say("You have not asked for anything yet. Write to me in Messages.", "您还没有让我做过什么。在“消息”里写给我就行。")))
	}
	return append(out, listed(d, d.runs, m.runs, d.run)...)
}

func header(text string) slack.Block { return slack.NewHeaderBlock(plainText(text, 150)) }

// listed shows the first n things, and says how many more there are.
func listed[T any](d desk, all []T, n int, show func(T) []slack.Block) []slack.Block {
	var out []slack.Block
	for _, one := range all[:min(n, len(all))] {
		out = append(out, show(one)...)
	}
	if more := len(all) - n; more > 0 {
		count := strconv.Itoa(more)
		if _, runs := any(all).([]bot.RunView); runs {
			count = "" // the desk was asked for one more than is shown
		}
		out = append(out, small(d.more(count)))
	}
	return out
}

func (d desk) more(count string) string {
	if count == "" {
		return d.say("… and older ones", "……还有更早的")
	}
	return d.say("… and "+count+" more", "……还有 "+count+" 个")
}

// parted are the questions that the viewer may answer, and the others.
func (d desk) parted() (mine, others []bot.OpenQuestion) {
	for _, q := range d.questions {
		if q.Mine {
			mine = append(mine, q)
		} else {
			others = append(others, q)
		}
	}
	return mine, others
}

// question shows one to answer: what is asked, where from, and its buttons. The
// buttons are those of its card.
func (d desk) question(q bot.OpenQuestion) []slack.Block {
	text, whole := d.asked(q.Text, askedLimit)
	about := d.from(q)
	if !whole {
		about = d.say("This is only the beginning; all of it is on the card. ", "这里只有开头，全文在卡片上。") + about
	}
	out := []slack.Block{section(text), slack.NewContextBlock("", append([]slack.MixedElement{marked(about)}, recordOf(q.Record, recordLimit, contextLimit-1)...)...)}
	rows, err := buttons(bot.Post{Question: q.ID, Choices: q.Choices[:min(rowLimit, len(q.Choices))]}, func() string { return "" })
	if err != nil || len(rows) == 0 {
		return append(out, small(d.say("Please answer it where it was asked.", "请在提问的地方回答。")))
	}
	return append(out, rows...)
}

// asked is a question in Slack's markup, and whether that is all of it.
func (d desk) asked(md string, limit int) (string, bool) {
	whole := len([]rune(md)) <= limit
	if !whole {
		md = beginning(md, limit)
	}
	text := mrkdwnOf(md)
	if text == "" {
		text = "…"
	}
	return text, whole
}

// beginning is as much of Markdown as has room, and no part of a table: without its other
// lines it is none.
func beginning(md string, limit int) string {
	lines := strings.Split(cut(md, limit), "\n")
	n := len(lines)
	for n > 1 && strings.HasPrefix(lines[n-1], "|") {
		n--
	}
	if n == len(lines) {
		return strings.Join(lines, "\n")
	}
	return strings.TrimSpace(strings.Join(lines[:n], "\n")) + "\n\n…"
}

// mrkdwnOf is Markdown in Slack's markup; people's names are references.
func mrkdwnOf(md string) string {
	m := mrkdwn{src: []byte(md)}
	m.blocks(markdown().Parser().Parse(gmtext.NewReader(m.src)), "")
	return userRef.ReplaceAllString(strings.TrimSpace(m.out.String()), "<$1>")
}

// from says who asked for what is to be decided, where, and until when that waits.
func (d desk) from(q bot.OpenQuestion) string {
	parts := []string{d.say("asked by ", "提出者：") + d.who(q.Asker)}
	if c := q.Home.Channel; strings.HasPrefix(c, "C") || strings.HasPrefix(c, "G") {
		parts = append(parts, d.say("in ", "频道：")+"<#"+c+">")
	}
	if !q.Expires.IsZero() {
		parts = append(parts, d.say("until ", "截止：")+date(q.Expires.In(d.zone), d.lang))
	}
	return strings.Join(parts, " · ")
}

// who is a Person as the viewer reads it.
func (d desk) who(person string) string {
	user := bot.UserOf(person)
	switch {
	case user == d.user:
		return d.say("you", "您")
	case strings.HasPrefix(person, platform+":"):
		return "<@" + user + ">"
	default:
		return escaped.Replace(user)
	}
}

// waiting shows a question that somebody else has to answer, and whom it waits for. Who
// asked may call it off.
func (d desk) waiting(q bot.OpenQuestion) []slack.Block {
	text, _ := d.asked(q.Text, 300)
	about := d.from(q)
	if who := d.everyone(q.Waits); who != "" {
		about = d.say("waits for ", "等待：") + who + " · " + about
	}
	out := []slack.Block{section(text + "\n_" + about + "_")}
	if len(q.Choices) == 0 {
		return out
	}
	rows, err := buttons(bot.Post{Question: q.ID, Choices: q.Choices[:min(rowLimit, len(q.Choices))]}, func() string { return "" })
	if err != nil {
		return out
	}
	return append(out, rows...)
}

// mostNamed is how many persons and groups are named of those that a question waits for.
const mostNamed = 5

// everyone names persons and groups.
func (d desk) everyone(all []string) string {
	var names []string
	for _, who := range all[:min(mostNamed, len(all))] {
		if group, is := strings.CutPrefix(who, "group:"); is {
			names = append(names, "<!subteam^"+bot.UserOf(group)+">")
		} else {
			names = append(names, d.who(who))
		}
	}
	if len(all) > mostNamed {
		names = append(names, "…")
	}
	return strings.Join(names, d.say(", ", "、"))
}
