package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is piped to chat is answered before it ends, in the order in which it was
// said, plainly and without a colour.
func TestAPipedLineIsAnswered(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got, err := d.hermes(ctx, "sales last month by region\n\n你好\n", "chat")
	if err != nil {
		t.Fatalf("chat = %v\n%s", err, got)
	}
	for _, want := range []string{"hermes: Sales by region, ", "\nregion  ", "\n-------------  ---", "hermes: 你好"} {
		if !strings.Contains(got, want) {
			t.Errorf("chat says\n%s\nwant %q", got, want)
		}
	}
	if strings.ContainsAny(got, "\x1b|*") || strings.Contains(got, "You talk to") {
		t.Errorf("chat says\n%q\nwant neither marks, nor colours, nor its welcome", got)
	}
	if again, err := d.hermes(ctx, "hello\n", "chat"); err != nil || strings.Contains(again, "by region") {
		t.Errorf("the next chat = %v\n%s\nwant only what was said in it", err, again)
	}
	if got, err := d.hermes(ctx, "every month on the 1st at 9:00 show me the sales by region\n", "chat"); err == nil || !strings.Contains(got, "a question waits") || !strings.Contains(got, "[1] ") {
		t.Errorf("chat with a question = %v\n%s\nwant that it waits", err, got)
	}
	if got, err := d.hermes(ctx, "1\n", "chat"); err != nil || !strings.Contains(got, "hermes: ") {
		t.Errorf("chat that presses = %v\n%s\nwant what came of it", err, got)
	}
	if f, err := os.Open(os.DevNull); err != nil || isTerminal(f) || isTerminal(strings.NewReader("")) {
		t.Errorf("%v: what is no terminal is taken for one", err)
	}
}

// A file of the command line is read by the daemon, a PDF by a process of its own, and
// answered like anything else.
func TestAFileOfTheCommandLineIsRead(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	dir := t.TempDir()
	for name, tt := range map[string]struct{ body, says string }{
		"plan.csv": {"city,visitors\nParis,1200\nRome,800\n", "visitors: sum 2,000"},
		"note.pdf": {onePage("Rent is due on Monday"), "Rent is due on Monday"},
		"torn.pdf": {onePage("x")[:200], "the file is damaged"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tt.body), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := d.hermes(ctx, "what is in this file?\n", "chat", "--file", path); err != nil || !strings.Contains(got, tt.says) {
			t.Errorf("%s: chat = %v\n%s\nwant %q", name, err, got, tt.says)
		}
	}
}

// onePage is a PDF with one line of text.
func onePage(text string) string {
	ops := "BT /F1 12 Tf 72 720 Td (" + text + ") Tj ET"
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, obj := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(ops), ops),
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, obj)
	}
	start := b.Len()
	b.WriteString("xref\n0 6\n0000000000 65535 f \n")
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", start)
	return b.String()
}
