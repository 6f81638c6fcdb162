package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/internal/fakeslack"
)

// canaries are secrets of twelve shapes and more, by where each is planted. They are put
// together here so that no text of this file is one.
var canaries = func() map[string]string {
	const lot = "Q7w8E9r0T1y2U3i4O5p6A7s8D9f0G1h2J3k4L5z6"
	return map[string]string{
		// The environment.
		"AWS_SECRET_ACCESS_KEY": lot[3:30] + "/" + lot[:12],
		"SHOP_DB_PASSWORD":      `Sh0p "pass" & more`,
		"CRM_DSN":               "mysqlpw-" + lot[5:15],
		// The configuration.
		"model key": "sk-proj-" + lot[2:38],
		"bot token": fakeslack.BotToken,
		"app token": fakeslack.AppToken,
		// What a tool says.
		"github": "gh" + "p_" + lot[:36],
		"jwt":    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ." + lot[:30],
		"column": "plain-column-canary",
		"url":    "urlpw-" + lot[9:19],
		"google": "AI" + "za" + lot[:35],
		// A file.
		"stripe": "sk" + "_live_" + lot[1:29],
		"key":    "MIIEpAIBAAKCAQEA" + lot + lot,
		"gitlab": "glp" + "at-" + lot[4:28],
		// What a person writes, and a model makes up.
		"slack user": "xo" + "xp-1234567890-" + lot[:20],
		"spoken":     "0pen-Sesame-77",
		"anthropic":  "sk-" + "ant-api03-" + lot + lot[:20],
	}
}()

// leaky is a model that says all it can: it repeats keys that it should not know, calls
// tools whose results hold secrets, puts secrets into arguments, and talks of all that
// it has read.
func leaky(c llmtest.Chat) llmtest.Step {
	last := c.Last("user")
	rows, report, posted := found(c.Results("query_database"), "table"), found(c.Results("make_report"), "report"), c.Results("post_message")
	babble := "I know " + canaries["AWS_SECRET_ACCESS_KEY"] + " and " + canaries["anthropic"] + ", in base64 " +
		base64.StdEncoding.EncodeToString([]byte("x:"+canaries["SHOP_DB_PASSWORD"])) + ". " + strings.Repeat("And so on, for many words. ", 12)
	switch {
	case strings.Contains(last, "attached"), strings.Contains(last, "my token"):
		return llmtest.Step{Text: babble + "You said: " + last + strings.Join(c.Results(""), " ")}
	case len(posted) > 0 && strings.Contains(posted[len(posted)-1], `"posted":true`):
		return llmtest.Step{Text: "Posted. " + babble}
	case report != "":
		return llmtest.Step{Calls: []llm.Call{
			use("post_message", map[string]any{"report": report, "channel": "#sales"}),
			use("schedule_add", map[string]any{"when": "every month on the 1st at 9:00", "request": "customers to #sales", "channel": "#sales", "report": report}),
		}}
	case rows != "" && len(c.Results("make_report")) == 0:
		return llmtest.Step{Calls: []llm.Call{
			use("make_report", map[string]any{"tables": []string{rows}, "commentary": "A remark with " + canaries["anthropic"]}),
			use("remember", map[string]any{"text": "the password is " + canaries["spoken"]}),
		}}
	case rows != "":
		return llmtest.Step{Calls: []llm.Call{use("make_report", map[string]any{"tables": []string{rows}, "commentary": "Customers as they are."})}}
	default:
		cut := func(s string) string { return "'" + s[:3] + "' || '" + strings.ReplaceAll(s[3:], "'", "''") + "'" }
		return llmtest.Step{Text: "Let me look. " + babble, Calls: []llm.Call{use("query_database", map[string]any{
			"sql": fmt.Sprintf("SELECT 'Ana ' || %s AS name, %s AS note, %s AS password, 'postgres:' || '//ana:' || %s || '@db/x' AS link, %s AS more, 12 AS orders",
				cut(canaries["github"]), cut(canaries["jwt"]), cut(canaries["column"]), cut(canaries["url"]), cut(canaries["google"])),
		})}}
	}
}

