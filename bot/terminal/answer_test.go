package terminal_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"hermes/bot"
	"hermes/bot/terminal"
)

// keyOf is the key of the last message, as the daemon made it.
func keyOf(t *testing.T, d *daemon) string {
	t.Helper()
	return d.message(t).Key
}

// Input that nobody types waits for each answer with its files, in order, and shows
// nothing of earlier.
func TestAScriptWaitsForItsAnswers(t *testing.T) {
	k := &desk{}
	k.say(bot.Line{Key: "old/end", Text: "of yesterday"})
	d := newDaemon(t, k)
	c := d.script(t)
	c.pipes("first", "", "second")
	first := keyOf(t, d)
	k.say(bot.Line{Key: first, From: terminal.Owner, Text: "first"})
	k.say(bot.Line{Key: first + "/progress", Kind: bot.Progress, Text: "Working"})
	k.say(bot.Line{Key: "slot/end", Text: "of a schedule"})
	k.say(bot.Line{Key: first + "/queued", Kind: bot.Notice, Text: "Queued as number 2"})
	k.say(bot.Line{Key: first + "/show1", Kind: bot.Report, Text: "| A | B |\n|---|---|\n| 1 | **2** |"})
	d.wakes(t)
	c.sees(t, "A  B\n-  -\n1  2\n")
	select {
	case m := <-d.to.messages:
		t.Fatalf("%q was said before the answer", m.Text)
	default:
	}
	k.say(bot.Line{Key: first + "/end", Text: "**one**", Files: []bot.File{{ID: "x"}}})
	d.wakes(t)
	c.sees(t, "hermes: one\n")
	k.say(bot.Line{Key: first + "/end/file1", Kind: bot.Report, File: &bot.File{ID: "x", Name: "x.xlsx"}})
	d.wakes(t)
	second := keyOf(t, d)
	k.say(bot.Line{Key: second + "/help", Text: "two"})
	d.wakes(t)
	if err := c.end(t); err != nil {
		t.Errorf("the script ended with %v, want nil", err)
	}
	for _, not := range []string{"You talk to Hermes", "of yesterday", "\x1b"} {
		if strings.Contains(c.text(), not) {
			t.Errorf("it shows %q:\n%s", not, c.text())
		}
	}
	if !strings.Contains(c.text(), "[file 1: x.xlsx]") || !strings.Contains(c.text(), "hermes: two") {
		t.Errorf("it shows\n%s\nwant the file and both answers", c.text())
	}
}

