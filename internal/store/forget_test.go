package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hermes/memory"
)

// M17 what memory has forgotten stands in no file of the database: not in the tables, not
// in the index of words, not in the log.
func TestForgottenIsInNoFile(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "hermes.db")
	d, err := Open(ctx, Config{DSN: path})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const ann, words = "web:w:ann", "my locker opens with Zanzibarquartz"
	m := memory.New(d.Facts(), time.Now)
	mine := memory.Audience{Kind: memory.ForUser, ID: ann}
	for i := range 50 { // so that it is one among many, on pages that others need too
		text := fmt.Sprintf("the tram number %d stops at the market", i)
		if i == 25 {
			text = words
		}
		f := memory.Fact{Subject: ann, Predicate: memory.Note, Object: text, Text: text, By: ann, Source: fmt.Sprint("m", i), Audience: mine}
		if _, err := m.Remember(ctx, f); err != nil {
			t.Fatal(err)
		}
		if err := m.Log(ctx, memory.Episode{ID: fmt.Sprint("r", i), At: time.Now(), Who: ann, Text: "noted: " + text, Audience: mine}); err != nil {
			t.Fatal(err)
		}
	}
	v := memory.Viewer{Person: ann, Direct: true}
	found, err := m.Recall(ctx, v, "locker Zanzibarquartz", 1)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	holding := func() (files []string) {
		for _, end := range []string{"", "-wal", "-shm"} {
			b, err := os.ReadFile(path + end)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			for _, part := range []string{words, "Zanzibarquartz", "zanzibarquartz"} {
				if bytes.Contains(b, []byte(part)) {
					files = append(files, "hermes.db"+end+" has "+part)
				}
			}
		}
		return files
	}
	if len(holding()) == 0 {
		t.Fatal("the test looks in the wrong files")
	}
	gone, err := m.Forget(ctx, v, []string{found[0].ID})
	if err != nil || gone.Count != 1 {
		t.Fatal(gone, err)
	}
	for _, f := range holding() {
		t.Errorf("after it was forgotten %s", f)
	}
	for _, probe := range []string{"locker", "Zanzibarquartz", "what opens my locker?"} {
		if found, _ := m.Recall(ctx, v, probe, 9); len(found) > 0 && found[0].Object == words {
			t.Errorf("recall finds it by %q", probe)
		}
		if es, _ := m.Episodes(ctx, v, probe, 9); len(es) > 0 {
			t.Errorf("episodes have it by %q: %v", probe, es)
		}
	}
	if es, err := m.Episodes(ctx, v, "tram market", 60); err != nil || len(es) != 49 {
		t.Errorf("%d other episodes are left, %v", len(es), err)
	}
}
