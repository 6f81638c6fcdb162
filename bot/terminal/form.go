package terminal

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/bot"
)

// What elsewhere is a form is filled in here line by line, each saying what one field
// shall be. Nothing is decided before it is sent.

// A form is one that is being filled in.
type form struct {
	bot.Sheet
	values map[string]string // of the fields that were said
	of     bot.Line          // the card
}

// formWords are what a form says in one language.
type formWords struct {
	how, one, send, leave, left, lost, optional, unknown, choices string
}

var formsIn = map[bool]formWords{
	false: {
		how: "  To change one write NAME = VALUE (\\n for a new line, nothing to leave it out).", one: "  Write it, or the number of one.",
		send: "  /send: %s\n", leave: "  /cancel leaves all as it is.\n", left: "Left as it is: nothing was decided, and the card is still open.\n",
		lost: "This is the form above. Write NAME = VALUE, /send or /cancel; the names are: %s\n", optional: "may be empty",
		unknown: "%q is none of: %s\n", choices: "one of",
	},
	true: {
		how: "  要改哪一项，就写 名称 = 内容（换行写 \\n，留空表示不填）。", one: "  直接写内容，或写选项的编号。",
		send: "  /发送（/send）：%s\n", leave: "  /取消（/cancel）：保持原样。\n", left: "保持原样：什么都没有决定，卡片还开着。\n",
		lost: "现在填的是上面的表单。请写 名称 = 内容，或 /发送、/取消；可填的有：%s\n", optional: "可以不填",
		unknown: "“%s”不在可选范围内：%s\n", choices: "可选",
	},
}

func (f form) words() formWords { return formsIn[f.Lang == "zh"] }

// formed returns the choices of a card that have a form of several fields; what needs one
// sentence is written with its command.
func formed(l bot.Line) (press, forms []bot.Choice) {
	for _, ch := range l.Choices {
		switch {
		case l.Question == "" || bot.FormOf(ch.ID) == bot.NoForm:
			press = append(press, ch)
		case bot.FormOf(ch.ID) != bot.NoteForm:
			forms = append(forms, ch)
		}
	}
	return press, forms
}

// open shows the form of a choice, to be filled in.
func (c *Client) open(ctx context.Context, card bot.Line, choice string) error {
	at := url.Values{"question": {card.Question}, "choice": {choice}}
	body, _, err := c.request(ctx, http.MethodGet, "/chat/sheet?"+at.Encode(), nil, formReply)
	if err != nil {
		return err
	}
	f := form{values: map[string]string{}, of: card}
	if err := json.Unmarshal(body, &f.Sheet); err != nil {
		return fmt.Errorf("form of %s: %w", card.Question, err)
	}
	if len(f.Fields) > 0 {
		c.form = &f
	}
	_, err = io.WriteString(c.out, c.formText(f))
	return err
}

// formText is a form for the eye, as it stands.
func (c *Client) formText(f form) string {
	w := f.words()
	var b strings.Builder
	fmt.Fprintf(&b, "\nhermes: %s\n", c.look.strong(harmless(f.Title)))
	if f.Lead != "" {
		fmt.Fprintf(&b, "%s\n", c.look.plain(f.Lead))
	}
	if len(f.Fields) == 0 {
		return b.String()
	}
	for _, field := range f.Fields {
		fmt.Fprintf(&b, "  %s = %s", harmless(field.Label), harmless(strings.ReplaceAll(f.value(field), "\n", `\n`)))
		if hint := hintOf(field, w, f.lists(field)); hint != "" {
			fmt.Fprintf(&b, "   (%s)", harmless(hint))
		}
		b.WriteString("\n")
		if f.lists(field) {
			for n, o := range field.Options {
				fmt.Fprintf(&b, "    [%d] %s\n", n+1, harmless(o.Label))
			}
		}
	}
	if len(f.Fields) == 1 {
		b.WriteString(w.one + "\n")
	} else {
		b.WriteString(w.how + "\n")
	}
	fmt.Fprintf(&b, w.send, harmless(f.Send))
	b.WriteString(w.leave)
	return b.String()
}

// lists reports whether the options of a field stand below it, a line each.
func (f form) lists(field bot.Field) bool { return len(f.Fields) == 1 && len(field.Options) > 0 }

// hintOf is what stands behind a field; listed says that its options stand below it.
func hintOf(field bot.Field, w formWords, listed bool) string {
	var said []string
	if field.Hint != "" {
		said = append(said, field.Hint)
	}
	if len(field.Options) > 0 && !listed {
		said = append(said, w.choices+" "+labels(field))
	}
	if field.Optional {
		said = append(said, w.optional)
	}
	return strings.Join(said, "; ")
}

