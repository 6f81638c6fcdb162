package slack_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every method that is named here is among those whose schemas are made of Slack's own
// types, so that what is new fails where it is written and not only where they are made.
func TestEveryMethodHasASchema(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("..", "..", "tools", "slack", "schema.mjs"))
	must(t, err)
	known, _, _ := strings.Cut(string(list), "];")
	files, err := filepath.Glob("*.go")
	must(t, err)
	method := regexp.MustCompile(`"((?:agents|apps|assistant|auth|bots|chat|conversations|files|reactions|team|usergroups|users|views)\.[A-Za-z.]*[A-Za-z])"`)
	n := 0
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		source, err := os.ReadFile(f)
		must(t, err)
		for _, m := range method.FindAllStringSubmatch(string(source), -1) {
			n++
			if !strings.Contains(known, `"`+m[1]+`"`) {
				t.Errorf("%s calls %s, which is not in the list of tools/slack/schema.mjs", f, m[1])
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d methods were found: the test says nothing", n)
	}
}