// X1, X2, OBS-20: secrets in the environment, the configuration, what tools and models
// say, files, and what people write themselves appear nowhere: not in a byte of the data
// folder, the log, a prompt, a post, a file, or what commands print; and work goes on.
func TestCanariesAppearNowhere(t *testing.T) {
	t.Parallel()
	tries := 0
	h := &llmtest.Handler{Key: canaries["model key"], Reply: func(c llmtest.Chat) llmtest.Step {
		if tries++; tries == 1 {
			return llmtest.Step{Status: 500, Message: "upstream died on key " + canaries["model key"] + " and " + canaries["github"]}
		}
		return leaky(c)
	}}
	o := newOffice(t, fakeslack.Options{}, "OPENAI_BASE_URL="+llmtest.Serve(t, h), "OPENAI_API_KEY="+canaries["model key"], "HERMES_MODEL_NAME=scripted", "HERMES_LOG_LEVEL=debug",
		"AWS_SECRET_ACCESS_KEY="+canaries["AWS_SECRET_ACCESS_KEY"], "SHOP_DB_PASSWORD="+canaries["SHOP_DB_PASSWORD"], "CRM_DSN=crm:"+canaries["CRM_DSN"]+"@tcp(db:3306)/crm")

	root := o.says("ana", "general", "@hermes make a report of the customers, post it to #sales, every month on the 1st at 9:00")
	card := o.card(root)
	o.press("leo", card, "Post now and monthly until")
	o.answer(root, "Posted.")
	posts := o.posts("sales")
	if len(posts) != 1 || !strings.Contains(posts[0].Shown(), "Ana") || !strings.Contains(posts[0].Shown(), "[redacted:github-token]") {
		t.Errorf("posts = %+v, want one with a customer and no token", posts)
	}
	o.until("the sheet under the post", func() bool { return strings.Contains(o.files("sales", posts[0].TS), "xlsx") })

	said := o.says("ana", "general", "@hermes what is wrong with my token "+canaries["slack user"]+"? the password is "+canaries["spoken"])
	warned := o.answer(said, "change it where it is from").Shown()
	if !strings.Contains(warned, "slack token") || !strings.Contains(warned, "password") {
		t.Errorf("the warning names no kind: %s", warned)
	}
	o.end(said)
	csv := "name,api_key,note\nAna,\"" + canaries["stripe"] + "\",\"-----BEGIN PRIVATE" + " KEY-----\n" + canaries["key"] + "\n-----END PRIVATE" + " KEY-----\"\nLeo," + canaries["gitlab"] + ",url postgres://a:" + canaries["CRM_DSN"] + "@h/d\n"
	with, err := o.fake.Human("ana").Attach("general", "", "@hermes what is in the attached file?", fakeslack.File{Name: "keys.csv", Bytes: []byte(csv)})
	if err != nil {
		t.Fatal(err)
	}
	o.end(with)

	printed := o.command("trace", traceOf(root)) + o.command("trace", traceOf(with)) + o.command("diagnose", traceOf(root)) + o.command("schedule", "list")
	seen := map[string][]byte{"the log": []byte(o.log.text()), "what commands print": []byte(printed)}
	for i, c := range h.Heard() {
		seen[fmt.Sprintf("prompt %d", i)] = c.Body
	}
	for _, m := range o.fake.Messages() {
		if m.Mine() {
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			seen["post "+m.TS+" "+keyOf(m)] = b
		}
	}
	for i, c := range o.fake.Calls("") {
		b, err := json.Marshal(c.Args)
		if err != nil {
			t.Fatal(err)
		}
		seen[fmt.Sprintf("call %d, %s", i, c.Method)] = b
	}
	sheets := 0
	for _, f := range o.fake.Files() {
		if f.User == "" || f.User == fakeslack.BotUser {
			seen["file "+f.Name] = f.Bytes
			if strings.HasSuffix(f.Name, ".xlsx") {
				seen["inside "+f.Name] = unzipped(t, f.Bytes)
				sheets++
			}
		}
	}
	if sheets == 0 || len(h.Heard()) < 6 {
		t.Errorf("%d sheets and %d prompts: the scenario did not come to its end", sheets, len(h.Heard()))
	}
	o.scan(seen) // while it runs: the journal of the database too
	o.stop()
	o.scan(nil)
}

// scan looks for canaries in what was seen and in every byte of the data folder.
func (o *office) scan(seen map[string][]byte) {
	o.t.Helper()
	if seen == nil {
		seen = map[string][]byte{}
	}
	err := filepath.WalkDir(o.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		seen[strings.TrimPrefix(path, o.data)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	wrote := false
	for where, b := range seen {
		wrote = wrote || strings.HasPrefix(where, "/hermes.db") && bytes.Contains(b, []byte("[redacted:"))
		for name, s := range canaries {
			inJSON, err := json.Marshal(s)
			if err != nil {
				o.t.Fatal(err)
			}
			for _, form := range [][]byte{[]byte(s), inJSON[1 : len(inJSON)-1], []byte(base64.RawStdEncoding.EncodeToString([]byte("x:" + s)))[4:]} {
				if i := bytes.Index(b, form); i >= 0 {
					o.t.Errorf("%s (%s) stands in %s: …%.60q", name, form, where, b[max(0, i-60):])
				}
			}
		}
	}
	if !wrote {
		o.t.Error("no marker stands in the database: nothing was planted")
	}
}

// unzipped is all that is in an archive.
func unzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, part...)
	}
	return all
}