func labels(field bot.Field) string {
	var all []string
	for _, o := range field.Options {
		all = append(all, o.Label)
	}
	return strings.Join(all, " | ")
}

// value is what stands in a field, as people read it.
func (f form) value(field bot.Field) string {
	v, said := f.values[field.ID]
	if !said {
		v = field.Value
	}
	for _, o := range field.Options {
		if o.ID == v {
			return o.Label
		}
	}
	return v
}

// fill takes a line while a form is open. What was sent and is to be answered it returns.
func (c *Client) fill(ctx context.Context, line string) (*asked, error) {
	f := c.form
	w := f.words()
	write := func(format string, args ...any) (*asked, error) {
		_, err := fmt.Fprintf(c.out, format, args...)
		return nil, err
	}
	switch strings.ToLower(line) {
	case "/cancel", "/取消":
		c.form = nil
		return write("%s", w.left)
	case "/send", "/发送":
		return c.submit(ctx, *f)
	}
	field, value, ok := f.said(line)
	if !ok {
		var names []string
		for _, field := range f.Fields {
			names = append(names, field.Label)
		}
		return write(w.lost, harmless(strings.Join(names, ", ")))
	}
	if len(field.Options) > 0 && value != "" {
		id, ok := option(field, value)
		if !ok {
			return write(w.unknown, harmless(value), harmless(labels(field)))
		}
		value = id
	}
	f.values[field.ID] = strings.ReplaceAll(value, `\n`, "\n")
	return write("  %s = %s\n", harmless(field.Label), harmless(strings.ReplaceAll(f.value(field), "\n", `\n`)))
}

// said takes apart what a line says of a field; the only one needs no name.
func (f form) said(line string) (bot.Field, string, bool) {
	if at := strings.IndexAny(line, "=＝:："); at > 0 && !strings.HasPrefix(line, "/") {
		_, size := utf8.DecodeRuneInString(line[at:])
		name := plainName(line[:at])
		for _, field := range f.Fields {
			_, arg, _ := strings.Cut(field.ID, ".")
			if plainName(field.Label) == name || arg != "" && plainName(arg) == name || field.ID == strings.TrimSpace(line[:at]) {
				return field, strings.TrimSpace(line[at+size:]), true
			}
		}
	}
	if len(f.Fields) == 1 && !strings.HasPrefix(line, "/") {
		return f.Fields[0], line, true
	}
	return bot.Field{}, "", false
}

// plainName is a name as people write it: in any case, with or without its spaces.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// option finds one by its number, its label or its ID.
func option(field bot.Field, said string) (string, bool) {
	if n, err := strconv.Atoi(said); err == nil && n >= 1 && n <= len(field.Options) &&
		!slices.ContainsFunc(field.Options, func(o bot.Choice) bool { return o.ID == said }) {
		return field.Options[n-1].ID, true
	}
	for _, o := range field.Options {
		if o.ID == said || strings.EqualFold(o.Label, said) {
			return o.ID, true
		}
	}
	return "", false
}

// submit sends a form. One that is not taken stays open, with what is wrong about it.
func (c *Client) submit(ctx context.Context, f form) (*asked, error) {
	id := newID()
	c.mu.Lock()
	a := c.asks("/send")
	c.mu.Unlock()
	body, err := json.Marshal(filled{ID: id, Question: f.Question, Choice: f.Choice, Values: f.values})
	if err != nil {
		return nil, err
	}
	text, status, err := c.request(ctx, http.MethodPost, "/chat/decide", body, shortReply)
	switch {
	case status == http.StatusUnprocessableEntity:
		var no wrong
		if err := json.Unmarshal(text, &no); err != nil {
			return nil, fmt.Errorf("fault of a form: %w", err)
		}
		if i := slices.IndexFunc(f.Fields, func(field bot.Field) bool { return field.ID == no.Field && no.Field != "" }); i >= 0 {
			no.Text = f.Fields[i].Label + ": " + no.Text
		}
		_, err := fmt.Fprintf(c.out, "  ✗ %s\n", harmless(no.Text))
		return nil, err
	case status == http.StatusConflict:
		var becomes bot.Becoming
		if err := json.Unmarshal(text, &becomes); err != nil {
			return nil, fmt.Errorf("effect of a form: %w", err)
		}
		c.form.values[bot.FieldSeen] = becomes.Seen
		w := f.words()
		_, err := fmt.Fprintf(c.out, "%s\n"+w.send+"%s", c.look.plain(becomes.Text), harmless(becomes.Send), w.leave)
		return nil, err
	case err != nil:
		return nil, err
	}
	c.form = nil
	a.key, a.press = pressKey(id), runOf(f.of)
	return a, nil
}
