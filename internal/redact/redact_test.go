package redact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/internal/redact"
)

// Values are put together here, so that no text of this file is a credential.
var (
	az       = strings.Repeat("aB3dE5fG7h", 9)
	hexes    = strings.Repeat("0f1e2d3c4b5a6978", 8)
	slackBot = "xoxb-" + "201345678901-2013456789012-" + az[:24]
	jwt      = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkFuYSJ9" + ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
	pem      = "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEowIBAAKCAQEA" + az + "\n" + az + "==\n-----END RSA PRIVATE" + " KEY-----"
)

// X1: each shape goes, whatever stands around it, and what stands around it stays.
func TestShapes(t *testing.T) {
	for _, tt := range []struct{ kind, secret string }{
		{"slack-token", slackBot},
		{"slack-token", "xapp-1-A012345-67890-" + hexes[:40]},
		{"slack-token", "xoxe.xoxp-1-" + az[:60]},
		{"anthropic-key", "sk-ant-api03-" + az[:80]},
		{"openai-key", "sk-proj-" + az[:48]},
		{"api-key", "sk-" + az[:48]},
		{"stripe-key", "sk_live_" + az[:24]},
		{"stripe-key", "rk_test_" + az[:24]},
		{"github-token", "ghp_" + az[:36]},
		{"github-token", "github_pat_11AAAAAAA0" + az[:60]},
		{"gitlab-token", "glpat-" + az[:20]},
		{"google-key", "AIza" + az[:35]},
		{"google-token", "ya29." + az[:60]},
		{"aws-key", "AKIA" + strings.ToUpper(az[:16])},
		{"aliyun-key", "LTAI5t" + az[:18]},
		{"npm-token", "npm_" + az[:36]},
		{"aws-session-token", "IQoJb3JpZ2luX2VjE" + az[:80]},
		{"base64-secret", base64.StdEncoding.EncodeToString([]byte(slackBot))},
		{"base64-secret", base64.StdEncoding.EncodeToString([]byte("ghp_" + az[:36]))},
		{"base64-secret", base64.StdEncoding.EncodeToString([]byte(pem))},
		{"huggingface-token", "hf_" + az[:34]},
		{"sendgrid-key", "SG." + az[:22] + "." + az[:43]},
		{"shopify-token", "shpat_" + hexes[:32]},
		{"twilio-key", "SK" + hexes[:32]},
		{"telegram-token", "123456789:AA" + az[:33]},
		{"vault-token", "hvs." + az[:24]},
		{"dingtalk-secret", "SEC" + hexes[:64]},
		{"jwt", jwt},
		{"private-key", pem},
		{"private-key", strings.ReplaceAll(pem, "\n", `\n`)},
	} {
		for _, around := range []string{"%s", "see %s, please", `{"a":"%s","b":1}`, "key=%s&x=1", "\n%s\n", "<%s>", `\n%s\n`, "（%s）", `\u003c%s\u003e`} {
			before, after, _ := strings.Cut(around, "%s")
			got, kinds := (*redact.Redactor)(nil).Redact(before + tt.secret + after)
			if want := before + redact.Marker(tt.kind) + after; got != want || !slices.Equal(kinds, []string{tt.kind}) {
				t.Errorf("%s in %q: %q %q, want %q", tt.kind, around, got, kinds, want)
			}
		}
	}
}

