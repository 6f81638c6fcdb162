package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"testing"

	"gorm.io/gorm"
)

func openPen(t *testing.T) *DB {
	t.Helper()
	d, err := Open(t.Context(), Config{DSN: filepath.Join(t.TempDir(), "hermes.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func level(t *testing.T, w *gorm.DB) (n int) {
	t.Helper()
	if err := w.Raw("PRAGMA synchronous").Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// What a transaction has prepared stays prepared for the next one.
func TestAStatementIsPreparedOnce(t *testing.T) {
	d := openPen(t)
	count := func() int { return len(d.pen.said) }
	say := func() {
		err := d.write(t.Context(), func(tx *gorm.DB) error { return put(tx, "", "a", "b", d.now()) })
		if err != nil {
			t.Fatal(err)
		}
	}
	say()
	before := count()
	for range 10 {
		say()
	}
	if count() != before {
		t.Errorf("%d statements are prepared after ten more writes, %d before", count(), before)
	}
}

// A transaction that fails leaves nothing behind, and the next one is not part of it.
func TestWhatFailsHalfwayIsRolledBack(t *testing.T) {
	d := openPen(t)
	no := errors.New("no")
	err := d.write(t.Context(), func(tx *gorm.DB) error {
		if err := put(tx, "", "half", "x", d.now()); err != nil {
			return err
		}
		return no
	})
	if !errors.Is(err, no) {
		t.Fatalf("the write says %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = d.write(ctx, func(tx *gorm.DB) error {
		cancel()
		return put(tx, "", "half", "x", d.now())
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a write that was called off says %v", err)
	}
	var n int
	if err := d.r.Raw("SELECT count(*) FROM settings WHERE name = 'half'").Scan(&n).Error; err != nil || n != 0 {
		t.Errorf("%d rows of writes that failed, %v", n, err)
	}
	if err := d.write(t.Context(), func(tx *gorm.DB) error { return put(tx, "", "whole", "x", d.now()) }); err != nil {
		t.Errorf("the next write: %v", err)
	}
}

// A connection that broke is replaced, and the new one waits for the disk whatever the
// old one did.
func TestABrokenConnectionIsReplaced(t *testing.T) {
	d := openPen(t)
	if err := d.soften(t.Context(), func(w *gorm.DB) error {
		if n := level(t, w); n != 1 {
			t.Errorf("softly it writes at level %d, want 1", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.pen.conn.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
		t.Fatalf("breaking it: %v", err)
	}
	set := func() error {
		return d.write(t.Context(), func(tx *gorm.DB) error { return put(tx, "", "a", "b", d.now()) })
	}
	if err := set(); err == nil {
		t.Error("a write on a broken connection says nothing")
	}
	if err := set(); err != nil {
		t.Fatalf("the write after it: %v", err)
	}
	if err := d.commit(t.Context(), func(w *gorm.DB) error {
		if n := level(t, w); n != 2 {
			t.Errorf("a commit waits at level %d, want 2", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
