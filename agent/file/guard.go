package file

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/filename"
)

// A Guard has workbooks and PDFs read by a process of their own, since a reader of
// such a format may hang, eat all memory, or overflow its stack, which no recover
// catches.
type Guard struct {
	command []string
	room    chan struct{}
	limits  func([]byte) time.Duration // how long each may take
}

// Bounds of the process.
const (
	// Measured beside other work: 500 full pages take 1.5 s, and a workbook of 190,000
	// rows and ten columns half a minute. A PDF whose references go in a circle has no
	// end, a workbook does.
	pdfTime    = 10 * time.Second
	readTime   = 90 * time.Second
	readMemory = 512 << 20 // at which its garbage is collected as hard as can be
	readStack  = 64 << 20
	mostAnswer = 16 << 20 // bytes of what it says: a text, tables and what they amount to
	atOnce     = 2
)

// NewGuard returns a Guard. The command is this program with words that make it call
// Serve.
func NewGuard(command ...string) *Guard {
	return &Guard{command: command, room: make(chan struct{}, atOnce), limits: func(b []byte) time.Duration {
		if sniff(b) == isPDF {
			return pdfTime
		}
		return readTime
	}}
}

// A job is what the process is told, before the bytes.
type job struct {
	Name, Mime string
	Size       int
}

// A reading is what it says.
type reading struct {
	File  run.File
	Body  string
	Grids []tool.Grid
	Why   run.Unread
}

// read reads a file where it can do no harm.
func (g *Guard) read(ctx context.Context, name, mime string, b []byte) (Text, error) {
	if g == nil || !dangerous(b) || len(b) > MaxBytes {
		return Read(name, mime, b)
	}
	select {
	case g.room <- struct{}{}:
		defer func() { <-g.room }()
	case <-ctx.Done():
		return Text{}, ctx.Err()
	}
	head, err := json.Marshal(job{name, mime, len(b)})
	if err != nil {
		return Text{}, fmt.Errorf("encode job: %w", err)
	}
	within, cancel := context.WithTimeout(ctx, g.limits(b))
	defer cancel()
	cmd := exec.CommandContext(within, g.command[0], g.command[1:]...) //nolint:gosec // it is this program itself
	cmd.Stdin = io.MultiReader(bytes.NewReader(append(head, '\n')), bytes.NewReader(b))
	// What it unpacks to disk goes when it does, however it ends.
	scratch, err := os.MkdirTemp("", "hermes-read-")
	if err != nil {
		return Text{}, fmt.Errorf("room to read a file in: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }() // it is ours, and empty unless the reader was killed
	cmd.Env = []string{"TMPDIR=" + scratch}      // it is told none of what we were
	cmd.WaitDelay = time.Second
	out := capped{left: mostAnswer}
	cmd.Stdout = &out
	failed := Text{File: run.File{Name: filename.Clean(name), Mime: plainMime(mime), Size: int64(len(b)), Why: run.Damaged}}
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return failed, ctx.Err()
		case within.Err() != nil:
			failed.Why = run.TooSlow // references in a circle, and the like
			return failed, run.TooSlow
		case errors.As(err, &exit), errors.Is(err, errTalkative):
			return failed, run.Damaged // the file has brought it down
		}
		return failed, fmt.Errorf("start %s: %w", g.command[0], err)
	}
	var r reading
	if err := json.Unmarshal(out.said.Bytes(), &r); err != nil {
		return failed, run.Damaged
	}
	t := Text{File: r.File, Body: r.Body, Grids: r.Grids}
	if r.Why != "" {
		return t, r.Why
	}
	return t, nil
}

var errTalkative = errors.New("the reader says too much")

// capped keeps so many bytes, and ends who writes more.
type capped struct {
	said bytes.Buffer
	left int
}

func (c *capped) Write(b []byte) (int, error) {
	if c.left -= len(b); c.left < 0 {
		return 0, errTalkative
	}
	return c.said.Write(b)
}

// Serve reads one file, as a Guard tells it to, and writes what it is. It is the whole
// life of a process.
func Serve(in io.Reader, out io.Writer) error {
	debug.SetMemoryLimit(readMemory)
	debug.SetMaxStack(readStack)
	all, err := io.ReadAll(io.LimitReader(in, MaxBytes+64<<10))
	if err != nil {
		return fmt.Errorf("read job: %w", err)
	}
	head, b, _ := bytes.Cut(all, []byte("\n"))
	var j job
	if err := json.Unmarshal(head, &j); err != nil {
		return fmt.Errorf("decode job: %w", err)
	}
	if len(b) != j.Size {
		return fmt.Errorf("job of %d bytes has %d", j.Size, len(b))
	}
	t, err := Read(j.Name, j.Mime, b)
	r := reading{File: t.File, Body: t.Body, Grids: t.Grids}
	if err != nil && !errors.As(err, &r.Why) {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}
