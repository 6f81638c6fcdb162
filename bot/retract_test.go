package bot_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hermes/agent/llm"
	"hermes/bot"
	"hermes/bot/bottest"
)

// robbed is a platform after whose first post another has been given the post.
type robbed struct {
	*bottest.Platform
	once sync.Once
	rob  func()
	mu   sync.Mutex
	back []string
}

func (r *robbed) Post(ctx context.Context, p bot.Post) (bot.Receipt, error) {
	rc, err := r.Platform.Post(ctx, p)
	r.once.Do(func() {
		r.rob()
		<-time.After(time.Second) // the other takes it meanwhile
	})
	return rc, err
}

func (r *robbed) Retract(_ context.Context, p bot.Post, rc bot.Receipt) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.back = append(r.back, p.Key+" at "+rc.Ref.ID)
	return nil
}

// O1: who finds a post lost after it was said has its platform take a second copy back,
// once; the other notes what became of it.
func TestO1APostLostAfterItWasSaidIsRetracted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		thief := &robbed{}
		r := start(t, setup{
			says:   map[string][]llm.Reply{"m1": {says("Hello.")}},
			poster: func(p bot.Poster) bot.Poster { thief.Platform = p.(*bottest.Platform); return thief },
		})
		thief.rob = r.out.Restart
		r.hear("m1", here, "hi")
		pass(time.Minute)
		r.shows("m1/end")
		thief.mu.Lock()
		defer thief.mu.Unlock()
		if len(thief.back) != 1 || !strings.HasPrefix(thief.back[0], "m1/end at ") {
			t.Errorf("taken back: %v, want the answer once", thief.back)
		}
		if got := r.out.of("m1/end"); !slices.Contains(got, "done") {
			t.Errorf("the outbox was told %v, want the other's end", got)
		}
	})
}
