package fakeslack

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A method is one of the Web API. It is called with s.mu held, and its scopes are
// those of which a token needs one.
type method struct {
	scopes []string
	app    bool // wants the app's token
	open   bool // wants no token
	tier   tier
	// What it takes, each with its kind after a colon: b a boolean, n a number, j JSON,
	// l a list of words; without one it is text. Anything else is refused.
	args string
	do   func(s *Server, a args) (reply, *refusal)
}

var (
	reads     = []string{"channels:read", "groups:read", "im:read", "mpim:read"}
	histories = []string{"channels:history", "groups:history", "im:history", "mpim:history"}
	write     = []string{"chat:write"}
)

const (
	pageArgs  = " cursor limit:n"
	spanArgs  = " oldest latest inclusive:b include_all_metadata:b"
	wordsArgs = " text blocks:j attachments:j markdown_text metadata:j parse link_names:b as_user:b username icon_emoji icon_url thread_ts"
)

// methods follows Slack's list of methods: arguments, scopes and tiers.
var methods = map[string]method{
	"auth.test":                  {tier: t600, do: (*Server).authTest},
	"auth.revoke":                {tier: t3, args: "test:b", do: (*Server).authRevoke},
	"apps.connections.open":      {app: true, tier: t1, do: (*Server).openConnection},
	"oauth.v2.access":            {open: true, tier: t4, args: "client_id client_secret code redirect_uri grant_type refresh_token", do: (*Server).oauthAccess},
	"chat.postMessage":           {scopes: write, tier: t600, args: "channel channel_id reply_broadcast:b unfurl_links:b unfurl_media:b mrkdwn:b" + wordsArgs, do: (*Server).postMessage},
	"chat.postEphemeral":         {scopes: write, tier: t4, args: "channel channel_id user" + wordsArgs, do: (*Server).postEphemeral},
	"chat.update":                {scopes: write, tier: t3, args: "channel ts file_ids:j reply_broadcast:b" + wordsArgs, do: (*Server).updateMessage},
	"chat.delete":                {scopes: write, tier: t3, args: "channel ts as_user:b", do: (*Server).deleteMessage},
	"chat.getPermalink":          {tier: t600, args: "channel message_ts", do: (*Server).getPermalink},
	"chat.startStream":           {scopes: write, tier: t2, args: "channel thread_ts markdown_text chunks:j recipient_user_id recipient_team_id task_display_mode icon_emoji icon_url username", do: (*Server).startStream},
	"chat.appendStream":          {scopes: write, tier: t4, args: "channel ts markdown_text chunks:j", do: (*Server).appendStream},
	"chat.stopStream":            {scopes: write, tier: t2, args: "channel ts markdown_text chunks:j blocks:j metadata:j session_status", do: (*Server).stopStream},
	"agents.sessions.setStatus":  {scopes: write, tier: t3, args: "channel_id thread_ts status title initiator_user_id icon_emoji icon_url username", do: (*Server).sessionStatus},
	"agents.sessions.rename":     {scopes: write, tier: t3, args: "channel_id thread_ts title", do: (*Server).sessionRename},
	"assistant.threads.setTitle": {scopes: []string{"assistant:write"}, tier: t3, args: "channel_id thread_ts title", do: (*Server).threadTitle},
	"assistant.threads.setStatus": {
		scopes: []string{"assistant:write", "chat:write"}, tier: t600,
		args: "channel_id thread_ts status loading_messages:l icon_emoji icon_url username", do: (*Server).threadStatus,
	},
	"assistant.threads.setSuggestedPrompts": {scopes: []string{"assistant:write"}, tier: t3, args: "channel_id thread_ts title prompts:j", do: (*Server).threadPrompts},
	"conversations.list":                    {scopes: reads, tier: t2, args: "exclude_archived:b types" + pageArgs, do: (*Server).conversationsList},
	"conversations.info":                    {scopes: reads, tier: t3, args: "channel include_locale:b include_num_members:b", do: (*Server).conversationsInfo},
	"conversations.members":                 {scopes: reads, tier: t4, args: "channel" + pageArgs, do: (*Server).conversationsMembers},
	"conversations.replies":                 {scopes: histories, tier: t3, args: "channel ts" + spanArgs + pageArgs, do: (*Server).conversationsReplies},
	"conversations.history":                 {scopes: histories, tier: t3, args: "channel" + spanArgs + pageArgs, do: (*Server).conversationsHistory},
	"conversations.open":                    {scopes: []string{"im:write", "mpim:write"}, tier: t3, args: "users channel return_im:b prevent_creation:b", do: (*Server).conversationsOpen},
	"conversations.join":                    {scopes: []string{"channels:join"}, tier: t3, args: "channel", do: (*Server).conversationsJoin},
	"users.info":                            {scopes: []string{"users:read"}, tier: t4, args: "user include_locale:b", do: (*Server).usersInfo},
	"users.list":                            {scopes: []string{"users:read"}, tier: t2, args: "include_locale:b" + pageArgs, do: (*Server).usersList},
	"users.lookupByEmail":                   {scopes: []string{"users:read.email"}, tier: t3, args: "email", do: (*Server).usersLookup},
	"users.conversations":                   {scopes: reads, tier: t3, args: "user types exclude_archived:b" + pageArgs, do: (*Server).usersConversations},
	"usergroups.list":                       {scopes: []string{"usergroups:read"}, tier: t2, args: "include_count:b include_disabled:b include_users:b", do: (*Server).groupsList},
	"usergroups.users.list":                 {scopes: []string{"usergroups:read"}, tier: t2, args: "usergroup include_disabled:b", do: (*Server).groupUsers},
	"team.info":                             {scopes: []string{"team:read"}, tier: t3, args: "team domain", do: (*Server).teamInfo},
	"bots.info":                             {scopes: []string{"users:read"}, tier: t3, args: "bot", do: (*Server).botsInfo},
	"reactions.add":                         {scopes: []string{"reactions:write"}, tier: t3, args: "channel timestamp name", do: (*Server).reactionsAdd},
	"reactions.remove":                      {scopes: []string{"reactions:write"}, tier: t2, args: "channel timestamp name file file_comment", do: (*Server).reactionsRemove},
	"files.getUploadURLExternal":            {scopes: []string{"files:write"}, tier: t4, args: "filename length:n alt_txt alt_text snippet_type", do: (*Server).filesGetUploadURL},
	"files.completeUploadExternal": {
		scopes: []string{"files:write"}, tier: t4,
		args: "files:j channel_id channels thread_ts initial_comment blocks:j", do: (*Server).filesComplete,
	},
	"files.info":    {scopes: []string{"files:read"}, tier: t4, args: "file count:n page:n" + pageArgs, do: (*Server).filesInfo},
	"files.delete":  {scopes: []string{"files:write"}, tier: t3, args: "file", do: (*Server).filesDelete},
	"views.open":    {tier: t4, args: "trigger_id interactivity_pointer view:j", do: (*Server).viewsOpen},
	"views.push":    {tier: t4, args: "trigger_id interactivity_pointer view:j", do: (*Server).viewsPush},
	"views.update":  {tier: t4, args: "view_id external_id hash view:j", do: (*Server).viewsUpdate},
	"views.publish": {tier: t4, args: "user_id hash view:j", do: (*Server).viewsPublish},
	"apps.event.authorizations.list": {
		app: true, tier: t4, args: "event_context" + pageArgs, do: (*Server).eventAuthorizations,
	},
}

