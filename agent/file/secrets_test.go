package file_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/file"
	"hermes/agent/run"
	"hermes/agent/tool"
	"hermes/internal/redact"
)

type shelved struct{ tool.Artifacts }

func (shelved) Put(_ context.Context, a tool.Artifact) (tool.Artifact, error) { return a, nil }

// X1: a secret in what somebody attached is named, whatever it is packed in.
func TestX1SecretsInFilesAreNamed(t *testing.T) {
	var r *redact.Redactor
	c := file.NewClerk(shelved{}, nil)
	c.Secrets = r.Taken
	key := "ghp_" + strings.Repeat("aB3dE5fG7h", 4)[:36]
	for name, tt := range map[string]struct {
		b    string
		want []string
	}{
		"a text":        {"the key is " + key, []string{"github-token"}},
		"one taken out": {"the key is [redacted:github-token]", []string{"github-token"}},
		"rows":          {"who,what\nana," + key + "\nlee,nothing\n", []string{"github-token"}},
		"no secret":     {"id,hash\n1,3f786850e387550fdab836ed7e6dc881de23001b\n", nil},
	} {
		f, err := c.Take(t.Context(), "m1", 1, "a.csv", "", []byte(tt.b))
		if err != nil || !slices.Equal(f.Secrets, tt.want) {
			t.Errorf("%s: %q, %v; want %q", name, f.Secrets, err, tt.want)
		}
	}
	secret := rezipped(t, sheets(t), func(name, part string) string {
		if name == "xl/sharedStrings.xml" {
			i, j := strings.Index(part, "<si>"), strings.Index(part, "</si>")
			return part[:i] + "<si><t>" + key + "</t>" + part[j:]
		}
		return part
	})
	f, err := c.Take(t.Context(), "m1", 1, "a.xlsx", "", secret)
	if err != nil || !slices.Contains(f.Secrets, "github-token") {
		t.Errorf("a workbook: %q, %v (%s)", f.Secrets, err, f.Why)
	}
}

// A file on which the reader goes in a circle is given up soon, and people hear so.
func TestAFileThatIsReadForEverIsGivenUp(t *testing.T) {
	g := file.NewGuard("/bin/sh", "-c", "cat > /dev/null; exec sleep 600")
	if g.Limit(twoPages()) > 10*time.Second {
		t.Errorf("a reader of a PDF may take %s", g.Limit(twoPages()))
	}
	g.SetLimit(50 * time.Millisecond)
	got, err := g.Read(t.Context(), "a.pdf", "", twoPages())
	if !errors.Is(err, run.TooSlow) || got.Why != run.TooSlow {
		t.Fatalf("%v, %+v", err, got.File)
	}
	for lang, want := range map[string]string{"en": "I gave up reading", "zh": "没有读完"} {
		if said := file.Say(got.File, lang); !strings.Contains(said, want) || !strings.Contains(said, "a.pdf") {
			t.Errorf("%s: %q", lang, said)
		}
	}
}
