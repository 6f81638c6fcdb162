package bottest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/bot"
)

// TestOutbox checks the promises of bot.Outbox. fresh is as that of TestInbox.
func TestOutbox(t *testing.T, fresh func(*testing.T) (open func() bot.Outbox)) {
	tests := map[string]func(context.Context, *testing.T, func() bot.Outbox){
		"line":      outboxLine,
		"revs":      revs,
		"rev after": revAfterUnknown,
		"receipts":  receipts,
		"after":     after,
		"following": following,
		"asking":    asking,
		"failed":    failed,
		"retry":     outboxRetry,
		"wake":      wake,
		"what ends": outboxEnds,
		"content":   outboxContent,
		"gone":      gone,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			test(ctx, t, fresh(t))
		})
	}
}

// says takes the next Post, which must be the one with that key and text.
func says(ctx context.Context, t *testing.T, out bot.Outbox, key, text, promise string) bot.Post {
	t.Helper()
	p, err := out.Next(ctx)
	if err != nil || p.Key != key || p.Text != text {
		t.Fatalf("next = %q %q, %v; want %q %q: %s", p.Key, p.Text, err, key, text, promise)
	}
	return p
}

// The posts of a question are those and no others, wherever they are, as they stand now.
func asking(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	for _, p := range []bot.Post{
		{Key: "q1", Place: room("a"), Question: "q1", Text: "card"}, {Key: "q1/for/lee", Place: room("b"), Question: "q1", Text: "card"},
		{Key: "q10", Place: room("a"), Question: "q10", Text: "card"}, in("a", "other", "text", 0),
	} {
		must(t, out.Add(ctx, p), "add "+p.Key)
	}
	must(t, out.Add(ctx, bot.Post{Key: "q1/for/lee", Rev: 7, Place: room("b"), Question: "q1", Text: "settled"}), "settle")
	for question, want := range map[string][]string{"q1": {"q1 card", "q1/for/lee settled"}, "q10": {"q10 card"}, "q": nil, "": nil} {
		posts, err := out.Asking(ctx, question)
		var got []string
		for _, p := range posts {
			got = append(got, p.Key+" "+p.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("posts of %q, %v (-want +got):\n%s", question, err, diff)
		}
	}
}

func in(channel, key, text string, rev int) bot.Post {
	return bot.Post{Key: key, Rev: rev, Place: room(channel), Text: text}
}

// arrives notes a receipt and ends the post.
func arrives(ctx context.Context, t *testing.T, out bot.Outbox, p bot.Post) bot.Ref {
	t.Helper()
	r := receipt(p)
	must(t, out.Note(ctx, p, r), "note "+p.Key)
	must(t, out.Done(ctx, p), "done "+p.Key)
	return r.Ref
}

func outboxLine(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	line{
		add: func(key, channel string) error { return out.Add(ctx, in(channel, key, "", 0)) },
		next: func(ctx context.Context) (string, int, error) {
			p, err := out.Next(ctx)
			return p.Key, p.Attempt, err
		},
		done: func(key string) error { return out.Done(ctx, bot.Post{Key: key, Fence: 1}) },
	}.check(ctx, t)
}

func revs(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	add := func(text string, rev int) {
		t.Helper()
		must(t, out.Add(ctx, in("a", "p", text, rev)), "add "+text)
	}
	add("zero", 0)
	add("again", 0)
	add("two", 2)
	add("one", 1)
	two := says(ctx, t, out, "p", "two", "of what was never given out the highest rev is left")
	if two.Delivered != nil || two.Attempt != 1 {
		t.Errorf("given with delivered %v and attempt %d, want none and 1", two.Delivered, two.Attempt)
	}
	add("three", 3)
	ref := arrives(ctx, t, out, two)
	three := says(ctx, t, out, "p", "three", "a rev that came while one was under way is due when that ends")
	if three.Delivered == nil || *three.Delivered != ref || three.Receipt != nil {
		t.Errorf("given with delivered %v and receipt %v, want %v and none", three.Delivered, three.Receipt, ref)
	}
	arrives(ctx, t, out, three)
	add("two again", 2)
	add("four", 4)
	four := says(ctx, t, out, "p", "four", "a higher rev of what was delivered is due")
	if four.Delivered == nil || *four.Delivered != ref || four.Attempt != 1 {
		t.Errorf("given with delivered %v and attempt %d, want %v and 1", four.Delivered, four.Attempt, ref)
	}
	if err := out.Done(ctx, three); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done of an earlier claim = %v, want ErrLost", err)
	}
}

