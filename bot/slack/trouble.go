package slack

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// lockedCodes are refusals that only a person can mend: a token, or what it may do.
var lockedCodes = []string{
	"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "missing_scope",
	"not_allowed_token_type", "forbidden_team", "team_access_not_granted", "access_denied", "no_permission",
	"org_login_required", "ekm_access_denied", "enterprise_is_restricted", "app_not_installed", disabled,
}

// tokenCodes are those that are about the token itself, whatever was asked.
var tokenCodes = []string{"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"}

// laterCodes are troubles of Slack's own after which nothing has happened;
// unclearCodes are those after which something may have.
var (
	laterCodes   = []string{"ratelimited", "rate_limited", "service_unavailable", "team_added_to_org", "accesslimited"}
	unclearCodes = []string{"internal_error", "fatal_error", "request_timeout"}
)

// codeOf is what Slack calls an error, and empty if it is not Slack that speaks.
func codeOf(err error) string {
	var said slack.SlackErrorResponse
	var closed disconnectError
	switch {
	case errors.As(err, &said):
		return said.Err
	case errors.As(err, &closed):
		return string(closed)
	}
	return ""
}

// locked reports whether err needs a person, so that trying again soon is idle.
func locked(err error) bool {
	var status slack.StatusCodeError
	if errors.As(err, &status) {
		return status.Code == 403 || status.Code == 404
	}
	return slices.Contains(lockedCodes, codeOf(err))
}

func retryAfter(err error) (time.Duration, bool) {
	var limited *slack.RateLimitedError
	if errors.As(err, &limited) {
		return limited.RetryAfter, true
	}
	return 0, false
}

// troubleOf is an error of a write as bot knows it. What is neither a clear no nor
// certainly never left the house may have happened: then somebody has to look
// before it is said again.
func troubleOf(err error) error {
	if err == nil {
		return nil
	}
	var said slack.SlackErrorResponse
	if errors.As(err, &said) {
		return saidTrouble(said)
	}
	var status slack.StatusCodeError
	if errors.As(err, &status) {
		switch {
		case status.Code == 429:
			return fmt.Errorf("%w: %w", bot.ErrBusy, err)
		case status.Code < 500:
			return fmt.Errorf("%w: %w", bot.ErrRefused, err)
		}
		return fmt.Errorf("%w: %w", bot.ErrUnknown, err)
	}
	if _, ok := retryAfter(err); ok || neverSent(err) {
		return fmt.Errorf("%w: %w", bot.ErrBusy, err)
	}
	return fmt.Errorf("%w: %w", bot.ErrUnknown, err)
}

func saidTrouble(said slack.SlackErrorResponse) error {
	text := said.Err
	if said.Needed != "" {
		text += ": the app lacks the scope " + said.Needed
	}
	for _, m := range said.ResponseMetadata.Messages {
		text += "; " + m
	}
	switch {
	case slices.Contains(laterCodes, said.Err):
		return fmt.Errorf("%w: %w", bot.ErrBusy, refusal{said, text})
	case slices.Contains(unclearCodes, said.Err), said.Err == "":
		return fmt.Errorf("%w: %w", bot.ErrUnknown, refusal{said, text})
	case slices.Contains(tokenCodes, said.Err):
		return fmt.Errorf("%w: %w", bot.ErrShut, refusal{said, text})
	}
	why := bot.ErrRefused
	if place, ok := placeCodes[said.Err]; ok {
		why = place
	}
	return fmt.Errorf("%w: %w", why, refusal{said, text})
}

// placeCodes are refusals of a place, and what people are told of each.
var placeCodes = map[string]error{
	"is_archived":                              bot.ErrArchived,
	"channel_not_found":                        bot.ErrVanished,
	"not_in_channel":                           bot.ErrOutside,
	"restricted_action":                        bot.ErrRestricted,
	"restricted_action_read_only_channel":      bot.ErrRestricted,
	"restricted_action_thread_only_channel":    bot.ErrRestricted,
	"restricted_action_non_threadable_channel": bot.ErrRestricted,
	"restricted_action_thread_locked":          bot.ErrRestricted,
	"cannot_reply_to_message":                  bot.ErrRestricted,
}

// A refusal is a no of Slack's with all that it says about it.
type refusal struct {
	said slack.SlackErrorResponse
	text string
}

func (e refusal) Error() string { return e.text }

func (e refusal) Unwrap() error { return e.said }

// neverSent reports whether a request did not even reach a connection.
func neverSent(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	return errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial"
}

// readTrouble is an error of a call that only reads: whatever it is, it may be
// asked again.
func readTrouble(err error) error {
	switch t := troubleOf(err); {
	case t == nil:
		return nil
	case errors.Is(t, bot.ErrUnknown):
		return err
	default:
		return t
	}
}

// note keeps what an answer says about the token.
func (s *Slack) note(err error) {
	switch code := codeOf(err); {
	case err == nil:
		if s.health.accepted() {
			signal(s.mended)
		}
	case slices.Contains(tokenCodes, code):
		s.refused("bot token: " + code)
	}
}

// refused notes that the bot token is refused, and has that looked at more often.
func (s *Slack) refused(why string) {
	if s.health.refused(s.cfg.Now(), why) {
		s.log.Error("slack refuses the bot token; nothing can be said until that is mended", "why", why,
			"hint", "install the app in the workspace again, put its token (xoxb-…) where slack.bot_token takes it from, and restart; `hermes check` tries it")
		signal(s.shut)
	}
}
