package slack

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// ask makes a call that only reads, and decodes a few fields of its answer. The
// library reads all fields, and fails on one of a kind that is new. Its errors are
// the library's.
func (s *Slack) ask(ctx context.Context, method string, args url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.cfg.APIURL+method, strings.NewReader(args.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Authorization", "Bearer "+s.cfg.BotToken)
	resp, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // it has been read
	if resp.StatusCode == http.StatusTooManyRequests {
		after, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil {
			after = 60 // Slack counts by the minute
		}
		return &slack.RateLimitedError{RetryAfter: time.Duration(after) * time.Second}
	}
	if resp.StatusCode != http.StatusOK {
		return slack.StatusCodeError{Code: resp.StatusCode, Status: resp.Status}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, readLimit))
	if err != nil {
		return err
	}
	var head struct {
		OK     bool   `json:"ok"`
		Error  string `json:"error"`
		Needed string `json:"needed"`
	}
	if err := json.Unmarshal(body, &head); err != nil {
		return err
	}
	if !head.OK {
		return slack.SlackErrorResponse{Err: head.Error, Needed: head.Needed}
	}
	return json.Unmarshal(body, out)
}