// kinds reads the arguments of a method.
func (m method) kinds() map[string]string {
	out := map[string]string{}
	for _, f := range strings.Fields(m.args) {
		name, kind, _ := strings.Cut(f, ":")
		out[name] = kind
	}
	return out
}

// check refuses what a method does not take. Slack itself is silent about some of
// it; a word that nobody reads is an error all the same.
func (m method) check(a args) *refusal {
	kinds := m.kinds()
	var wrong []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		kind, ok := kinds[k]
		if k == "team_id" {
			ok = true // clients of many workspaces send it with everything
		}
		v := a[k]
		switch {
		case !ok:
			wrong = append(wrong, fmt.Sprintf("[ERROR] unknown argument: %s", k))
		case kind == "b" && v != "" && v != "0" && v != "1" && v != "true" && v != "false":
			wrong = append(wrong, fmt.Sprintf("[ERROR] must be a boolean: %s", k))
		case kind == "n" && v != "":
			if n, err := strconv.Atoi(v); err != nil || n < 0 {
				wrong = append(wrong, fmt.Sprintf("[ERROR] must be a number: %s", k))
			}
		}
	}
	if len(wrong) > 0 {
		return no("invalid_arguments", wrong...)
	}
	return nil
}

// Arguments returns what the call said, with the types that Slack's method takes.
func (c Call) Arguments() map[string]any {
	kinds := methods[c.Method].kinds()
	out := map[string]any{}
	for k, v := range c.Args {
		out[k] = v
		switch kinds[k] {
		case "b":
			out[k] = v == "1" || v == "true"
		case "n":
			if n, err := strconv.Atoi(v); err == nil {
				out[k] = n
			}
		case "j":
			var decoded any
			if json.Unmarshal([]byte(v), &decoded) == nil {
				out[k] = decoded
			}
		case "l":
			out[k] = args(c.Args).words(k)
		}
	}
	return out
}