// What was given out may be there, whatever is to be said in its place since.
func revAfterUnknown(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	must(t, out.Add(ctx, in("a", "p", "zero", 0)), "add")
	says(ctx, t, out, "p", "zero", "it is all there is")

	out = open()
	must(t, out.Add(ctx, in("a", "p", "one", 1)), "add a higher rev")
	one := says(ctx, t, out, "p", "one", "a rev that was cut off gives way to the next")
	if one.Delivered != nil || one.Attempt != 2 {
		t.Errorf("given with delivered %v and attempt %d, want none and 2: nobody knows what became of the first", one.Delivered, one.Attempt)
	}
	arrives(ctx, t, out, one)
	must(t, out.Add(ctx, in("a", "p", "two", 2)), "add a higher rev")
	if two := says(ctx, t, out, "p", "two", "it is due"); two.Delivered == nil || two.Attempt != 1 {
		t.Errorf("given with delivered %v and attempt %d, want where it is and 1", two.Delivered, two.Attempt)
	}
}

func receipts(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	must(t, out.Add(ctx, in("a", "p", "zero", 0)), "add")
	p := says(ctx, t, out, "p", "zero", "it is all there is")
	r := bot.Receipt{Ref: bot.Ref{Place: p.Place, ID: "17.5"}, Link: "https://x"}
	must(t, out.Note(ctx, p, r), "note")

	out = open()
	again := says(ctx, t, out, "p", "zero", "what has not ended is given again")
	if again.Receipt == nil || *again.Receipt != r || again.Attempt != 2 {
		t.Fatalf("given again with receipt %v and attempt %d, want %v and 2", again.Receipt, again.Attempt, r)
	}
	if err := out.Note(ctx, p, r); !errors.Is(err, bot.ErrLost) {
		t.Errorf("note by the dead = %v, want ErrLost", err)
	}
	must(t, out.Add(ctx, in("a", "p", "one", 1)), "add")
	must(t, out.Done(ctx, again), "done")
	one := says(ctx, t, out, "p", "one", "the end of a rev leaves the next")
	if one.Receipt != nil || one.Delivered == nil || *one.Delivered != r.Ref {
		t.Errorf("given with receipt %v and delivered %v, want none and %v", one.Receipt, one.Delivered, r.Ref)
	}
}

func after(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	file := in("a", "m/file1", "", 0)
	file.File, file.After = &bot.File{ID: "f", Name: "f.xlsx", Mime: "x/y"}, "m"
	must(t, out.Add(ctx, file), "add the file")
	must(t, out.Add(ctx, in("a", "m", "report", 0)), "add the message")
	m := says(ctx, t, out, "m", "report", "what belongs to another waits for it, and does not hold it up")
	must(t, out.Add(ctx, in("b", "other", "other", 0)), "add")
	says(ctx, t, out, "other", "other", "it waits until the other is there")
	ref := arrives(ctx, t, out, m)
	got := says(ctx, t, out, "m/file1", "", "then it comes")
	if got.Thread != ref || got.File == nil || *got.File != *file.File {
		t.Errorf("given with thread %v and file %v, want %v and %v", got.Thread, got.File, ref, file.File)
	}
}

