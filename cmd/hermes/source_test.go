package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// writeFile writes a file below the working folder.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const sourceSecret = "tk-very-secret-value"

// Sources of all kinds are listed without what is secret in them, a draft of each can be
// pasted below its entry, and check asks for all of it.
func TestSourceIsDraftedAndChecked(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+sourceSecret || r.URL.Query().Get("key") != sourceSecret {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		fmt.Fprint(w, `{"items":[{"on":"2026-10-01","team":"North","amount":10},{"on":"2026-10-02","team":"South","amount":2.5}]}`)
	}))
	t.Cleanup(srv.Close)
	t.Setenv("CRM_TOKEN", sourceSecret)
	writeFile(t, "data/sales-2026-09.csv", "day,region,amount\n2026-09-01,North,1\n2026-09-02,South,2\n")
	writeFile(t, "data/sales-2026-10.csv", "day,region,amount\n2026-10-01,North,3\n2026-10-02,South,4\n")
	entries := []string{
		"  - name: branches\n    files: {path: data}\n",
		"  - name: crm\n    http:\n      url: " + srv.URL + "/deals?key=${CRM_TOKEN}\n      headers: [{name: Authorization, value: \"Bearer ${CRM_TOKEN}\"}]\n      rows: items\n      table: deals\n      private: true\n",
	}
	writeFile(t, "hermes.yaml", "sources:\n"+strings.Join(entries, ""))
	got, err := hermesIn(t, "", "source", "list")
	if err != nil || !strings.Contains(got, "branches  files  data") || !strings.Contains(got, "crm       http   "+srv.URL+"/deals ") || strings.Contains(got, sourceSecret) {
		t.Errorf("list = %v\n%s", err, got)
	}
	whole := "sources:\n"
	for i, name := range []string{"branches", "crm"} {
		draft, err := hermesIn(t, "", "source", "describe", name)
		if err != nil {
			t.Fatalf("%v\n%s", err, draft)
		}
		if i == 1 {
			draft = strings.ReplaceAll(draft, "name: amount", "name: won")
			draft = strings.ReplaceAll(draft, "name: team", "name: squad")
			draft = strings.ReplaceAll(draft, "dimensions: [team]", "dimensions: [squad]")
		}
		whole += entries[i] + draft
	}
	writeFile(t, "hermes.yaml", whole)
	got, err = hermesIn(t, "", "check")
	if !strings.Contains(got, "✓ source branches") || !strings.Contains(got, "✓ source crm") || strings.Contains(got, sourceSecret) {
		t.Errorf("check = %v\n%s\nof\n%s", err, got, whole)
	}
	if got, err = hermesIn(t, "", "source", "list"); err != nil || !strings.Contains(got, "2         1") {
		t.Errorf("list = %v\n%s", err, got)
	}
}

// What is wrong with a source is said with what to do, and without a secret.
func TestSourceFaults(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	if got, err := hermesIn(t, "", "source", "list"); err != nil || !strings.Contains(got, "No sources are configured") || !regexp.MustCompile(`(?m)^sales +sqlite +\S*sample\.db +[1-9]\d* +[1-9]\d*$`).MatchString(got) {
		t.Errorf("list = %v\n%s", err, got)
	}
	if _, err := hermesIn(t, "", "source", "describe", "x"); err == nil || !strings.Contains(err.Error(), "no sources are configured") {
		t.Errorf("describe = %v", err)
	}
	writeFile(t, "data/sales.csv", "day,amount\n"+strings.Repeat("2026-10-01,1\n", 20)+"2026-10-02,lots\n")
	writeFile(t, "hermes.yaml", "sources:\n  - name: branches\n    files: {path: data}\n")
	if _, err := hermesIn(t, "", "source", "describe", "shop"); err == nil || !strings.Contains(err.Error(), "there are: branches") {
		t.Errorf("describe = %v", err)
	}
	for _, args := range [][]string{{"source", "describe", "branches"}, {"check"}} {
		got, err := hermesIn(t, "", args...)
		if err == nil || !strings.Contains(got+err.Error(), `sales.csv row 22, column amount: "lots" is no number`) {
			t.Errorf("%v = %v\n%s", args, err, got)
		}
	}
	writeFile(t, "hermes.yaml", "sources:\n  - name: crm\n    http: {url: \"https://crm.example/x?key=${CRM_NOT_THERE}\"}\n")
	if _, err := hermesIn(t, "", "source", "list"); err == nil || !strings.Contains(err.Error(), "there is no variable CRM_NOT_THERE") {
		t.Errorf("list = %v", err)
	}
}
