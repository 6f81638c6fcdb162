package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"hermes/bot"
)

// Where nobody types, a line is done when its answer stands there, or a question.

// ErrUnanswered is in the error of a Client whose input has ended before everything
// that was said had its answer.
var ErrUnanswered = errors.New("not answered")

// asked is something that was said, with what stood there then.
type asked struct {
	text  string
	key   string
	press string // the run whose button was pressed
	known map[string]bool
	open  map[string]string // key of each card that waited: the run that it belongs to
}

// asks notes what stands there. The caller has the lock.
func (c *Client) asks(text string) *asked {
	a := &asked{text: text, known: map[string]bool{}, open: map[string]string{}}
	for _, l := range c.lines {
		a.known[l.Key] = true
		if waits(l) {
			a.open[l.Key] = runOf(l)
		}
	}
	return a
}

// waits reports whether a line is a card that is still open, or offers to go on.
func waits(l bot.Line) bool {
	return l.Kind == bot.Card && l.Rev == 0 || l.Kind != bot.Progress && len(l.Choices) > 0
}

// runOf is the key of the run that has said a line: that of what began it.
func runOf(l bot.Line) string { return l.Key[:max(0, strings.LastIndexByte(l.Key, '/'))] }

// answer is the line that ends the wait, once it and its files are all there. What
// was said is answered under its own key, or it settles a card whose run goes on.
func (a *asked) answer(lines []bot.Line) (found bot.Line, ok bool) {
	runs := map[string]bool{a.key: true, a.press: a.press != ""}
	there := map[string]bool{}
	for _, l := range lines {
		there[l.Key] = true
		if run, was := a.open[l.Key]; was && !waits(l) {
			runs[run] = true
		}
	}
	for _, l := range lines {
		if l.From != "" || a.known[l.Key] || !runs[runOf(l)] {
			continue
		}
		for i := range l.Files {
			if !there[fmt.Sprintf("%s/file%d", l.Key, i+1)] {
				return found, false
			}
		}
		if l.Kind != bot.Progress && l.Kind != bot.Report && l.Kind != bot.Notice {
			found, ok = l, true
		}
	}
	return found, ok
}

// converse says every line and waits for what comes of it.
func (c *Client) converse(ctx context.Context, lines <-chan typed, follow <-chan error) error {
	select { // what stands there must be known before a number can press anything
	case <-c.shown:
	case err := <-follow:
		return err
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrUnanswered, ctx.Err())
	}
	var last bot.Line
	var faults []error
	for {
		line, more, err := c.next(ctx, lines, follow)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		a, err := c.say(ctx, line)
		if err != nil {
			return fmt.Errorf("%w: %q: %w", ErrUnanswered, line, cmp.Or(context.Cause(ctx), err))
		}
		if a == nil {
			continue
		}
		if last, err = c.await(ctx, a, follow); err != nil {
			return err
		}
		if last.Kind == bot.Trouble {
			faults = append(faults, fmt.Errorf("%w: %q: it ended without its answer; the lines above say why", ErrUnanswered, line))
		}
	}
	if c.form != nil {
		faults = append(faults, fmt.Errorf("%w: a form was left open, so nothing was decided\n  hint: end it with /send or /cancel", ErrUnanswered))
	} else if last.Kind == bot.Card && waits(last) {
		faults = append(faults, fmt.Errorf("%w: a question waits; the lines above show it\n  hint: pipe the number of a button as a line, or answer in `hermes chat`", ErrUnanswered))
	}
	return errors.Join(faults...)
}

// next is the next line that says something, and false after the last one.
func (c *Client) next(ctx context.Context, lines <-chan typed, follow <-chan error) (text string, more bool, err error) {
	for {
		select {
		case line, more := <-lines:
			if !more || line.err != nil || line.text != "" {
				return line.text, more, line.err
			}
		case err := <-follow:
			return "", false, err
		case <-ctx.Done():
			return "", false, nil
		}
	}
}

// await waits for the answer of what was said.
func (c *Client) await(ctx context.Context, a *asked, follow <-chan error) (bot.Line, error) {
	if c.opts.Wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.opts.Wait, fmt.Errorf("nothing came within %s; the daemon goes on with it, and `hermes chat` shows what comes", c.opts.Wait))
		defer cancel()
	}
	for {
		c.mu.Lock()
		l, ok := a.answer(c.lines)
		c.mu.Unlock()
		if ok {
			return l, nil
		}
		select {
		case <-c.shown:
		case err := <-follow:
			if err == nil {
				err = context.Cause(ctx)
			}
			return l, fmt.Errorf("%w: %q: %w", ErrUnanswered, a.text, err)
		case <-ctx.Done():
			return l, fmt.Errorf("%w: %q: %w", ErrUnanswered, a.text, context.Cause(ctx))
		}
	}
}