// A question ends the wait. The next line may answer it, by a number or in words,
// and waits for what the work then comes to; a question that is left is said.
func TestAScriptAnswersAQuestion(t *testing.T) {
	open := bot.Line{Kind: bot.Card, Text: "May I?", Choices: []bot.Choice{{ID: "approve", Label: "Approve"}, {ID: "deny", Label: "Deny"}}}
	for name, settle := range map[string]func(t *testing.T, k *desk, d *daemon, c *client, card bot.Line){
		"by a number": func(t *testing.T, _ *desk, d *daemon, c *client, card bot.Line) {
			c.types("2")
			if got := d.click(t); got.Question != card.Question || got.Choice != "deny" {
				t.Errorf("click = %+v", got)
			}
		},
		"in words": func(t *testing.T, k *desk, d *daemon, c *client, _ bot.Line) {
			c.types("no, rather not")
			k.say(bot.Line{Key: keyOf(t, d), From: terminal.Owner, Text: "no, rather not"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := &desk{}
			d := newDaemon(t, k)
			c := d.script(t)
			c.types("post it")
			said := keyOf(t, d)
			card := open
			card.Key, card.Question = said+"/q1", said+"/q1"
			k.say(card)
			d.wakes(t)
			settle(t, k, d, c, card)
			card.Rev, card.Choices, card.Text = 1, nil, "Denied by you"
			k.say(card)
			d.wakes(t)
			c.sees(t, "Denied by you")
			k.say(bot.Line{Key: said + "/end", Text: "Not posted."})
			d.wakes(t)
			c.ends(t)
			if !strings.Contains(c.text(), "hermes: Not posted.") {
				t.Errorf("it shows\n%s\nwant the answer", c.text())
			}
		})
	}
	t.Run("not at all", func(t *testing.T) {
		k := &desk{}
		d := newDaemon(t, k)
		c := d.script(t)
		c.pipes("post it")
		card := open
		card.Key = keyOf(t, d) + "/q1"
		k.say(card)
		d.wakes(t)
		if err := c.end(t); !errors.Is(err, terminal.ErrUnanswered) || !strings.Contains(err.Error(), "a question waits") || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("the script ended with %v, want that a question waits", err)
		}
		if !strings.Contains(c.text(), "[1] Approve") {
			t.Errorf("it shows\n%s\nwant the card", c.text())
		}
	})
	t.Run("Continue", func(t *testing.T) {
		k := &desk{}
		k.say(bot.Line{Key: "m0/end", Kind: bot.Trouble, Text: "Stopped.", Choices: []bot.Choice{{ID: "continue:m0", Label: "Continue"}}})
		d := newDaemon(t, k)
		c := d.script(t)
		c.types("1")
		if got := d.click(t); got.Continue != "m0" {
			t.Errorf("click = %+v", got)
		}
		k.say(bot.Line{Key: "m0/end1", Text: "All of it."})
		d.wakes(t)
		c.ends(t)
		if !strings.Contains(c.text(), "hermes: All of it.") {
			t.Errorf("it shows\n%s\nwant the answer", c.text())
		}
	})
}

// Whatever keeps something from being answered is in the error, with what was said.
func TestAScriptSaysWhatWasNotAnswered(t *testing.T) {
	for name, tt := range map[string]struct {
		wait time.Duration
		do   func(t *testing.T, k *desk, d *daemon, c *client)
		want string
	}{
		"trouble": {patience, func(t *testing.T, k *desk, d *daemon, c *client) {
			c.pipes("hello")
			k.say(bot.Line{Key: keyOf(t, d) + "/failed", Kind: bot.Trouble, Text: "Sorry."})
			d.wakes(t)
		}, `"hello": it ended without its answer`},
		"not kept": {patience, func(t *testing.T, _ *desk, d *daemon, c *client) {
			d.to.fails(errors.New("disk is full"))
			c.types("hello")
		}, `"hello": not sent: not stored: disk is full`},
		"time": {time.Millisecond, func(_ *testing.T, _ *desk, _ *daemon, c *client) {
			c.types("hello")
		}, `"hello": nothing came within 1ms; the daemon goes on with it`},
		"the daemon": {patience, func(t *testing.T, _ *desk, d *daemon, c *client) {
			c.types("hello")
			keyOf(t, d)
			d.stop()
		}, "no daemon answers"},
		"an interrupt": {patience, func(t *testing.T, _ *desk, d *daemon, c *client) {
			c.types("hello")
			keyOf(t, d)
			c.cancel()
		}, `"hello": context canceled`},
	} {
		t.Run(name, func(t *testing.T) {
			k := &desk{}
			d := newDaemon(t, k)
			c := newClientWith(t, door{d.addr}, terminal.Options{Answers: true, Wait: tt.wait})
			tt.do(t, k, d, c)
			if err := c.end(t); !errors.Is(err, terminal.ErrUnanswered) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the script ended with %v, want it to say %q", err, tt.want)
			}
		})
	}
}

// Nothing said is nothing to wait for.
func TestAnEmptyScriptEnds(t *testing.T) {
	d := newDaemon(t, &desk{})
	c := d.script(t)
	c.ends(t)
	if c.text() != "" {
		t.Errorf("it shows %q", c.text())
	}
}

// pipes writes lines and ends the input.
func (c *client) pipes(lines ...string) {
	go func() {
		_, _ = io.WriteString(c.keys, strings.Join(lines, "\n")) // a client that has gone reads nothing
		c.close()
	}()
}
