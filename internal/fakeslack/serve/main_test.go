package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"hermes/internal/fakeslack"
)

// A script can play: it says something as a person, the app posts a button, the
// script presses it, and what happened can be read.
func TestPlayByHTTP(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(ctx, []string{"-addr", "127.0.0.1:0"}, w) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	api := strings.TrimSpace(strings.TrimPrefix(line, "api_url"))
	base := strings.TrimSuffix(api, "/api/")

	said := give(t, base, "say", `{"user":"ana","channel":"sales","text":"@hermes hi"}`)
	ts, _ := said["ts"].(string)
	if ts == "" || !strings.Contains(said["text"].(string), fakeslack.BotUser) {
		t.Fatalf("said = %v", said)
	}
	for _, who := range []string{"guest", "stranger", "robot"} {
		if m := give(t, base, "say", `{"user":"`+who+`","channel":"general","text":"@hermes hi"}`); m["ts"] == nil {
			t.Errorf("%s said %v", who, m)
		}
	}
	body := `{"channel":"sales","thread_ts":"` + ts + `","text":"t","blocks":[{"type":"actions","elements":[
		{"type":"button","action_id":"choice:go","style":"primary","text":{"type":"plain_text","text":"Go"}}]},
		{"type":"context_actions","elements":[{"type":"feedback_buttons","action_id":"rate",
			"positive_button":{"text":{"type":"plain_text","text":"Good answer"},"value":"good"},
			"negative_button":{"text":{"type":"plain_text","text":"Bad answer"},"value":"bad"}}]}]}`
	req, _ := http.NewRequest(http.MethodPost, api+"chat.postMessage", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+fakeslack.BotToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	for _, name := range []string{"Go", "G", "go", "primary", "Good answer", "Bad"} {
		give(t, base, "press", `{"user":"leo","channel":"sales","button":"`+name+`"}`)
	}
	give(t, base, "edit", `{"user":"ana","channel":"sales","ts":"`+ts+`","text":"hello"}`)
	give(t, base, "fault", `{"method":"chat.postMessage","status":429,"retry_after":3}`)
	for _, name := range []string{"mend", "freeze", "drop", "disconnect"} {
		give(t, base, name, `{}`)
	}
	give(t, base, "revoke", `{"token":"bot","code":"token_revoked"}`)

	// Forms, commands and the rest of what people do.
	give(t, base, "revoke", `{"token":"bot"}`)
	view := func(method, body string) {
		req, _ := http.NewRequest(http.MethodPost, api+method, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+fakeslack.BotToken)
		if resp, err := http.DefaultClient.Do(req); err != nil {
			t.Fatal(err)
		} else {
			_ = resp.Body.Close()
		}
	}
	view("views.publish", `{"user_id":"U0ANA0001","view":{"type":"home","blocks":[{"type":"actions","elements":[
		{"type":"button","action_id":"more","text":{"type":"plain_text","text":"More"}}]}]}}`)
	for _, order := range [][2]string{
		{"home", `{"user":"ana"}`},
		{"press", `{"user":"ana","view":"home","button":"More"}`},
		{"slash", `{"user":"ana","channel":"dm","command":"/hermes","text":"status"}`},
		{"react", `{"user":"ana","channel":"sales","ts":"` + ts + `","emoji":"eyes"}`},
		{"attach", `{"user":"ana","channel":"dm","name":"a.txt","text":"x"}`},
		{"shortcut", `{"user":"ana","channel":"sales","ts":"` + ts + `","callback":"ask_about_message"}`},
		{"limits", `{"all":true}`}, {"refresh", `{}`},
	} {
		give(t, base, order[0], order[1])
	}
	for name, body := range map[string]string{
		"submit": `{"user":"ana"}`, "dismiss": `{"user":"ana"}`, "stop": `{"user":"ana","channel":"sales","thread":"` + ts + `"}`,
		"http": `{"events":"` + base + `/_fake/state"}`, "press": `{"user":"ana","view":"modal","button":"x"}`,
	} {
		resp, err := http.Post(base+"/_fake/"+name, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s = %s, want 400: there is nothing to do that to", name, resp.Status)
		}
	}

	resp, err = http.Get(base + "/_fake/state?channel=sales")
	if err != nil {
		t.Fatal(err)
	}
	st := read(t, resp)
	if ms := st["messages"].([]any); len(ms) != 2 || ms[0].(map[string]any)["text"] != "hello" || ms[1].(map[string]any)["thread"] != ts {
		t.Errorf("messages = %v", ms)
	}
	if st["unacked"] != 28.0 { // six who joined, three messages with their mentions, message, mention, our own post, six presses, the edit; home, its press, command, reaction, file, shortcut
		t.Errorf("unacked = %v, want 28", st["unacked"])
	}
	if vs := st["views"].([]any); len(vs) != 1 || vs[0].(map[string]any)["type"] != "home" {
		t.Errorf("views = %v", vs)
	}
	for _, bad := range []string{`{"user":"nobody","channel":"sales","text":"x"}`, `{`, `{"user":"ana","channel":"nowhere","text":"x"}`} {
		resp, err := http.Post(base+"/_fake/say", "application/json", strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("say %s = %s, want 400", bad, resp.Status)
		}
	}
}

// What was said to the bot alone is found as people name that place, and one's own by
// name; -h prints how it is used and is no failure.
func TestConversationsAndHelp(t *testing.T) {
	s, err := fakeslack.Start(fakeslack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Handle("/_fake/", control(s))
	base := s.URL()
	ts := give(t, base, "say", `{"user":"ana","channel":"dm","text":"hi"}`)["ts"].(string)
	give(t, base, "say", `{"user":"leo","channel":"dm","text":"hello"}`)
	for query, want := range map[string]string{"channel=dm": "hi hello", "channel=dm&user=leo": "hello", "channel=sales": ""} {
		resp, err := http.Get(base + "/_fake/state?" + query)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range read(t, resp)["messages"].([]any) {
			texts = append(texts, m.(map[string]any)["text"].(string))
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	give(t, base, "edit", `{"user":"ana","channel":"dm","ts":"`+ts+`","text":"hi again"}`)
	if err := run(t.Context(), []string{"-h"}, io.Discard); err != nil {
		t.Errorf("-h = %v", err)
	}
}

func give(t *testing.T, base, name, body string) map[string]any {
	t.Helper()
	resp, err := http.Post(base+"/_fake/"+name, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, resp)
}

func read(t *testing.T, resp *http.Response) map[string]any {
	t.Helper()
	defer resp.Body.Close()
	var out struct {
		OK     bool
		Error  string
		Result map[string]any
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	if !out.OK {
		t.Fatalf("%s: %s", resp.Request.URL, out.Error)
	}
	return out.Result
}
