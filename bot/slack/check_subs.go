package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slack-go/slack"
)

// heardOf are the events of the manifest: what is broken without each, and how somebody
// in Slack sees whether it comes. Slack tells an app nothing of its own subscriptions.
var heardOf = []struct{ event, without, probe string }{
	{"agent_session_stopped", "Slack's own Stop does nothing", "press Stop under a long piece of work: it stops"},
	{"agent_session_title_changed", spare, ""},
	{"app_context_changed", spare, ""},
	{"app_home_opened", "the Home tab stays empty", "open its Home tab: it fills"},
	{"app_mention", "who calls it by name is heard only where the message events come too", ""}, // with those it is answered either way
	{"app_uninstalled", "it is not known at once that the app was taken away", ""},
	{"channel_archive", "it is not known at once that a channel was closed", ""},
	{"channel_id_changed", "a channel that was made public or moved is lost", ""},
	{"member_joined_channel", "it is not known at once that it was invited", "invite it to a channel, and have it post there at once"},
	{"message.channels", "threads in public channels go on unheard", "in a public channel call it, then write in the thread without its name: it answers"},
	{"message.groups", "threads in private channels go on unheard", "the same in a private channel"},
	{"message.im", "direct messages are not heard", "write to it directly: it answers"},
	{"message.mpim", "messages of several people are not heard", "call it in a conversation of several people: it answers"},
	{"reaction_added", spare, ""},
	{"subteam_members_changed", "who joins or leaves a user group decides, or does not, for up to some minutes more", ""},
	{"tokens_revoked", "a token that is taken away is noticed a minute later", ""},
	{"user_change", "names, zones and standings of people are up to an hour old", ""},
}

// checkSubscriptions looks which events Slack sends, if there is a token for the app's
// configuration; else it says which ones are to be looked at, and how each shows.
func (s *Slack) checkSubscriptions(ctx context.Context, token string) []Finding {
	const where = "switch it on under Event Subscriptions → Subscribe to bot events, or paste the manifest of `hermes init slack`"
	if token == "" {
		all := []Finding{{What: "events: Slack tells no app which of them it sends. Look under Event Subscriptions for the " +
			fmt.Sprint(len(heardOf)) + " below, or set SLACK_CONFIG_TOKEN to an app configuration token and check again", Open: true}}
		var quiet []string
		for _, e := range heardOf {
			if e.probe == "" {
				quiet = append(quiet, e.event)
				continue
			}
			all = append(all, Finding{What: "event " + e.event + ": to see it, " + e.probe, Open: true})
		}
		return append(all, Finding{What: "events that show nothing at once: " + strings.Join(quiet, ", "), Open: true})
	}
	sends, err := s.subscribed(ctx, token)
	if err != nil {
		return []Finding{{What: "events", Err: err, Hint: "SLACK_CONFIG_TOKEN is an app configuration token (xoxe.…) of who owns the app, from api.slack.com/apps; it is good for twelve hours"}}
	}
	var missing []Finding
	for _, e := range heardOf {
		if !slices.Contains(sends, e.event) {
			missing = append(missing, Finding{What: "event " + e.event, Err: errors.New("not subscribed: " + e.without)})
		}
	}
	if len(missing) == 0 {
		return []Finding{{What: fmt.Sprintf("events: all %d are subscribed", len(heardOf))}}
	}
	missing[len(missing)-1].Hint = where
	return missing
}

// subscribed are the events in the configuration of our app.
func (s *Slack) subscribed(ctx context.Context, token string) ([]string, error) {
	me, _ := s.me()
	b, err := s.api.GetBotInfoContext(ctx, slack.GetBotInfoParameters{Bot: me.bot})
	if err != nil {
		return nil, fmt.Errorf("bots.info: %w", err)
	}
	raw, err := s.api.ExportManifestRawContext(ctx, token, b.AppID)
	if err != nil {
		return nil, errors.New("apps.manifest.export: " + strings.ReplaceAll(err.Error(), token, "…"))
	}
	var m struct {
		Settings struct {
			Events struct {
				Bot []string `json:"bot_events"`
			} `json:"event_subscriptions"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("apps.manifest.export: %w", err)
	}
	return m.Settings.Events.Bot, nil
}