// What belongs to a post tells its fate with the others of that post, and while it
// waits for another try the place goes on.
func following(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	must(t, out.Add(ctx, in("a", "m", "report", 0)), "add the message")
	arrives(ctx, t, out, says(ctx, t, out, "m", "report", "it is all there is"))
	for _, key := range []string{"m/file1", "m/file2"} {
		file := in("a", key, "", 0)
		file.File, file.After = &bot.File{ID: key}, "m"
		must(t, out.Add(ctx, file), "add "+key)
	}
	must(t, out.Add(ctx, in("a", "next", "next", 0)), "add another")
	first := says(ctx, t, out, "m/file1", "", "the oldest comes first")
	must(t, out.Retry(ctx, first, "refused", time.Now().Add(500*time.Millisecond)), "retry")
	second := says(ctx, t, out, "m/file2", "", "a file that waits for another try holds up no other")
	must(t, out.Note(ctx, second, bot.Receipt{Failed: "too large"}), "note")
	must(t, out.Done(ctx, second), "done")
	arrives(ctx, t, out, says(ctx, t, out, "next", "next", "and nothing that comes after it"))
	fates := func(want ...string) {
		t.Helper()
		posts, err := out.Following(ctx, "m")
		var got []string
		for _, p := range posts {
			fate := "open"
			if p.Receipt != nil {
				fate = "failed: " + p.Receipt.Failed
			}
			got = append(got, p.Key+" "+fate)
		}
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("following, %v (-want +got):\n%s", err, d)
		}
	}
	fates("m/file1 open", "m/file2 failed: too large")
	arrives(ctx, t, out, says(ctx, t, out, "m/file1", "", "it comes when it is due"))
	fates("m/file1 failed: ", "m/file2 failed: too large")
	for _, key := range []string{"next", "never", ""} {
		if posts, err := out.Following(ctx, key); err != nil || len(posts) != 0 {
			t.Errorf("following %q = %d posts, %v; want none", key, len(posts), err)
		}
	}
}

func failed(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	file := in("a", "m/file1", "", 0)
	file.File, file.After = &bot.File{ID: "f"}, "m"
	must(t, out.Add(ctx, in("a", "m", "report", 0)), "add the message")
	must(t, out.Add(ctx, file), "add the file")
	m := says(ctx, t, out, "m", "report", "the oldest comes first")
	must(t, out.Note(ctx, m, bot.Receipt{Failed: "no such channel"}), "note")
	must(t, out.Done(ctx, m), "done")
	file.Key = "m/file2"
	must(t, out.Add(ctx, file), "add another file")
	must(t, out.Add(ctx, in("a", "m", "report again", 1)), "add a higher rev")
	again := says(ctx, t, out, "m", "report again", "a rev that failed does not keep the next from being tried, and its files are gone")
	if again.Delivered != nil || again.Receipt != nil || again.Attempt != 1 {
		t.Errorf("given with delivered %v, receipt %v, attempt %d; want none, none, 1", again.Delivered, again.Receipt, again.Attempt)
	}
	arrives(ctx, t, out, again)
	must(t, out.Add(ctx, in("a", "last", "last", 0)), "add")
	says(ctx, t, out, "last", "last", "what has failed is not tried again")
}

func outboxRetry(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	must(t, out.Add(ctx, in("a", "a1", "", 0)), "add")
	must(t, out.Add(ctx, in("a", "a2", "", 0)), "add")
	a1 := says(ctx, t, out, "a1", "", "the oldest comes first")
	must(t, out.Retry(ctx, a1, "busy", time.Now().Add(time.Hour)), "retry")
	must(t, out.Add(ctx, in("b", "b1", "", 0)), "add")
	b1 := says(ctx, t, out, "b1", "", "nothing overtakes what its place has to wait for")
	must(t, out.Retry(ctx, b1, "busy", time.Now().Add(20*time.Millisecond)), "retry")
	if b1 = says(ctx, t, out, "b1", "", "it comes when it is due"); b1.Attempt != 2 {
		t.Errorf("attempt %d, want 2", b1.Attempt)
	}
}

