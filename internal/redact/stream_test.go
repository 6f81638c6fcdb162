package redact_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hermes/internal/redact"
)

func streamed(r *redact.Redactor, text string, n int) (all string, most int) {
	var b strings.Builder
	given := 0
	s := r.NewStream(func(piece string) { b.WriteString(piece) })
	for i := 0; i < len(text); i += n {
		piece := text[i:min(len(text), i+n)]
		given += len(piece)
		s.Write(piece)
		most = max(most, given-b.Len())
	}
	s.Close()
	return b.String(), most
}

// X1: a secret that is cut anywhere does not leak, and what is no secret comes whole.
func TestStream(t *testing.T) {
	r := redact.New(plain, value)
	prose := strings.Repeat("Sales of the region rose by three percent, 上个月. ", 20)
	for name, secret := range map[string]string{
		"token": slackBot, "jwt": jwt, "key": pem, "value": plain, "other value": value, "named": `password: "correct horse battery"`, "header": "Authorization: Bearer abcdef123",
	} {
		text := prose + secret + " " + prose + secret + "\n" + prose
		want := r.Text(text)
		for _, n := range []int{1, 3, 7, 64, 255, 1000, len(text)} {
			if got, _ := streamed(r, text, n); got != want {
				t.Errorf("%s in pieces of %d:\n got %q\nwant %q", name, n, got, want)
			}
		}
	}
	if got, most := streamed(r, strings.Repeat(prose, 50), 16); got != strings.Repeat(prose, 50) || most > 1024 {
		t.Errorf("prose: %d bytes were held back; whole: %v", most, got == strings.Repeat(prose, 50))
	}
}

// Words that announce no secret are not waited for, also where no blank stands
// between them.
func TestStreamHoldsNoPlainWordsBack(t *testing.T) {
	r := redact.New(plain, value, "two words of a secret")
	for name, prose := range map[string]string{
		"english": strings.Repeat("Sales of the region rose by three percent, most of it SKU A12 in Asia. ", 20),
		"chinese": strings.Repeat("上个月华东区的销售额增长了百分之三，主要来自耳机和键盘。", 20),
		"a list":  strings.Repeat("- Sales rose\n- Costs fell by 12 %\n\n", 20),
	} {
		for _, n := range []int{1, 5} {
			if got, most := streamed(r, prose, n); got != prose || most > 40 {
				t.Errorf("%s in pieces of %d: %d bytes were held back; whole: %v", name, n, most, got == prose)
			}
		}
	}
}

// X1: pieces lose what the whole loses, wherever words are let go of.
func TestStreamIsTheWhole(t *testing.T) {
	spaced := "two words of a secret"
	r := redact.New(plain, value, spaced)
	for _, secret := range []string{
		slackBot, jwt, plain, value, spaced, "sk-" + az[:48], "123456789:AA" + az[:33], "Bearer " + az[:30], "Authorization: Bearer abcdef123",
		"the password is hunter22", "密码是 hunter22", "**Password:** hunter22", "api key: abc123456", `{"password": "a b c"}`, "curl -u ana:hunter2 https://x", "docker login -u ana -p S3cret x",
		"mysql -uroot -pS3cret shop", "postgres://ana:hunter2@db/x", "ana:hunter2@tcp(db)", "AKIA" + strings.ToUpper(az[:16]) + " and " + az[:40], slackBot[:30] + "\n" + slackBot[30:],
		slackBot[:9] + "\u200b" + slackBot[9:], "  " + slackBot[:30] + "\n  " + slackBot[30:], plain[:9] + "\n" + plain[9:], pem,
	} {
		for _, around := range []string{"We saw %s in it, and more of it. ", "这里有 %s 这样的内容，还有别的。", "这里有%s，还有别的。", "- a\n- %s\n- b\n"} {
			text := strings.ReplaceAll(around, "%s", secret) + "It is so."
			want := r.Text(text)
			for _, n := range []int{1, 2, 5, 13} {
				if got, _ := streamed(r, text, n); got != want {
					t.Errorf("in pieces of %d:\n got %q\nwant %q", n, got, want)
				}
			}
		}
	}
}

// A word that does not end is not held for ever, and a secret of that kind not said.
func TestStreamEndless(t *testing.T) {
	endless := strings.Repeat(az, 2000)
	if got, most := streamed(nil, endless, 100); got != endless || most > 40<<10 {
		t.Errorf("a long word: %d of %d bytes, %d held", len(got), len(endless), most)
	}
	got, _ := streamed(nil, "it is xoxb-1"+endless+" end", 100)
	if got != "it is [redacted:slack-token] end" {
		t.Errorf("a long token: %d bytes, %.80q", len(got), got)
	}
}

type valuer struct{ said string }

func (v valuer) LogValue() slog.Value { return slog.StringValue(v.said) }

// X3, OBS-20: the log has no secret in its message, attributes, groups and errors, nor
// under a name that says what it is.
func TestX3TheLogHasNoSecret(t *testing.T) {
	var out strings.Builder
	r := redact.New(plain)
	log := slog.New(r.Handler(slog.NewTextHandler(&out, nil))).With("with", plain, "password", "pw1").WithGroup("g")
	log.Info("it is "+plain, "err", errors.New("no "+plain), "took", time.Second, slog.Group("in", "deep", slackBot), "any", struct{ A string }{plain}, "v", valuer{plain}, "api_key", 12345)
	for _, s := range []string{plain, slackBot, "pw1", "12345"} {
		if strings.Contains(out.String(), s) {
			t.Errorf("%s is in the log: %s", s, out.String())
		}
	}
	if !strings.Contains(out.String(), "g.took=1s") || !strings.Contains(out.String(), "g.in.deep=[redacted:slack-token]") {
		t.Errorf("log: %s", out.String())
	}
	if r.Handler(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})).Enabled(context.Background(), slog.LevelInfo) {
		t.Error("it is enabled where the one behind it is not")
	}
}
