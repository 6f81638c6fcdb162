package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// `hermes try ask` is asked on a fixed day, which its help names, unless a line names
// another; a time or a zone that is none is said.
func TestTryAskTakesATimeAndAZone(t *testing.T) {
	unset(t)
	t.Chdir(t.TempDir())
	const always, never = "2026-11-02T10:00:00Z", "2031-05-20T22:00:00Z"
	said := func(now, tz string) string {
		t.Helper()
		line, err := json.Marshal(map[string]string{"text": "post last month's sales by region to #sales every month on the 1st at 9:00", "now": now, "tz": tz})
		if err != nil {
			t.Fatal(err)
		}
		got, err := hermesIn(t, string(line)+"\n", "try", "ask")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if fixed := said("", ""); fixed != said(always, "") || strings.Contains(fixed, "error") {
		t.Errorf("without a time it says\n%s, and at %s\n%s", fixed, always, said(always, ""))
	}
	help, err := hermesIn(t, "", "try", "ask", "--help")
	if err != nil || !strings.Contains(help, "2 November 2026, 10:00 UTC") {
		t.Errorf("its help is\n%s\n%v; want the fixed time", help, err)
	}
	// On the evening of the 20th in London it is the 21st in Shanghai.
	for zone, want := range map[string]string{"": "2031-05-20T22:00:00Z", "Asia/Shanghai": "2031-05-21T06:00:00+08:00"} {
		in, err := askTrial(fmt.Appendf(nil, `{"text":"x","now":%q,"tz":%q}`, never, zone))
		if err != nil || in.Now != want || in.Zone != zone {
			t.Errorf("in %q it is asked at %s, %v; want %s", zone, in.Now, err, want)
		}
	}
	for _, tt := range [][3]string{{"yesterday", "", "now: "}, {"", "Mars/Base", "tz: "}} {
		if got := said(tt[0], tt[1]); !strings.Contains(got, `{"error":"`+tt[2]) {
			t.Errorf("now %q, tz %q = %s, want an error", tt[0], tt[1], got)
		}
	}
}