// What waits for its workspace goes at once when that is there, and what stands behind
// it after it; what waits for something else, or elsewhere, is left to wait.
func wake(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	for _, key := range []string{"a", "b", "c", "d"} {
		p := in(key, key+"1", "", 0)
		if key == "d" {
			p.Place.Workspace = "w2"
		}
		must(t, out.Add(ctx, p), "add")
		why := map[string]string{"a": "shut: revoked", "b": "busy", "c": "shut: revoked", "d": "shut: revoked"}[key]
		must(t, out.Retry(ctx, says(ctx, t, out, p.Key, "", "it is alone"), why, time.Now().Add(time.Hour)), "retry")
	}
	must(t, out.Add(ctx, in("a", "a2", "", 0)), "add")
	must(t, out.Wake(ctx, bot.Place{Platform: "test", Workspace: "w"}, "shut: "), "wake")
	a1 := says(ctx, t, out, "a1", "", "it waits no longer")
	if a1.Attempt != 2 {
		t.Errorf("attempt %d, want 2", a1.Attempt)
	}
	arrives(ctx, t, out, says(ctx, t, out, "c1", "", "all of the workspace wait no longer"))
	arrives(ctx, t, out, a1)
	arrives(ctx, t, out, says(ctx, t, out, "a2", "", "what stood behind it follows"))
	must(t, out.Add(ctx, in("e", "e1", "", 0)), "add")
	arrives(ctx, t, out, says(ctx, t, out, "e1", "", "what waits for something else, or in another workspace, still does"))
	must(t, out.Wake(ctx, bot.Place{Platform: "test", Workspace: "w"}, ""), "wake")
	says(ctx, t, out, "b1", "", "whatever it waited for")
}

func outboxEnds(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	must(t, out.Add(ctx, in("a", "a", "", 0)), "add")
	p := says(ctx, t, out, "a", "", "it is all there is")
	must(t, out.Note(ctx, p, receipt(p)), "note")
	must(t, out.Note(ctx, p, receipt(p)), "note again")
	must(t, out.Done(ctx, p), "done")
	must(t, out.Done(ctx, p), "done again")
	if err := out.Done(ctx, bot.Post{Key: "never", Fence: 1}); !errors.Is(err, bot.ErrLost) {
		t.Errorf("done of what never was = %v, want ErrLost", err)
	}
	if err := out.Note(ctx, bot.Post{Key: "never", Fence: 1}, bot.Receipt{}); !errors.Is(err, bot.ErrLost) {
		t.Errorf("note on what never was = %v, want ErrLost", err)
	}
}

// What was taken back stays so, whatever comes later under its key.
func gone(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	must(t, out.Add(ctx, in("a", "p", "zero", 0)), "add")
	ref := arrives(ctx, t, out, says(ctx, t, out, "p", "zero", "it is all there is"))
	back := in("a", "p", "", 1)
	back.Gone = true
	must(t, out.Add(ctx, back), "take back")
	must(t, out.Add(ctx, in("a", "p", "two", 2)), "add a higher rev of what is taken back")
	got := says(ctx, t, out, "p", "", "what is taken back is due")
	if !got.Gone || got.Delivered == nil || *got.Delivered != ref {
		t.Errorf("given with gone %t and delivered %v, want %v taken back", got.Gone, got.Delivered, ref)
	}
	arrives(ctx, t, out, got)
	must(t, out.Add(ctx, in("a", "p", "three", 3)), "add a higher rev of what is gone")
	back.Rev = 4
	must(t, out.Add(ctx, back), "take back again")
	if again := says(ctx, t, out, "p", "", "it may be taken back again, and nothing else comes"); !again.Gone || again.Rev != 4 {
		t.Errorf("given rev %d, gone %t; want 4, gone", again.Rev, again.Gone)
	}
}

func outboxContent(ctx context.Context, t *testing.T, open func() bot.Outbox) {
	out := open()
	want := bot.Post{
		Key: "k", Rev: 3, Place: bot.Place{Platform: "test", Workspace: "w", Channel: "C", Thread: "1/2"}, Text: "**早** \x00", Lang: "zh",
		Kind: bot.Card, Footer: "small", Question: "q", Choices: []bot.Choice{{ID: "yes", Label: "Yes", Style: bot.Primary}}, Only: "test:w:u",
		Artifact: "a1", Hash: "h", Run: "r", Home: room("home"), Trace: "t",
	}
	must(t, out.Add(ctx, want), "add")
	got := says(ctx, t, out, "k", want.Text, "it is all there is")
	got.Attempt, got.Fence = 0, 0
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("post (-added +given):\n%s", d)
	}
}
