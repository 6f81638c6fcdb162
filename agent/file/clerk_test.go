package file_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/file"
	"hermes/agent/result"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/agent/tool/report"
	"hermes/agent/tool/section"
)

type shelf map[string]tool.Artifact

func (s shelf) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) {
	if a.Name == "broken.txt.txt" {
		return a, errors.New("disk on fire")
	}
	if old, ok := s[a.ID]; ok {
		return old, nil
	}
	a.Hash = tool.HashOf(a, nil)
	s[a.ID] = a
	return a, nil
}

func (s shelf) Artifact(_ context.Context, id string) (tool.Artifact, error) {
	a, ok := s[id]
	if !ok {
		return a, fmt.Errorf("%s: %w", id, tool.ErrNoArtifact)
	}
	return a, nil
}

const key = "slack/T/C/1"

// What a Clerk keeps is read on by read_file_section, line by line and row by row, and
// make_report makes a report of it.
func TestWhatAClerkKeepsIsOfUse(t *testing.T) {
	s := shelf{}
	c := file.NewClerk(s, nil)
	take := func(n int, name, body string) run.File {
		t.Helper()
		f, err := c.Take(t.Context(), key, n, name, "", []byte(body))
		if err != nil || f.Why != "" {
			t.Fatalf("%s = %+v, %v", name, f, err)
		}
		return f
	}
	notes := take(1, "notes.txt", strings.Repeat("a line\n", 500)+"the needle")
	table := take(2, "sales.csv", "region,amount\nAsia,5\nEurope,7\n")
	call := tool.Call{ID: key + "/c1", Run: key, Asker: "slack:T:ana", Home: "slack/T/C/1", Lang: "en"}
	for args, want := range map[string]string{
		fmt.Sprintf(`{"id":%q,"find":"needle"}`, notes.Artifact):        "501: the needle",
		fmt.Sprintf(`{"id":%q,"from":2}`, table.Tables[0].Table):        `["Europe",7]`,
		fmt.Sprintf(`{"id":%q,"find":"asia"}`, table.Tables[0].Table):   `["Asia",5]`,
		fmt.Sprintf(`{"id":%q,"from":1,"count":1}`, "a"+"000000000000"): "there is no such result",
	} {
		call.Args = []byte(args)
		res, err := section.New(s, result.Open, nil).Run(t.Context(), call)
		if err != nil || !strings.Contains(res.Text, want) {
			t.Errorf("%s = %s, %v; want %q in it", args, res.Text, err, want)
		}
	}
	rep, err := report.New(report.Config{}, s)
	if err != nil {
		t.Fatal(err)
	}
	call.Args = fmt.Appendf(nil, `{"tables":[%q],"format":"csv","chart":"none"}`, table.Tables[0].Table)
	if res, err := rep.Run(t.Context(), call); err != nil || res.Failed || !strings.Contains(res.Text, "Europe") {
		t.Errorf("report = %+v, %v", res, err)
	}
	if again, err := c.Take(t.Context(), key, 2, "sales.csv", "", []byte("region,amount\nAsia,5\nEurope,7\n")); err != nil || !cmp.Equal(again, table) || len(s) < 3 {
		t.Errorf("taken again = %+v, %v; want the same", again, err)
	}
	if _, err := c.Take(t.Context(), key, 3, "broken.txt", "", []byte("x y")); err == nil {
		t.Error("what could not be kept is no error")
	}
	if f, err := c.Take(t.Context(), key, 4, "x.csv", "", nil); err != nil || f.Why != run.EmptyFile || f.Artifact != "" {
		t.Errorf("an empty file = %+v, %v; want it with why, and no error", f, err)
	}
}

// A file that hangs its reader or takes it down is damaged, and nothing else happens.
func TestABadFileTakesDownOnlyItsReader(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	guarded := func(mode string, limit time.Duration) *file.Clerk {
		g := file.NewGuard("/usr/bin/env", "FILE_TEST_CHILD="+mode, self)
		if limit > 0 {
			g.SetLimit(limit)
		}
		return file.NewClerk(shelf{}, g)
	}
	good := guarded("serve", 0)
	for name, b := range map[string][]byte{"report.pdf": twoPages(), "sales.xlsx": sheets(t), "a.csv": []byte(sales)} {
		want, err := file.Read(name, "", b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := good.Take(t.Context(), key, 1, name, "", b)
		for i := range got.Tables {
			got.Tables[i].Table = ""
		}
		got.Artifact = ""
		if err != nil || !cmp.Equal(got, want.File) {
			t.Errorf("%s = %v\n%s", name, err, cmp.Diff(want.File, got))
		}
	}
	// Arrays within arrays, on which the reader of PDFs overflows its stack, or is at it
	// until its time is over.
	deep := pdf(strings.Repeat("[", 2<<20))
	if f, err := good.Take(t.Context(), key, 2, "deep.pdf", "", deep); err != nil || f.Why != run.Damaged && f.Why != run.NoText && f.Why != run.TooSlow {
		t.Errorf("a file that overflows the stack = %+v, %v", f, err)
	}
	if f, err := good.Take(t.Context(), key, 3, "scan.pdf", "", pdf("q Q")); err != nil || f.Why != run.NoText || f.Pages != 1 {
		t.Errorf("a scan = %+v, %v", f, err)
	}
	if f, err := guarded("hang", 50*time.Millisecond).Take(t.Context(), key, 4, "hang.pdf", "", twoPages()); err != nil || f.Why != run.TooSlow {
		t.Errorf("a file that hangs = %+v, %v", f, err)
	}
	if _, err := file.NewClerk(shelf{}, file.NewGuard("/nowhere/at/all")).Take(t.Context(), key, 5, "a.pdf", "", twoPages()); err == nil {
		t.Error("a reader that cannot be started is no error")
	}
}
