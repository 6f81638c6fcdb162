package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// check says why a model gives no answer: nobody there, no such host, a wrong key, or
// busy after all; and under which key that is mended.
func TestCheckSaysWhyAModelDoesNotAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	status := func(code int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":{"message":"no"}}`, code) }))
		t.Cleanup(s.Close)
		return s.URL
	}
	for url, want := range map[string][]string{
		"http://" + nobody + "/v1": {"✗ model openai/m: nobody listens at " + nobody + "\n  hint: start the server that should be there, or mend model.base_url\n"},
		status(401) + "/v1":        {"credentials rejected", "hint: model.api_key is wrong"},
		status(429) + "/v1":        {"model is busy", "hint: it was reached"},
		status(404) + "/v1":        {"hint: model.base_url and model.name say which model is asked"},
	} {
		unset(t)
		t.Chdir(t.TempDir())
		t.Setenv("NO_PROXY", "*")
		t.Setenv("HERMES_MODEL_PROVIDER", "openai")
		t.Setenv("HERMES_MODEL_BASE_URL", url)
		t.Setenv("HERMES_MODEL_NAME", "m")
		t.Setenv("HERMES_MODEL_API_KEY", "k")
		got, err := hermesIn(t, "", "check")
		for _, w := range want {
			if !errors.Is(err, errChecks) || !strings.Contains(got, w) {
				t.Errorf("check = %v and\n%s\nwant %q", err, got, w)
			}
		}
	}
	t.Run("a fallback", func(t *testing.T) {
		unset(t)
		t.Chdir(t.TempDir())
		t.Setenv("NO_PROXY", "*")
		put(t, "hermes.yaml", fmt.Sprintf("model: {provider: openai, base_url: %q, name: m, fallbacks: [{provider: openai, base_url: %q, name: n}]}\n", "http://"+nobody+"/v1", "http://"+nobody+"/v1"))
		if got, err := hermesIn(t, "", "check"); err == nil || !strings.Contains(got, "or mend model.fallbacks[0].base_url") {
			t.Errorf("check = %v and\n%s\nwant the key of the fallback", err, got)
		}
	})
}
