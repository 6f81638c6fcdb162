package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"hermes/internal/redact"
)

// FuzzRedact: a configured value survives in no form, a second pass changes nothing,
// JSON stays JSON, and pieces come to the same secrets as the whole.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{"", "password=", slackBot, jwt, pem, `{"a":"`, "://a:b@c", "AKIA", "-----BEGIN X PRIVATE KEY-----", "[redacted:password]", "密码是", `\"password\":\"`, "--token x", "sk-***", "curl -u a:b", "mysql -p", "ghp_\u200b\n"} {
		f.Add(s, s)
	}
	r := redact.New(value, plain)
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, v := range []string{value, plain} {
			for _, form := range []string{v, url.QueryEscape(v), strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(v)), "=")} {
				text := before + form + after
				once := r.Text(text)
				if strings.Contains(once, form[:len(form)-2]) && !strings.Contains(before+"\x00"+after, form[:len(form)-2]) {
					t.Errorf("%q survives in %q", form, once)
				}
				if twice := r.Text(once); twice != once {
					t.Errorf("%q is not settled: %q, then %q", text, once, twice)
				}
			}
		}
		doc, err := json.Marshal(map[string]string{before: after, "v": before + value + after})
		if err != nil {
			t.Skip()
		}
		if got := r.JSON(doc); !json.Valid(got) {
			t.Errorf("%s became %s", doc, got)
		}
		text := before + " " + plain + " " + after
		if got, _ := streamed(r, text, 1+len(before)%17); strings.Contains(got, plain) {
			t.Errorf("%q leaks in pieces: %q", text, got)
		}
	})
}

// hard are texts that are made to be slow, by the piece that they repeat.
var hard = map[string]string{
	"prose": "Sales of the region rose by three percent, 上个月。 ", "password": "password", "cookies": "cookie:", "names": "password ", "quotes": `password="`, "keys": "-----BEGIN RSA PRIVATE KEY-----",
	"tokens": "xoxb-", "jwts": "eyJ", "jwt parts": "eyJaaaaaaaaaaaaaaaaaaaa.", "urls": "a://b:c@", "urls without": "a://", "aws": "AKIAABCDEFGHIJKLMNOP ", "markers": "[redacted:", "values": plain, "heads": plain[:16], "basic": "basic YWFh", "mysql": "@tcp(",
	"bearer": "bearer a1", "one": "a", "commands": "curl -u ", "dumps": "mysql -pa ", "ids": "MTMz", "unseen": "a\u200b", "wrapped": "abcdefghi1\nA1",
}

// The work on a text grows as its length does, also where it is made to be slow.
func TestLinear(t *testing.T) {
	r := redact.New(value, plain, pem)
	for name, unit := range hard {
		for _, n := range []int{1 << 14, 1 << 17} {
			text := strings.Repeat(unit, n/len(unit))
			if steps := r.Steps(text); steps > 24*len(text) {
				t.Errorf("%s: %d steps for %d bytes", name, steps, len(text))
			}
		}
	}
}

func BenchmarkRedact(b *testing.B) {
	r := redact.New(value, plain, pem)
	for name, unit := range hard {
		for _, n := range []int{1 << 17, 1 << 20} {
			text := strings.Repeat(unit, n/len(unit))
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					r.Text(text)
				}
			})
		}
	}
}
