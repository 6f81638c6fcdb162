package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// Attacks plays rows of others and, unless they are left out, the attacks of our own, in a
// folder that is there and empty. It needs no network, and takes about a minute.
func Attacks(ctx context.Context, dir string, rows []Attack, own bool) (Figures, error) {
	if !own {
		return attacks(ctx, dir, rows, func(theirs) []Attack { return nil })
	}
	return attacks(ctx, dir, rows, ours)
}

// attacks plays rows and what is made of the ids of what is not ana's.
func attacks(ctx context.Context, dir string, rows []Attack, own func(theirs) []Attack) (Figures, error) {
	offices := min(4, runtime.GOMAXPROCS(0)) // each writes by itself
	verdicts := make([][]Verdict, offices)
	errs := make([]error, offices)
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range offices {
		wg.Go(func() {
			if verdicts[i], errs[i] = part(ctx, filepath.Join(dir, fmt.Sprint(i)), rows, own, i, offices); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	return Figures{slices.Concat(verdicts...)}, errors.Join(errs...)
}

// part plays one of so many parts of the attacks, each of them in an office of its own.
func part(ctx context.Context, dir string, rows []Attack, own func(theirs) []Attack, n, of int) (verdicts []Verdict, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder of the attacks: %w", err)
	}
	o, err := newOffice(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	for i, a := range slices.Concat(rows, own(o.theirs)) {
		if i%of != n {
			continue
		}
		v, err := o.judge(ctx, a)
		if err != nil {
			return verdicts, fmt.Errorf("attack %s: %w", a.ID, err)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}
