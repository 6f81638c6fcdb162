package wire

import (
	"context"

	"hermes/agent/llm"
)

// A Vendor is what differs between clients: the letter of a request, with the names of
// the options in it that a model may refuse, and the two ways in which an answer is
// read. Whole and Stream give what is to be shown to say as it comes.
type Vendor[A any] struct {
	Letter func(llm.Request) (letter Letter, options []string)
	Whole  func(text []byte, say func(string)) (A, error)
	Stream func(answer *Answer, say func(string)) (A, error)
	Reply  func(answer A, r llm.Request) (llm.Reply, error)
}

// Generate asks once, and again only without an option that the vendor does not take.
// Its errors are those of Line.Error.
func Generate[A any](ctx context.Context, l *Line, v Vendor[A], r llm.Request) (llm.Reply, error) {
	for {
		letter, options := v.Letter(r)
		reply, err := v.ask(ctx, l, letter, r)
		if err == nil {
			return reply, nil
		}
		if option := l.Refused(err, options...); option != "" && ctx.Err() == nil {
			l.cfg.Log.Warn("the model does not take an option; it is left out", "model", l.cfg.Name, "option", option)
			continue
		}
		return llm.Reply{}, l.Error(ctx, err, r)
	}
}

func (v Vendor[A]) ask(ctx context.Context, l *Line, letter Letter, r llm.Request) (llm.Reply, error) {
	got, err := l.Send(ctx, letter)
	if err != nil {
		return llm.Reply{}, err
	}
	defer got.Close()
	say := r.Stream
	if say == nil {
		say = func(string) {}
	}
	var answer A
	if got.Streams() {
		answer, err = v.Stream(got, say)
	} else {
		answer, err = v.Whole(got.Whole, say)
	}
	if err != nil {
		return llm.Reply{}, err
	}
	return v.Reply(answer, r)
}
