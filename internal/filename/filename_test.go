package filename_test

import (
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hermes/internal/filename"
)

// Issue 5, files and web: whatever a file is called, its name is one plain file.
func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"report.xlsx": "report.xlsx", "销售 报告.csv": "销售 报告.csv", "Müller’s plan.pdf": "Müller’s plan.pdf", "👍.png": "👍.png",
		"../../etc/passwd": "etc-passwd", `..\..\windows\system.ini`: "windows-system.ini", "/etc/shadow": "etc-shadow", "a/b.csv": "a-b.csv", "a∕b／c.csv": "a-b-c.csv",
		"C:\\x.txt": "C--x.txt", "x.txt:stream": "x.txt-stream", `a*?"<>|b`: "a------b",
		".bashrc": "bashrc", "..": "file", ".": "file", "": "file", " . . ": "file", "---": "file", "~": "file", "trailing. . .": "trailing", "-rf": "rf",
		"two\nlines\tof\r\x00text": "two lines of text", "a\u202Egpj.exe": "agpj.exe", "a\u2066b\u2069.txt": "ab.txt", "a\u200Bb\uFEFF.txt": "ab.txt", "a\u00ADb": "ab", "a\uFE0Fb": "ab", "a\u2028b": "a b", "\xff\xfea": "a",
		"con": "file-con", "CON.txt": "file-CON.txt", "Aux.tar.gz": "file-Aux.tar.gz", "com1": "file-com1", "LPT9.csv": "file-LPT9.csv", "COM¹": "file-COM¹", "nul .txt": "file-nul .txt", "CONIN$": "file-CONIN$",
		"console.txt": "console.txt", "com10.txt": "com10.txt", "coma": "coma",
		strings.Repeat("a", 300) + ".xlsx": strings.Repeat("a", 75) + ".xlsx", strings.Repeat("报", 100) + ".csv": strings.Repeat("报", 65) + ".csv",
		"a." + strings.Repeat("b", 100): "a." + strings.Repeat("b", 78),
	} {
		if got := filename.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// Every name can be made in a folder, and cleaning it twice changes nothing.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"a.csv", "../x", "con", "a\u202Eb", strings.Repeat("报", 300), "\x00", ". .", "-.-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := filename.Clean(s)
		if got == "" || len(got) > 210 || strings.ContainsAny(got, "/\\:\x00\n") || !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) || strings.HasPrefix(got, ".") || strings.HasSuffix(got, ".") {
			t.Fatalf("Clean(%q) = %q", s, got)
		}
		if again := filename.Clean(got); again != got {
			t.Fatalf("Clean(%q) = %q, and that once more %q", s, got, again)
		}
		root, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := root.WriteFile(got, nil, 0o600); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
	})
}