// X1: what a name, a header or an address says is a secret is one.
func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"password=hunter2":                                                                  "password=[redacted:password]",
		"DB_PASSWORD=hunter2\nX=1":                                                          "DB_PASSWORD=[redacted:password]\nX=1",
		"export PGPASSWORD=a,b;c\n":                                                         "export PGPASSWORD=[redacted:password]\n",
		`password: "correct horse battery"`:                                                 `password: "[redacted:password]"`,
		`{"password":"a\"b c","user":"ana"}`:                                                `{"password":"[redacted:password]","user":"ana"}`,
		`{"password": 12345678}`:                                                            `{"password": "[redacted:password]"}`,
		`{"a":"{\"password\":\"x y z\",\"b\":1}"}`:                                          `{"a":"{\"password\":\"[redacted:password]\",\"b\":1}"}`,
		`{"a":"{\"password\":12345678}"}`:                                                   `{"a":"{\"password\":\"[redacted:password]\"}"}`,
		"my password is hunter2!":                                                           "my password is [redacted:password]!",
		"密码是hunter2请保密":                                                                     "密码是[redacted:password]请保密",
		"密码：hunter2，谢谢":                                                                     "密码：[redacted:password]，谢谢",
		"<password>hunter2</password>":                                                      "<password>[redacted:password]</password>",
		"mysqldump --password hunter2 shop":                                                 "mysqldump --password [redacted:password] shop",
		"api_key: 8f14e45fceea167a":                                                         "api_key: [redacted:api-key]",
		"X-Api-Key: 8f14e45fceea167a":                                                       "X-Api-Key: [redacted:api-key]",
		"aws_secret_access_key = " + az[:40]:                                                "aws_secret_access_key = [redacted:secret]",
		"client_secret=" + az[:20] + "&state=1":                                             "client_secret=[redacted:secret]&state=1",
		"Signing Secret: " + hexes[:32]:                                                     "Signing Secret: [redacted:secret]",
		"Authorization: Bearer abcdef123":                                                   "Authorization: Bearer [redacted:authorization]",
		"curl -H 'Authorization: Basic YW5hOmh1bnRlcjI='":                                   "curl -H 'Authorization: Basic [redacted:basic-auth]'",
		"Bearer " + az[:30]:                                                                 "Bearer [redacted:bearer-token]",
		"Cookie: sid=" + az[:20] + "; lang=en":                                              "Cookie: [redacted:cookie]",
		"postgres://ana:hunter2@db:5432/shop":                                               "postgres://ana:[redacted:url-password]@db:5432/shop",
		"see <https://ana:p%40ss@example.com/x|this>":                                       "see <https://ana:[redacted:url-password]@example.com/x|this>",
		"redis://:hunter2@cache:6379/0":                                                     "redis://:[redacted:url-password]@cache:6379/0",
		"https://" + hexes[:32] + "@sentry.example.com/1":                                   "https://[redacted:url-key]@sentry.example.com/1",
		"root:hunter2@tcp(127.0.0.1:3306)/shop":                                             "root:[redacted:url-password]@tcp(127.0.0.1:3306)/shop",
		"host=db user=ana password=hunter2 dbname=shop":                                     "host=db user=ana password=[redacted:password] dbname=shop",
		"Server=db;Pwd=hunter2;Database=shop":                                               "Server=db;Pwd=[redacted:password];Database=shop",
		"https://hooks.slack.com/services/T00/B00/" + az[:24]:                               "https://hooks.slack.com/services/[redacted:slack-webhook]",
		"https://oapi.dingtalk.com/robot/send?access_token=" + hexes[:64]:                   "https://oapi.dingtalk.com/robot/send?access_token=[redacted:dingtalk-webhook]",
		"https://open.feishu.cn/open-apis/bot/v2/hook/0f1e2d3c-4b5a-6978-0f1e-2d3c4b5a6978": "https://open.feishu.cn/open-apis/bot/v2/hook/[redacted:feishu-webhook]",
		"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0f1e2d3c-4b5a-6978-0f1e-2d3c4b5a6978": "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=[redacted:wecom-webhook]",
		"AKIA" + strings.ToUpper(az[:16]) + " / " + az[:38] + "/+":                                  "[redacted:aws-key] / [redacted:aws-secret]",
		"https://s3/x?X-Amz-Expires=60&X-Amz-Signature=" + hexes[:64]:                               "https://s3/x?X-Amz-Expires=60&X-Amz-Signature=[redacted:signature]",
		"DB_PASS=hunter2\nX=1":                               "DB_PASS=[redacted:password]\nX=1",
		"DB_PASS=correcthorse":                               "DB_PASS=[redacted:password]",
		"user: ana\npass: hunter2":                           "user: ana\npass: [redacted:password]",
		`{"pass":"hunter2"}`:                                 `{"pass":"[redacted:password]"}`,
		"Passwort: hunter2":                                  "Passwort: [redacted:password]",
		"mein Passwort ist geheim, Kennwort=hunter2":         "mein Passwort ist geheim, Kennwort=[redacted:password]",
		"my password hunter2, thanks":                        "my password [redacted:password], thanks",
		"my password is X&3b!":                               "my password is [redacted:password]!",
		pem[:120]:                                            "[redacted:private-key]",
		"密码是 X&3":                                            "密码是 [redacted:password]",
		"密码是 X&3，谢谢":                                         "密码是 [redacted:password]，谢谢",
		"密码：X&3":                                             "密码：[redacted:password]",
		"passphrase: correct horse battery staple":           "passphrase: [redacted:password]",
		"my passphrase is correct horse battery staple.":     "my passphrase is [redacted:password].",
		"aws_session_token=" + az[:80]:                       "aws_session_token=[redacted:token]",
		"two: ghp_" + az[:36] + " and ghp_" + az[2:38] + ".": "two: [redacted:github-token] and [redacted:github-token].",
	} {
		if got := (*redact.Redactor)(nil).Text(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

// What only looks random, and what speaks of secrets, stays to the byte.
func TestHarmless(t *testing.T) {
	for _, text := range []string{
		"run 550e8400-e29b-41d4-a716-446655440000 of ana", "commit 3f786850e387550fdab836ed7e6dc881de23001b", "sha256:" + hexes[:64], "md5 d41d8cd98f00b204e9800998ecf8427e",
		"trace 4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7", "slack:T0123ABCD:U0456DEFG", "<@U0456DEFG> in <#C0789XYZ|sales>", "1730548800.123456",
		"order 20261102000123456789", "3.14159265358979323846264338327950288", "978-3-16-148410-0", "4111 1111 1111 1111", "IBAN DE89370400440532013000",
		"task-force, risk-assessment, disk-usage-2026-report", "sk-learn is a library", "https://example.com/a?page=2&q=token", "mailto:ana@example.com", "git@github.com:a/b.git",
		"ssh://git@example.com/a.git", "postgres://postgres@127.0.0.1:5432/test?sslmode=disable", "write postgres://user:password@host:5432/name", "http://[::1]:8484/",
		"tokens: 12345", "max_tokens: 2048", `{"total_tokens":12345,"prompt_tokens":1}`, "token: 5000 used", "next_token: 42", "the password is wrong", "password: please reset it",
		"compass: 1a2b3c", "bypass=1a2b3c", "pass: 12 of 12 tests", "pass: true", "tests pass=1200", "first pass: better", "pass: quickly", "pw: see the wiki", "passphrase: it must have four words", "the passphrase is not set in this file",
		"my password is wrong", "my password does not work", "my password reset failed", "passphrase: please change it at once", "Passwort vergessen", "Passwort: bitte neu setzen", base64.StdEncoding.EncodeToString([]byte("xoxb is how they begin, and that is all")), "密码是什么", "密码是错的",
		"password reset link", "Passwords: see the wiki", "password_hash: abc123def456", "secret: be kind", "api_key: ${OPENAI_API_KEY}", "token = os.getenv(\"TOKEN\")",
		"password: <your password>", "password=get_password(user)", "password: null", `{"password":null}`, "password: string", "WHERE password = ?", "WHERE password = $1",
		"bot tokens start with xoxb- and app tokens with xapp-", "export SLACK_BOT_TOKEN=xoxb-…", "xoxb-your-token-here", "OPENAI_API_KEY=sk-…", "a bearer of bad news", "basic understanding",
		"a PEM begins with -----BEGIN RSA PRIVATE KEY----- and so on", "-----BEGIN CERTIFICATE-----\nMIIB" + az + "\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIB" + az + "\n-----END PUBLIC KEY-----",
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1, 2, 3, 250, 99}, 200)), "密码错误", "请重置密码", "口令：", "令牌数：12345", "SKU SK1234567890", "AC" + hexes[:32],
		"pk_live_" + az[:24], "Cookie: none", "set cookies", "Authorization: required", "authorization is missing", "v1.2.3-alpha.1+build.5114f85", "arn:aws:iam::123456789012:user/ana",
		"PWD=/home/ana/work\nOLDPWD=/home/ana", "cs_test_id", "T0123ABC", "eyJ is how they begin", "hf_model", "npm_config_registry=https://registry.npmjs.org", "a://b:c", "07:30:00 @ the office", "f(x)@g:AA", "12345678:AA",
		redact.Marker("password"), "password=" + redact.Marker("password"), "",
	} {
		if got, kinds := (*redact.Redactor)(nil).Redact(text); got != text {
			t.Errorf("%q became %q (%q)", text, got, kinds)
		}
	}
}

