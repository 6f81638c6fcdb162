package redact_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/internal/redact"
)

// X1: the password of a command line goes, and the rest of the line stays.
func TestPasswordsOfCommands(t *testing.T) {
	for text, want := range map[string]string{
		"curl -u ana:hunter2 https://x.example/a":            "curl -u ana:[redacted:password] https://x.example/a",
		"curl -sS -X POST -u 'ana:hunt er2' https://x":       "curl -sS -X POST -u 'ana:[redacted:password]' https://x",
		"run `curl --user=ana:hunter2 https://x` then":       "run `curl --user=ana:[redacted:password] https://x` then",
		"curl -sSu ana:hunter2 https://x":                    "curl -sSu ana:[redacted:password] https://x",
		"curl -uana:hunter2 https://x":                       "curl -uana:[redacted:password] https://x",
		"curl https://x \\\n  --proxy-user ana:hunter2 -v":   "curl https://x \\\n  --proxy-user ana:[redacted:password] -v",
		"mysql -uroot -pS3cret shop":                         "mysql -uroot -p[redacted:password] shop",
		"mysqldump -u root -p'S3 cret' shop | gzip":          "mysqldump -u root -p'[redacted:password]' shop | gzip",
		"mysql --password=S3cret shop":                       "mysql --password=[redacted:password] shop",
		"请执行 mysql -uroot -pS3cret，谢谢":                       "请执行 mysql -uroot -p[redacted:password]，谢谢",
		"sshpass -p S3cret ssh ana@x":                        "sshpass -p [redacted:password] ssh ana@x",
		"redis-cli -h x -a S3cret ping":                      "redis-cli -h x -a [redacted:password] ping",
		"docker login -u ana -p S3cret registry.example.com": "docker login -u ana -p [redacted:password] registry.example.com",
		"{\"cmd\":\"mysql -uroot -pS3cret\",\"n\":1}":        "{\"cmd\":\"mysql -uroot -p[redacted:password]\",\"n\":1}",
	} {
		got, kinds := (*redact.Redactor)(nil).Redact(text)
		if got != want || len(kinds) != 1 || kinds[0] != "password" {
			t.Errorf("%q\n got %q %q\nwant %q", text, got, kinds, want)
		}
	}
	for _, text := range []string{
		"curl -u ana https://x", "curl -u ana:$PASSWORD https://x", "curl -u user:password https://x", "curl up a good book -u see", "curl -o out.json https://x:8080/a",
		"mysql -u root -p shop", "mysql -P 3306 -h db", "ps aux -p 1234", "mkdir -p a/b/c", "cp -pR a b", "docker run -p 8080:80 nginx",
		"mysql is slow - perhaps -p", "zip -r a.zip b", "http://x and -a b:c", "curl -H 'Accept: text/html' https://x",
	} {
		if got := (*redact.Redactor)(nil).Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// X1: the token of a bot at Discord is one; what only looks so is none.
func TestTokensOfDiscord(t *testing.T) {
	id := base64.RawStdEncoding.EncodeToString([]byte("119764534567890123"))
	token := id + ".GhTy1k." + az[:38]
	for _, around := range []string{"%s", "see %s, please", `{"a":"%s"}`, "DISCORD %s"} {
		before, after, _ := strings.Cut(around, "%s")
		if got, want := (*redact.Redactor)(nil).Text(before+token+after), before+"[redacted:discord-token]"+after; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, text := range []string{id, id + ".GhTy1k", id + ".GhTy1k.short", "MTIzabcdefghijklmnopqrst.GhTy1k." + az[:38], "com.example.MTest.Foo"} {
		if got := (*redact.Redactor)(nil).Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// X1: what nobody sees, and a line that was wrapped, hide no secret.
func TestASecretThatIsCutIsFound(t *testing.T) {
	gh := "ghp_" + az[:36]
	r := redact.New(plain)
	for _, seam := range []string{"\u200b", "\u00ad", "\u200d", "\ufeff", "\u2060", "\n", "\r\n", "\n> ", "\n    ", `\n`} {
		for kind, secret := range map[string]string{"github-token": gh, "slack-token": slackBot, "jwt": jwt, redact.Configured: plain} {
			text := "it is " + secret[:12] + seam + secret[12:] + " of ana"
			got, kinds := r.Redact(text)
			if want := "it is " + redact.Marker(kind) + " of ana"; got != want || len(kinds) != 1 {
				t.Errorf("%s cut by %q: %q %q", kind, seam, got, kinds)
			}
		}
	}
	if got, want := r.Text("pass\u200bword=hun\u00adter2 x"), "pass\u200bword=[redacted:password] x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for text, want := range map[string]string{
		gh + "\nThanks, Ana":                              redact.Marker("github-token") + "\nThanks, Ana",
		"a\u200bb soft\u00adhyphen\nline":                 "a\u200bb soft\u00adhyphen\nline",
		"3f786850e387550fd\nab836ed7e6dc881de23001b":      "3f786850e387550fd\nab836ed7e6dc881de23001b",
		"550e8400-e29b-41d4\u200b-a716-446655440000":      "550e8400-e29b-41d4\u200b-a716-446655440000",
		"the task-list-of-november\nA1 and B2 are in it.": "the task-list-of-november\nA1 and B2 are in it.",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// X1: texts of people and of programs, which hold no secret, come through to the byte.
func TestTextsOfPeopleStay(t *testing.T) {
	files, err := filepath.Glob("../../../shared/data/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range files {
		if strings.HasPrefix(filepath.Base(name), "injection") || strings.HasPrefix(filepath.Base(name), "slack_payloads") {
			continue // they hold what is made to look like a secret
		}
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var row any
			if json.Unmarshal(lines.Bytes(), &row) != nil {
				continue
			}
			each(row, func(text string) {
				read++
				// One of them gives a token away, by its name.
				if got, kinds := (*redact.Redactor)(nil).Redact(text); got != text && !slices.Equal(kinds, []string{"token"}) {
					t.Errorf("%s: %q became %q (%q)", filepath.Base(name), text, got, kinds)
				}
			})
		}
		_ = f.Close()
	}
	if read == 0 {
		t.Skip("the shared texts are not here")
	}
	t.Logf("%d texts", read)
}

func each(v any, do func(string)) {
	switch v := v.(type) {
	case string:
		do(v)
	case []any:
		for _, x := range v {
			each(x, do)
		}
	case map[string]any:
		for _, x := range v {
			each(x, do)
		}
	}
}
