package redact

import (
	"encoding/base64"
	"slices"
	"strings"
)

// A vendor's credential begins with signs that nothing else begins with.
type credential struct {
	kind     string
	literals []string // as they are written
	of       class
	least    int // characters behind the literal
	fits     func(body string) bool
}

// credentials are those that are known by how they begin. Public keys (pk_live_, an id
// of an account) are none.
var credentials = []credential{
	{"slack-token", []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xox", "xoxc-", "xoxd-", "xoxo-", "xapp-", "xwfp-"}, opaque, 8, numbered},
	{"anthropic-key", []string{"sk-ant-"}, opaque, 12, numbered},
	{"openai-key", []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"}, opaque, 12, numbered},
	{"openrouter-key", []string{"sk-or-"}, opaque, 16, numbered},
	{"api-key", []string{"sk-"}, opaque, 10, solidKey},
	{"stripe-key", []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_"}, letters, 10, nil},
	{"webhook-secret", []string{"whsec_"}, base64s, 16, nil},
	{"github-token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, letters, 20, numbered},
	{"github-token", []string{"github_pat_"}, token, 20, numbered},
	{"gitlab-token", []string{"glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glcbt-", "glsoat-", "glft-", "glimt-", "glagent-", "gloas-", "GR1348941"}, dotted, 12, numbered},
	{"google-key", []string{"AIza"}, token, 30, nil},
	{"google-token", []string{"ya29."}, dotted, 20, nil},
	{"google-token", []string{"1//0"}, token, 30, numbered},
	{"google-secret", []string{"GOCSPX-"}, token, 16, nil},
	{"aliyun-key", []string{"LTAI"}, letters, 12, numbered},
	{"tencent-key", []string{"AKID"}, letters, 24, numbered},
	{"volcengine-key", []string{"AKLT"}, letters, 24, nil},
	{"dingtalk-secret", []string{"SEC"}, hexes, 60, nil},
	{"aws-session-token", []string{"IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz", "FwoDYXdz", "FQoDYXdz"}, base64s, 60, numbered},
	{"npm-token", []string{"npm_"}, letters, 30, numbered},
	{"pypi-token", []string{"pypi-AgE"}, token, 30, nil},
	{"rubygems-key", []string{"rubygems_"}, hexes, 40, nil},
	{"docker-token", []string{"dckr_pat_", "dckr_oat_"}, token, 20, nil},
	{"huggingface-token", []string{"hf_", "api_org_"}, letters, 28, nil},
	{"groq-key", []string{"gsk_"}, letters, 32, numbered},
	{"xai-key", []string{"xai-"}, letters, 40, numbered},
	{"perplexity-key", []string{"pplx-"}, letters, 32, numbered},
	{"replicate-token", []string{"r8_"}, letters, 32, numbered},
	{"nvidia-key", []string{"nvapi-"}, token, 32, numbered},
	{"digitalocean-token", []string{"dop_v1_", "doo_v1_", "dor_v1_"}, hexes, 32, nil},
	{"sendgrid-key", []string{"SG."}, dotted, 40, func(b string) bool { return strings.Contains(b, ".") && numbered(b) }},
	{"shopify-token", []string{"shpat_", "shpss_", "shpca_", "shppa_"}, letters, 24, nil},
	{"square-token", []string{"sq0atp-", "sq0csp-", "sq0idp-"}, token, 20, nil},
	{"linear-key", []string{"lin_api_", "lin_oauth_"}, letters, 24, nil},
	{"notion-token", []string{"ntn_", "secret_"}, letters, 40, numbered},
	{"figma-token", []string{"figd_", "figdr_"}, token, 30, nil},
	{"databricks-token", []string{"dapi"}, hexes, 32, nil},
	{"vault-token", []string{"hvs.", "hvb.", "hvr."}, token, 20, nil},
	{"tailscale-key", []string{"tskey-"}, token, 16, numbered},
	{"postman-key", []string{"PMAK-"}, token, 24, numbered},
	{"newrelic-key", []string{"NRAK-", "NRJS-"}, letters, 19, nil},
	{"grafana-token", []string{"glsa_", "glc_"}, base64s, 24, numbered},
	{"sentry-token", []string{"sntrys_", "sntryu_"}, base64s, 24, nil},
	{"atlassian-token", []string{"ATATT3", "ATCTT3", "ATBB"}, base64s, 24, numbered},
	{"onepassword-token", []string{"ops_eyJ"}, base64s, 24, nil},
	{"age-key", []string{"AGE-SECRET-KEY-1"}, capitals, 40, nil},
	{"supabase-key", []string{"sbp_", "sb_secret_"}, token, 20, numbered},
	{"planetscale-token", []string{"pscale_tkn_", "pscale_oauth_", "pscale_pw_"}, dotted, 20, nil},
	{"doppler-token", []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa."}, dotted, 24, nil},
	{"twilio-key", []string{"SK"}, hexes, 32, func(b string) bool { return len(b) == 32 }},
	{"mailgun-key", []string{"key-"}, hexes, 32, func(b string) bool { return len(b) == 32 }},
	{"heroku-key", []string{"HRKU-"}, token, 30, nil},
	{"pulumi-token", []string{"pul-"}, hexes, 40, nil},
	{"discord-token", []string{"mfa."}, token, 60, numbered},
	{"terraform-token", []string{"atlasv1."}, token, 40, nil},
}

// judged is how much of a word decides whether it is a secret.
const judged = 256

func numbered(body string) bool {
	return strings.ContainsAny(body, "0123456789") || strings.Contains(body, "***")
}

// solidKey tells a key from a word with a hyphen: a part of it is long and mixed.
func solidKey(body string) bool {
	if strings.Contains(body, "***") {
		return true
	}
	if parts := strings.FieldsFunc(body, func(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') }); len(parts) > 1 {
		return slices.ContainsFunc(parts, func(p string) bool { return len(p) >= 16 && mixed(p) }) || len(parts) <= 3 && strings.Contains(body, "secret-") && numbered(body)
	}
	return len(body) >= 16 && numbered(body)
}

// prefixed are the probes of all shapes but those of named values.
func prefixed() []probe {
	var all []probe
	for _, c := range credentials {
		for _, l := range c.literals {
			all = append(all, probe{literal: lower(l), exact: l, solid: true, look: func(s *scan, from, end int) {
				if !s.begins(from) {
					return
				}
				to := s.run(c.of, end)
				if c.of == opaque && !s.has(to-3, "***") {
					to = s.before(to, end, ".,*/%~=+")
				}
				if to-end >= c.least && (c.fits == nil || c.fits(s.text[end:min(to, end+judged)])) {
					s.add(from, from, to, c.kind)
				}
			}})
		}
	}
	for _, l := range []string{"AKIA", "ASIA", "ABIA", "ACCA"} {
		all = append(all, probe{literal: lower(l), exact: l, look: awsKey})
	}
	all = append(all,
		probe{literal: "eyj", exact: "eyJ", solid: true, look: jwt},
		probe{literal: "-----begin ", exact: "-----BEGIN ", look: privateKey},
		probe{literal: ":aa", exact: ":AA", solid: true, look: telegram},
		probe{literal: "bearer ", look: bearer},
		probe{literal: "basic ", look: basic},
		probe{literal: "://", solid: true, look: inURL},
		probe{literal: "@tcp(", solid: true, look: inDSN},
		probe{literal: "@unix(", solid: true, look: inDSN},
	)
	// The id that a token of Discord begins with is digits in base64.
	for _, a := range "MNO" {
		for _, b := range "DTjz" {
			begun := string(a) + string(b)
			all = append(all, probe{literal: lower(begun), exact: begun, solid: true, look: discord})
		}
	}
	return append(all, webhooks()...)
}

// discord takes the token of a bot: its id, a time and a signature, with dots between.
func discord(s *scan, from, _ int) {
	if !s.begins(from) || s.at(from-1) == '-' || s.at(from-1) == '.' {
		return
	}
	at := s.run(token, from)
	if n := at - from; n < 22 || n > 28 || s.at(at) != '.' {
		return
	}
	id, err := base64.RawStdEncoding.DecodeString(s.text[from:at])
	if err != nil || strings.Trim(string(id), "0123456789") != "" {
		return
	}
	for _, part := range [][2]int{{5, 8}, {25, 48}} {
		if s.at(at) != '.' {
			return
		}
		to := s.run(token, at+1)
		if n := to - at - 1; n < part[0] || n > part[1] {
			return
		}
		at = to
	}
	s.add(from, from, at, "discord-token")
}

// awsKey takes the id of a key with 16 characters, and the secret of 40 that stands
// within a few words behind it.
func awsKey(s *scan, from, end int) {
	to := s.run(capitals, end)
	if !s.begins(from) || to-end != 16 || members[letters][s.at(to)] {
		return
	}
	s.add(from, from, to, "aws-key")
	for i := to; i < min(to+160, len(s.text)); {
		if !members[base64s][s.text[i]] {
			i++
			continue
		}
		stop := s.run(base64s, i)
		// The name of a variable may stand before it, with its sign.
		if eq := strings.LastIndexByte(s.text[i:max(i, stop-40)], '='); eq >= 0 {
			i += eq + 1
		}
		if w := s.text[i:stop]; len(w) == 40 && mixed(w) && strings.ContainsFunc(w, upper) && !allHex(w) {
			s.add(i, i, stop, "aws-secret")
			return
		}
		i = max(stop, i+1)
	}
}

func upper(r rune) bool { return r >= 'A' && r <= 'Z' }

// jwt takes three parts or five, of which the first is JSON.
func jwt(s *scan, from, end int) {
	if !s.begins(from) {
		return
	}
	at, parts := s.run(token, end), 1
	if at-from < 16 {
		return
	}
	for parts < 5 && s.at(at) == '.' {
		next := s.run(token, at+1)
		if next == at+1 && parts != 2 {
			break
		}
		if parts == 1 && next-at < 8 {
			break
		}
		at = next
		parts++
	}
	if parts >= 3 {
		s.add(from, from, at, "jwt")
	}
}

// privateKey takes a key with its frame, as far as it goes.
func privateKey(s *scan, from, end int) {
	label, _, ok := strings.Cut(s.text[end:min(end+48, len(s.text))], "-----")
	if from < s.keys || !ok || !strings.Contains(label, "PRIVATE KEY") {
		return
	}
	body := end + len(label) + 5
	to := s.run(key, body)
	inside := s.text[body:to]
	stop := -1
	if to != s.open {
		stop = strings.Index(inside, "-----END ")
	}
	if stop >= 0 {
		after := inside[stop+9:]
		if n := strings.Index(after[:min(len(after), 64)], "-----"); n >= 0 {
			to = body + stop + 9 + n + 5
		}
	} else {
		s.open = to
		if len(inside) < 32 || !strings.ContainsAny(inside[:min(len(inside), judged)], "0123456789") {
			return // it is spoken of
		}
		to = s.before(to, body, `\`) // it is of a quote that comes next
	}
	s.keys = to
	s.add(from, from, to, "private-key")
}

// telegram takes the token of a bot: its number before, 33 characters behind.
func telegram(s *scan, from, end int) {
	to := s.run(token, end)
	begin := from
	for begin > 0 && from-begin < 12 && members[digits][s.text[begin-1]] {
		begin--
	}
	if n := from - begin; n >= 8 && n <= 10 && to-end >= 32 && to-end <= 35 {
		s.add(begin, begin, to, "telegram-token")
	}
}

func bearer(s *scan, from, end int) {
	if !s.begins(from) {
		return
	}
	to := s.run(opaque, end)
	to = s.before(to, end, ".")
	if n := to - end; n >= 24 || n >= 12 && numbered(s.text[end:to]) {
		s.add(from, end, to, "bearer-token")
	}
}

// basic takes what is a name and a password when it is read.
func basic(s *scan, from, end int) {
	if !s.begins(from) {
		return
	}
	to := s.run(base64s, end)
	w := s.text[end:to]
	if len(w) < 6 || len(w) > 1024 {
		return
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(w, "="))
	if err == nil && strings.Contains(string(plain), ":") && !strings.ContainsFunc(string(plain), func(r rune) bool { return r < ' ' || r == '\ufffd' }) {
		s.add(from, end, to, "basic-auth")
	}
}

// inURL takes the password of scheme://user:password@host, and a long key in the place
// of the user.
func inURL(s *scan, from, end int) {
	if !members[letters][s.at(from-1)] {
		return
	}
	authority := s.text[end:s.run(host, end)]
	at := strings.LastIndexByte(authority, '@')
	if at <= 0 {
		return
	}
	user, pass, ok := strings.Cut(authority[:at], ":")
	switch {
	case ok && pass != "" && !docWord(pass):
		s.add(from, end+len(user)+1, end+at, "url-password")
	case !ok && len(user) >= 16 && mixed(user):
		s.add(from, end, end+at, "url-key")
	}
}

// docWord reports whether a password is one of a manual.
func docWord(w string) bool {
	switch strings.ToLower(w) {
	case "password", "pass", "passwd", "pwd", "…", "...", "xxx", "xxxx":
		return true
	}
	return placeholder(w)
}

// inDSN takes the password of user:password@tcp(host).
func inDSN(s *scan, from, _ int) {
	begin := from
	for begin > 0 && from-begin < 256 && members[solid][s.text[begin-1]] {
		begin--
	}
	user, pass, ok := strings.Cut(s.text[begin:from], ":")
	if strings.HasPrefix(pass, "//") { // the scheme of a URL
		begin += len(user) + 3
		user, pass, ok = strings.Cut(s.text[begin:from], ":")
	}
	if ok && pass != "" && !docWord(pass) {
		s.add(begin, begin+len(user)+1, from, "url-password")
	}
}

// webhooks are addresses that let everybody post who knows them.
func webhooks() []probe {
	var all []probe
	for _, w := range []struct {
		kind, literal string
		of            class
		least         int
	}{
		{"slack-webhook", "hooks.slack.com/services/", path, 12},
		{"slack-webhook", "hooks.slack.com/workflows/", path, 12},
		{"slack-webhook", "hooks.slack.com/triggers/", path, 12},
		{"slack-webhook", "hooks.slack.com/actions/", path, 12},
		{"slack-webhook", "hooks.slack.com/commands/", path, 12},
		{"slack-webhook", "hooks.slack-gov.com/services/", path, 12},
		{"discord-webhook", "discord.com/api/webhooks/", path, 24},
		{"discord-webhook", "discordapp.com/api/webhooks/", path, 24},
		{"teams-webhook", "webhook.office.com/webhookb2/", path, 24},
		{"feishu-webhook", "/open-apis/bot/v2/hook/", token, 12},
		{"feishu-webhook", "/open-apis/bot/hook/", token, 12},
		{"wecom-webhook", "/cgi-bin/webhook/send?key=", token, 12},
		{"dingtalk-webhook", "/robot/send?access_token=", token, 12},
		{"signature", "x-amz-signature=", hexes, 32},
		{"signature", "&sig=", opaque, 24},
		{"signature", "?sig=", opaque, 24},
		{"token", "x-amz-security-token=", opaque, 24},
	} {
		all = append(all, probe{literal: w.literal, solid: true, look: func(s *scan, from, end int) {
			to := s.run(w.of, end)
			if to = s.before(to, end, ".,;:!?#&"); to-end >= w.least {
				s.add(from, end, to, w.kind)
			}
		}})
	}
	return all
}