const (
	value = `Tr0ub4dor&3/"kö <x>`
	plain = "Zq7-plain_Value.42"
)

// X1, X2: a configured value goes in every form in which it is written, at any place.
func TestConfigured(t *testing.T) {
	r := redact.New(value, plain, "postgres://ana:s3cr%40t-pass@db/shop", "ana:dsn-passw0rd@tcp(db)/shop", "host=db password='kv passw0rd'", pem, "file:x.db?mode=ro", "ab1", "pin-42", "postgres://postgres:postgres@db/x")
	js, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(string(js))
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]string{
		"itself": value, "query": url.QueryEscape(value), "path": url.PathEscape(value), "json": string(js), "json twice": string(twice), "html": html.EscapeString(value),
		"hex": hex.EncodeToString([]byte(value)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(value))), "basic": "Basic " + base64.StdEncoding.EncodeToString([]byte("ana:"+value)),
		"url password": "s3cr%40t-pass", "its meaning": "s3cr@t-pass", "of a DSN": "dsn-passw0rd", "of key=value": "kv passw0rd", "a line of a key": strings.Split(pem, "\n")[1],
	}
	for n := range 4 {
		forms["base64 at "+string(rune('0'+n))] = base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", n) + plain + "tail"))
		forms["base64url at "+string(rune('0'+n))] = base64.URLEncoding.EncodeToString([]byte(strings.Repeat("\xff", n) + value + "tail"))
	}
	for name, f := range forms {
		for _, around := range []string{"", "x", "-", " "} {
			got, kinds := r.Redact("a" + around + f + around + "b")
			core := strings.Trim(f, `"\`)
			if strings.Contains(got, core) || len(kinds) == 0 {
				t.Errorf("%s survives in %q", name, got)
			}
		}
	}
	for _, keep := range []string{"postgres", "file:x.db?mode=ro", "ab1", "xpin-42", "ana at db/shop"} {
		if got := r.Text(keep); got != keep {
			t.Errorf("%q became %q", keep, got)
		}
	}
	if got := r.Text("it is pin-42."); got != "it is [redacted:configured]." {
		t.Errorf("a short value: %q", got)
	}
}

// A redacted text is not changed by another pass, and a marker of no kind of ours hides
// nothing.
func TestAgain(t *testing.T) {
	r := redact.New(plain)
	for _, text := range []string{
		plain + plain, "AKIA" + strings.ToUpper(az[:16]) + plain, slackBot + plain + slackBot, "[redacted:" + plain + "]", "password=" + plain, `{"password":"x ` + plain + ` y"}`, "sk-" + plain + az,
		"[redacted:x]" + slackBot,
	} {
		once := r.Text(text)
		if twice := r.Text(once); twice != once || strings.Contains(once, plain) || strings.Contains(once, slackBot) {
			t.Errorf("%q: %q, then %q", text, once, twice)
		}
	}
}

// JSON stays JSON, keeps its bytes where it has no secret, and its own names announce
// nothing.
func TestJSON(t *testing.T) {
	r := redact.New(value, plain)
	for in, want := range map[string]string{
		`{"token":"a1b2c3d4e5f6", "n" : 1.50, "u":"\u00e9"}`: `{"token":"a1b2c3d4e5f6", "n" : 1.50, "u":"\u00e9"}`,
		`{"a":"` + plain + `","b":[1,"x` + plain + `"]}`:     `{"a":"[redacted:configured]","b":[1,"x[redacted:configured]"]}`,
		`{"` + plain + `":1}`:                                `{"[redacted:configured]":1}`,
		`{"a":"\u005a` + plain[1:] + `"}`:                    `{"a":"[redacted:configured]"}`,
		`{"text":"{\"password\":123456,\"x\":\"<y>\"}"}`:     `{"text":"{\"password\":\"[redacted:password]\",\"x\":\"<y>\"}"}`,
		`{"url":"https:\/\/ana:hunter2@example.com"}`:        `{"url":"https://ana:[redacted:url-password]@example.com"}`,
		`not json ` + plain:                                  `not json [redacted:configured]`,
	} {
		if got := string(r.JSON([]byte(in))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
	for _, doc := range []any{map[string]any{"a": value, "b": []any{value, pem, 1.5}}, pem, map[string]string{pem: slackBot}} {
		b, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		got := r.Document(b)
		if !json.Valid(got) || bytes.Contains(got, []byte("ub4dor")) || bytes.Contains(got, []byte("xoxb")) || bytes.Contains(got, []byte("MIIE")) {
			t.Errorf("%s became %s", b, got)
		}
	}
}

// Bytes that are no text keep their length.
func TestBytes(t *testing.T) {
	r := redact.New(plain)
	in := []byte("\xff\x00" + plain + "\xfe" + slackBot)
	want := []byte("\xff\x00" + strings.Repeat("*", len(plain)) + "\xfe" + slackBot)
	if got := r.Bytes(in); !bytes.Equal(got, want) || !bytes.Contains(in, []byte(plain)) {
		t.Errorf("got %q", got)
	}
}

type inner struct {
	Text string
	Raw  json.RawMessage
	own  string
}

// Deep reaches every exported string and leaves what it was given.
func TestDeep(t *testing.T) {
	r := redact.New(plain)
	make1 := func(s string) any {
		return map[string]any{"a": []any{s, 1, nil}, "p": &inner{Text: s, Raw: json.RawMessage(`{"x":"` + s + `"}`), own: "o"}, "b": []byte(s), "i": []inner{{Text: s}}, s: map[string]string(nil)}
	}
	in := make1(plain)
	opt := cmp.AllowUnexported(inner{})
	if diff := cmp.Diff(make1("[redacted:configured]"), redact.Deep(r, in), opt); diff != "" {
		t.Errorf("Deep (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(make1(plain), in, opt); diff != "" {
		t.Errorf("it changed what it was given:\n%s", diff)
	}
}

// What strangers say of an error keeps its sense and nothing that may be a key.
func TestStrict(t *testing.T) {
	r := redact.New(plain)
	for in, want := range map[string]string{
		"Incorrect API key provided: sk-abcd***********wxyz. See docs": "Incorrect API key provided: [redacted:api-key]. See docs",
		"get https://ana:pw@h.example/v1?key=abc: refused":             "get https://h.example/v1: refused",
		"invalid token a1b2c3d4e5f6a7b8c9":                             "invalid token [redacted:unnamed]",
		"model gpt-4.1-mini is overloaded":                             "model gpt-4.1-mini is overloaded",
		"x-api-key: hush":                                              "x-api-key: [redacted:unnamed]",
		"said " + plain:                                                "said [redacted:configured]",
	} {
		if got := r.Strict(in); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

// A column is known by its name.
func TestNamedColumn(t *testing.T) {
	for name, want := range map[string]string{
		"password": "password", "User Password": "password", "api_key": "api-key", "API Key": "api-key", "client_secret": "secret", "token": "token", "密码": "password",
		"tokens": "", "amount": "", "password_changed_at": "", "key": "", "region": "",
	} {
		if got := redact.Named(name); got != want {
			t.Errorf("Named(%q) = %q, want %q", name, got, want)
		}
	}
}
