package web_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"hermes/bot"
)

// upload sends the composer's form with files, by name.
func (b *browser) upload(channel, text, token string, files map[string]string) (int, string) {
	b.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, value := range map[string]string{"csrf": token, "nonce": nonce, "c": channel, "t": "", "text": text} {
		if err := w.WriteField(name, value); err != nil {
			b.t.Fatal(err)
		}
	}
	for name, content := range files {
		part, err := w.CreateFormFile("files", name)
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := part.Write([]byte(content)); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.t.Fatal(err)
	}
	req, err := http.NewRequest("POST", b.base+"/say", &body)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	req.Header.Set("Origin", b.base)
	code, answer, _ := b.do(req)
	return code, answer
}

// Issue 4: what is attached in the console comes with the message, and is fetched as
// on any other platform.
func TestAFileIsAttached(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.enter("")
	if _, page, _ := b.get("/c/general"); !strings.Contains(page, `type="file"`) || !strings.Contains(page, `enctype="multipart/form-data"`) {
		t.Fatal("the composer takes no files")
	}
	if code, body := b.upload("general", "@hermes summarise this", b.csrf(), map[string]string{"../sales.csv": "a,b\n1,2\n"}); code != http.StatusSeeOther {
		t.Fatalf("status %d: %s", code, body)
	}
	if len(s.ears.messages) != 1 || len(s.ears.messages[0].Files) != 1 {
		t.Fatalf("heard %+v, want one message with one file", s.ears.messages)
	}
	m := s.ears.messages[0]
	if m.Text != "summarise this" || m.Files[0].Name != "sales.csv" || m.Files[0].Size != 8 || m.Files[0].ID == "" {
		t.Errorf("heard %q with %+v", m.Text, m.Files[0])
	}
	got, err := s.con.Fetch(t.Context(), m.Place, m.Files[0], 100)
	if err != nil || string(got) != "a,b\n1,2\n" {
		t.Errorf("fetched %q, %v", got, err)
	}
	if _, err := s.con.Fetch(t.Context(), m.Place, m.Files[0], 3); err == nil {
		t.Error("more was fetched than was allowed")
	}
	if _, err := s.con.Fetch(t.Context(), m.Place, bot.Attachment{ID: "nothing"}, 3); err == nil {
		t.Error("what is not there was fetched")
	}
	// A file alone is a message, too.
	if code, _ := b.upload("dm-analyst", "", b.csrf(), map[string]string{"x.txt": "hi"}); code != http.StatusSeeOther || len(s.ears.messages) != 2 {
		t.Errorf("a file without words: status %d, %d messages", code, len(s.ears.messages))
	}
}

// An upload has bounds, and needs the token like any other form; nothing is heard of
// one that is refused.
func TestAnUploadHasBounds(t *testing.T) {
	t.Parallel()
	many := map[string]string{}
	for i := range 6 {
		many[fmt.Sprintf("f%d.txt", i)] = "x"
	}
	for name, tt := range map[string]struct {
		files map[string]string
		token string
		want  int
	}{
		"six files":            {many, "", http.StatusRequestEntityTooLarge},
		"a file of 21 MB":      {map[string]string{"big": strings.Repeat("x", 21<<20)}, "", http.StatusRequestEntityTooLarge},
		"without the token":    {map[string]string{"a.txt": "x"}, "no", http.StatusForbidden},
		"nothing at all":       {nil, "", http.StatusUnprocessableEntity},
		"what cannot be kept":  {map[string]string{"broken": "x"}, "", http.StatusServiceUnavailable},
		"an empty file, alone": {map[string]string{"a.txt": ""}, "", http.StatusUnprocessableEntity},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			b := s.enter("")
			token, text := b.csrf(), ""
			if tt.token != "" {
				token = tt.token
			}
			if len(tt.files) > 1 {
				text = "@hermes look"
			}
			if code, body := b.upload("general", text, token, tt.files); code != tt.want {
				t.Errorf("status %d, want %d: %.200s", code, tt.want, body)
			}
			if len(s.ears.messages) != 0 {
				t.Errorf("heard %+v", s.ears.messages)
			}
		})
	}
}

// What was taken back says so, in the viewer's language, and shows nothing of what it
// said.
func TestWhatWasTakenBackSaysSo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	l := told("general", "", "post-1", "")
	l.Gone, l.Rev = true, 1
	s.desk.add(l)
	b := s.enter("")
	if _, page, _ := b.get("/c/general"); !strings.Contains(page, "This was taken back.") {
		t.Error("the page does not say that it was taken back")
	}
	if code, _ := b.post("/lang", map[string][]string{"lang": {"zh"}}); code >= 400 {
		t.Fatalf("status %d", code)
	}
	if _, page, _ := b.get("/c/general"); !strings.Contains(page, "这条消息已撤回。") {
		t.Error("the Chinese page does not say that it was taken back")
	}
}
