package redact

// kinds are all that may stand in a marker; what only looks like a marker is none.
var kinds, longestKind = func() (map[string]bool, int) {
	all := map[string]bool{Configured: true}
	for _, k := range []string{
		"aws-key", "aws-secret", "jwt", "private-key", "telegram-token", "discord-token", "bearer-token", "basic-auth", "url-password", "url-key", "authorization", "cookie", "unnamed", "base64-secret",
		"slack-webhook", "discord-webhook", "teams-webhook", "feishu-webhook", "wecom-webhook", "dingtalk-webhook", "signature",
	} {
		all[k] = true
	}
	for _, c := range credentials {
		all[c.kind] = true
	}
	for _, n := range names {
		all[n.kind] = true
	}
	longest := 0
	for k := range all {
		longest = max(longest, len(k))
	}
	return all, longest
}()
