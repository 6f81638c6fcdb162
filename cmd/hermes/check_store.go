package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"hermes/config"
	"hermes/internal/store"
)

// checkStore says where the store is and whether `serve` could open it. It changes
// nothing.
func (s *shell) checkStore(ctx context.Context, cfg config.Config, report func(what string, err error, hint string)) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if at, ok := postgresAt(cfg); ok {
		state, err := s.checkPostgres(ctx, cfg)
		if err != nil {
			report("store: "+at, err, "")
			return
		}
		report(fmt.Sprintf("store: %s, %s", at, state), nil, "")
		return
	}
	name := dsn(cfg)
	state, err := fileState(name)
	if err != nil {
		report("store: "+name, err, "database names the file, which must be a SQLite database that this user can read and write")
		return
	}
	if held(cfg.Data) {
		state += ", locked: a daemon runs on " + cfg.Data
	}
	report(fmt.Sprintf("store: %s, %s", name, state), nil, "")
}

// checkPostgres opens the store as serve does, in sessions in which the server lets
// nothing be written: so it tells what would be done first.
func (s *shell) checkPostgres(ctx context.Context, cfg config.Config) (state string, err error) {
	readOnly, err := readOnlyURL(string(cfg.Database))
	if err != nil {
		return "", err
	}
	db, err := store.Open(ctx, store.Config{DSN: readOnly, Log: s.logger("error"), Audit: auditKeys(cfg)})
	var told *store.Error
	switch {
	case err == nil:
		_ = db.Close() // it complains that it may not free what nobody has claimed
		return "its schema is up to date", nil
	case refusedWrite(err) && strings.Contains(err.Error(), "migration 0001_"):
		return "empty: `hermes serve` makes its tables", nil
	case refusedWrite(err):
		return "its schema is older: `hermes serve` brings it up to date; make a backup first", nil
	case errors.As(err, &told):
		return "", fmt.Errorf("%w\n  hint: %s", told.Err, told.Hint) // its own text names the user
	}
	return "", err
}

// readOnlyURL has the server refuse every write, and not keep us waiting for a host
// that does not answer.
func readOnlyURL(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errors.New("database is not a whole URL") // the error would say the password
	}
	q := u.Query()
	q.Set("default_transaction_read_only", "on")
	if !q.Has("connect_timeout") {
		q.Set("connect_timeout", fmt.Sprint(int(checkTime.Seconds())))
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// refusedWrite reports whether the server refused to write in a session that only
// reads.
func refusedWrite(err error) bool {
	var e interface{ SQLState() string }
	return errors.As(err, &e) && e.SQLState() == "25006"
}

// fileState says whether a file is there and begins as SQLite's do. An empty one is
// a new one.
func fileState(name string) (state string, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "not there yet: `hermes serve` makes it", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a file")
	case info.Size() == 0:
		return "empty", nil
	}
	head := make([]byte, 16)
	if _, err := io.ReadFull(f, head); err != nil || !bytes.Equal(head, []byte("SQLite format 3\x00")) {
		return "", errors.New("it is not a SQLite database")
	}
	if err := unix.Access(name, unix.W_OK); err != nil {
		return "", fmt.Errorf("it cannot be written: %w", err)
	}
	return fmt.Sprintf("%d KB", (info.Size()+1023)/1024), nil
}

// held reports whether a process has the lock of a data folder. It does not make one.
func held(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if err != nil {
		return false // nobody has made it yet
	}
	defer func() { _ = f.Close() }() // it was only looked at
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}
