package bot

import (
	"context"
	"sync"
	"time"
)

// later does things a while after they came up, as long as the Bot runs. What it forgets
// when the program ends is no more than a word on the way. The zero value is ready.
type later struct {
	mu     sync.Mutex
	ended  bool
	last   int
	timers map[int]*time.Timer
	work   sync.WaitGroup
}

// most is how long one of them may take.
const most = 10 * time.Second

// after does something once a time is over, unless end comes first.
func (l *later) after(ctx context.Context, d time.Duration, do func(context.Context)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	if l.timers == nil {
		l.timers = map[int]*time.Timer{}
	}
	l.last++
	n, ctx := l.last, context.WithoutCancel(ctx) // who brought the thing has left by then
	l.timers[n] = time.AfterFunc(d, func() {
		l.mu.Lock()
		_, due := l.timers[n]
		delete(l.timers, n)
		if due {
			l.work.Add(1)
		}
		l.mu.Unlock()
		if !due {
			return
		}
		defer l.work.Done()
		ctx, cancel := context.WithTimeout(ctx, most)
		defer cancel()
		do(ctx)
	})
}

// end forgets what is not due yet, and waits for what is being done.
func (l *later) end() {
	l.mu.Lock()
	l.ended = true
	for n, t := range l.timers {
		t.Stop()
		delete(l.timers, n)
	}
	l.mu.Unlock()
	l.work.Wait()
}
