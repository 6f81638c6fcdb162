package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// errHeld says that a daemon, or another command, has the data folder.
var errHeld = errors.New("the data folder is in use")

// lock takes the data folder for this process, and makes it if it is not there.
// The lock ends with the process, however that ends.
func lock(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w\n  hint: --data names another", err)
	}
	name := filepath.Join(dir, "lock")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		closeErr := f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, errors.Join(errHeld, closeErr)
		}
		return nil, fmt.Errorf("lock %s: %w", name, errors.Join(err, closeErr))
	}
	return func() {
		// To close it is not enough: a child that has been forked and not yet begun
		// its own program has the file too, and with it the lock. Neither can fail
		// in a way that matters: the process is done with it.
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
		_ = f.Close()
	}, nil
}
