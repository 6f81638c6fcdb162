package slack

import (
	"strings"
	"testing"
)

// What is shown of a draft is what the answer begins with, whatever follows, and calls
// nobody.
func TestLeadOfADraft(t *testing.T) {
	whole := "Sales **rose**, <@U1> and <!here>.\n\n```go\nx := 1\n\ny := 2\n```\n\n- one\n- two | three\n\n| region | sold |\n|---|---|\n| EU | 12 |\n\nThat is all."
	final := pack(segments(silent.Replace(whole)), markdownLimit)[0][0].text
	longest := ""
	for i := range whole {
		lead := leadOf(whole[:i])
		if !strings.HasPrefix(final, lead) {
			t.Fatalf("of %q it is %q, which %q does not begin with", whole[:i], lead, final)
		}
		if strings.Contains(lead, "<@") || strings.Contains(lead, "<!") {
			t.Fatalf("%q calls somebody", lead)
		}
		if len(lead) > len(longest) {
			longest = lead
		}
	}
	if !strings.HasSuffix(longest, "- two | three") && !strings.HasSuffix(longest, "- one") {
		t.Errorf("the longest lead is %q, want all before the table", longest)
	}
}
