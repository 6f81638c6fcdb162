package terminal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/bot"
	"hermes/bot/terminal"
)

func written(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Issue 4: /file brings a file with the words behind it; a path with blanks stands
// between quotes.
func TestAFileIsAttached(t *testing.T) {
	d := newDaemon(t, &desk{})
	c := d.client(t)
	for name, words := range map[string]string{"sales.csv": "what is in it?", "with blank.txt": ""} {
		path := written(t, name, "content of "+name)
		line := "/file " + path + " " + words
		if strings.Contains(name, " ") {
			line = `/file "` + path + `"`
		}
		c.types(line)
		m := d.message(t)
		if m.Text != words || len(m.Files) != 1 || m.Files[0].Name != name || m.Files[0].Size != int64(len("content of "+name)) {
			t.Fatalf("%s: heard %q with %+v", line, m.Text, m.Files)
		}
		if !strings.HasPrefix(m.Files[0].ID, m.Key+" 1 content of") {
			t.Errorf("kept as %q, want it under the message %s", m.Files[0].ID, m.Key)
		}
	}
	c.types("/file " + filepath.Join(t.TempDir(), "missing.csv"))
	c.sees(t, "not sent")
	c.types("/file " + written(t, "b.txt", "broken"))
	c.sees(t, "not stored")
	c.types("hello")
	if m := d.message(t); m.Text != "hello" || len(m.Files) != 0 {
		t.Errorf("heard %q with %+v; want nothing of what was refused", m.Text, m.Files)
	}
	c.close()
	c.ends(t)
}

// Issue 4: files of the command line go with the first line and no other.
func TestFilesOfTheCommandLine(t *testing.T) {
	d := newDaemon(t, &desk{})
	c := newClientWith(t, door{d.addr}, terminal.Options{Files: []string{written(t, "a.csv", "1"), written(t, "b.csv", "2")}})
	c.types("compare them", "thanks")
	if m := d.message(t); m.Text != "compare them" || len(m.Files) != 2 || m.Files[1].Name != "b.csv" {
		t.Errorf("heard %q with %+v, want both files", m.Text, m.Files)
	}
	if m := d.message(t); m.Text != "thanks" || len(m.Files) != 0 {
		t.Errorf("heard %q with %+v, want no file", m.Text, m.Files)
	}
	c.close()
	c.ends(t)
}

// A file larger than is read is not sent.
func TestALargeFileIsNotSent(t *testing.T) {
	d := newDaemon(t, &desk{})
	path := written(t, "big.bin", "")
	if err := os.Truncate(path, 21<<20); err != nil {
		t.Fatal(err)
	}
	c := d.client(t)
	c.types("/file " + path)
	c.sees(t, "larger than 20 MB")
	if code, _ := d.posts(t, "/chat/attach?id=x&n=1&name=a", strings.Repeat("x", 21<<20)); code != 413 {
		t.Errorf("the daemon answers %d, want 413", code)
	}
	if code, _ := d.posts(t, "/chat/attach?id=x&n=0&name=a", "x"); code != 400 {
		t.Errorf("the daemon answers %d, want 400", code)
	}
	c.close()
	c.ends(t)
}

// What was taken back is said once.
func TestWhatWasTakenBackIsSaid(t *testing.T) {
	k := &desk{}
	d := newDaemon(t, k)
	k.say(bot.Line{Key: "p1", Text: "Sales were 7.", Place: chat})
	c := d.client(t)
	c.sees(t, "Sales were 7.")
	c.forget()
	k.say(bot.Line{Key: "p1", Rev: 1, Gone: true, Place: chat})
	d.wakes(t)
	c.sees(t, "hermes took back: Sales were 7.")
	c.close()
	c.ends(t)
}
