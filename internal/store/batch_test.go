package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"gorm.io/gorm"
)

// Of writes that share a transaction, one that fails, panics or is called off takes
// nothing of the others with it, and whoever asked for it is told.
func TestWritesThatWaitAreDoneTogetherAndFailAlone(t *testing.T) {
	d := openPen(t)
	at, goOn := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		err := d.write(t.Context(), func(*gorm.DB) error {
			close(at)
			<-goOn
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-at
	no := errors.New("no")
	cancelled, cancel := context.WithCancel(t.Context())
	add := func(name string, tx *gorm.DB) error { return put(tx, "", name, "x", d.now()) }
	began := 0 // under the pen
	same := map[gorm.ConnPool]bool{}
	queue := func(ctx context.Context, n int, do func(tx *gorm.DB) error, check func(error)) {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					check(fmt.Errorf("panic: %v", p))
				}
			}()
			check(d.write(ctx, func(tx *gorm.DB) error {
				began++
				same[tx.Statement.ConnPool] = true
				return do(tx)
			}))
		})
		for waiting := 0; waiting < n; {
			d.pen.queue.Lock()
			waiting = len(d.pen.queue.jobs)
			d.pen.queue.Unlock()
		}
	}
	must := func(want string) func(error) {
		return func(err error) {
			if got := fmt.Sprint(err); want == "" && err != nil || len(got) < len(want) || got[:len(want)] != want {
				t.Errorf("a write says %q, want %q", got, want)
			}
		}
	}
	queue(t.Context(), 1, func(tx *gorm.DB) error { return add("first", tx) }, must("<nil>"))
	queue(t.Context(), 2, func(tx *gorm.DB) error { return errors.Join(add("fails", tx), no) }, must("no"))
	queue(t.Context(), 3, func(tx *gorm.DB) error {
		_ = add("panics", tx)
		panic("oh")
	}, must("panic: oh"))
	queue(cancelled, 4, func(tx *gorm.DB) error {
		cancel()
		return add("called off", tx)
	}, must("context canceled"))
	queue(t.Context(), 5, func(tx *gorm.DB) error { return add("last", tx) }, must("<nil>"))
	close(goOn)
	wg.Wait()
	if began != 5 || len(same) != 1 {
		t.Errorf("%d writes in %d transactions, want 5 in 1", began, len(same))
	}
	var names []string
	if err := d.r.Raw("SELECT name FROM settings WHERE name <> 'clean' ORDER BY name").Scan(&names).Error; err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"first", "last"}) {
		t.Errorf("written is %q", names)
	}
}

// A write that is called off while it waits is not done.
func TestAWriteThatIsCalledOffWhileItWaitsIsNotDone(t *testing.T) {
	d := openPen(t)
	at, goOn := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- d.write(t.Context(), func(*gorm.DB) error {
			close(at)
			<-goOn
			return nil
		})
	}()
	<-at
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := d.write(ctx, func(*gorm.DB) error {
		t.Error("it is done")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it says %v", err)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
