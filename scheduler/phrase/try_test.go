package phrase

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A line in is a line out, in the words of the contract.
func TestTry(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"text":"每月1号早上9点","now":"2026-10-07T15:30:00+02:00","tz":"Europe/Berlin"}`:  `{"kind":"recurring","next":["2026-11-01T09:00:00+01:00","2026-12-01T09:00:00+01:00","2027-01-01T09:00:00+01:00","2027-02-01T09:00:00+01:00","2027-03-01T09:00:00+01:00"],"say":"每月1号 09:00","question":"","spec":"0 9 1 * *"}`,
		`{"cron":"30 2 8 3 *","now":"2026-03-01T00:00:00Z","tz":"America/New_York"}`:  `{"kind":"recurring","next":["2026-03-08T03:00:00-04:00","2027-03-08T02:30:00-05:00","2028-03-08T02:30:00-05:00","2029-03-08T02:30:00-05:00","2030-03-08T02:30:00-05:00"],"say":"every year on the 8th of March at 02:30","question":"","spec":"30 2 8 3 *"}`,
		`{"cron":"14 14 * * *","now":"2016-01-03T13:09:03+05:30"}`:                    `{"kind":"recurring","next":["2016-01-03T14:14:00+05:30","2016-01-04T14:14:00+05:30","2016-01-05T14:14:00+05:30","2016-01-06T14:14:00+05:30","2016-01-07T14:14:00+05:30"],"say":"every day at 14:14","question":"","spec":"14 14 * * *"}`,
		`{"text":"sales per month","now":"2026-10-07T15:30:00Z","tz":"UTC"}`:          `{"kind":"none","next":[],"say":"","question":"","spec":""}`,
		`{"text":"remind me yesterday at 9","now":"2026-10-07T15:30:00Z","tz":"UTC"}`: `{"kind":"ask","next":[],"say":"","question":"That time has passed. When do you mean?","spec":""}`,
		`{"text":"Thursday 9AM","now":"2026-11-29T10:00:00Z","tz":"UTC"}`:             `{"kind":"ask","next":["2026-12-03T09:00:00Z"],"say":"once, on Thursday, 3 December 2026 at 09:00","question":"The last Thursday is nearer than the next. Do you mean Thursday 3 December 2026?","spec":"@once 2026-12-03T09:00"}`,
		`{"text":"daily","now":"now","tz":"UTC"}`:                                     `{"kind":"","next":[],"say":"","question":"","spec":"","error":"now \"now\": want RFC 3339, such as 2026-10-05T09:00:00+02:00"}`,
	} {
		var line TrialInput
		if err := json.Unmarshal([]byte(in), &line); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(Try(line))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("Try(%s) (-want +got):\n%s", in, diff)
		}
	}
}

// A weekday that is all of a message is asked about when the one that is over is nearer;
// what it is for, a word for its week, or Chinese, where the past is told apart, says
// that the coming one is meant, and so does the question it answers.
func TestABareWeekdayThatIsNearerBehindIsAskedAbout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Kind{
		"Monday": Ask, "on Monday at 9:00": Ask, "Saturday": Once, "Thursday at 17:00": Once,
		"next Monday": Once, "Monday next week": Once, "remind me on Monday": Once, "every Monday": Recurring, "周一": Once, "星期一上午9点": Once,
	} {
		// A Thursday.
		if got := Try(TrialInput{Text: text, Now: "2026-12-03T10:00:00Z", TZ: "UTC"}); got.Kind != want || want == Ask && (got.Question == "" || len(got.Next) != 1) {
			t.Errorf("Try(%q) = %+v, want %s", text, got, want)
		}
		if got := Read(text, time.Date(2026, 12, 3, 10, 0, 0, 0, time.UTC), time.UTC, "en"); want == Ask && (got.Kind != Once || !got.Nearer) {
			t.Errorf("Read(%q) = %+v: an answer to \"when?\" is taken", text, got)
		}
	}
}
