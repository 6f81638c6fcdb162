package config_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/config"
)

// nonsense is for every key of a file a value that would be taken for one and mean
// nothing. In a list it stands in the first entry.
var nonsense = map[string][]string{
	"data":     {`data: ""`, `data: [a]`},
	"database": {`database: mysql://foo`, `database: {a: b}`},
	"zone":     {`zone: Berlin`, `zone: 2x`},
	"admins":   {`admins: [lee]`, `admins: {lee: yes}`, `admins: [""]`, `admins: [[a]]`},

	"web.addr":                        {`web: {addr: "8484"}`, `web: {addr: "127.0.0.1:-1"}`},
	"web.allow_remote":                {`web: {allow_remote: perhaps}`, `web: {allow_remote: 2}`},
	"web.url":                         {`web: {url: hermes}`, `web: {url: "https://h/path"}`, `web: {url: "https://u@h"}`, `web: {url: "http://h.example", users: [{id: kim, role: viewer}]}`},
	"web.users.id":                    {`web: {users: [{role: viewer}]}`, `web: {users: [{id: Kim Li, role: viewer}]}`, `web: {users: [{id: kim, role: viewer}, {id: kim, role: admin}]}`},
	"web.users.name":                  {`web: {users: [{id: kim, role: viewer, name: " Kim"}]}`, "web: {users: [{id: kim, role: viewer, name: \"a\\nb\"}]}"},
	"web.users.role":                  {`web: {users: [{id: kim}]}`, `web: {users: [{id: kim, role: root}]}`, `web: {users: [{id: kim, role: Admin}]}`},
	"web.users.secret":                {`web: {users: [{id: kim, role: viewer, secret: short}]}`, `web: {users: [{id: kim, role: viewer, secret: "sixteen letters and a space"}]}`, `web: {addr: "0.0.0.0:8484", allow_remote: true, users: [{id: kim, role: viewer, secret: 0123456789abcdef}]}`},
	"slack.proxy":                     {`slack: {proxy: proxy}`, `slack: {proxy: "ftp://p:21"}`, `slack: {proxy: "http://p/path"}`},
	"slack.api_url":                   {`slack: {api_url: slack}`, `slack: {api_url: "https://"}`, `slack: {api_url: "https://h/?a=b"}`},
	"slack.app_token":                 {`slack: {app_token: xoxb-1, bot_token: xoxb-1}`, `slack: {app_token: "xapp-1 ", bot_token: xoxb-1}`},
	"slack.bot_token":                 {`slack: {app_token: xapp-1, bot_token: token}`, "slack: {app_token: xapp-1, bot_token: \"xoxb-1\\n\"}"},
	"slack.signing_secret":            {`slack: {bot_token: xoxb-1, signing_secret: xapp-1}`, `slack: {bot_token: xoxb-1, signing_secret: "a b"}`, `slack: {signing_secret: abc}`, `slack: {app_token: xapp-1, bot_token: xoxb-1, signing_secret: abc}`},
	"slack.listen":                    {`slack: {listen: "8485"}`, `slack: {listen: "127.0.0.1:x"}`},
	"slack.workspaces.name":           {`slack: {workspaces: [{name: "", app_token: xapp-1, bot_token: xoxb-1}]}`},
	"slack.workspaces.app_token":      {`slack: {workspaces: [{name: a, app_token: xoxb-1, bot_token: xoxb-1}]}`, `slack: {workspaces: [{name: a, app_token: "xapp- 1", bot_token: xoxb-1}]}`, `slack: {workspaces: [{name: a, app_token: xapp-1, bot_token: xoxb-1}, {name: b, app_token: xapp-1, bot_token: xoxb-2}]}`},
	"slack.workspaces.bot_token":      {`slack: {workspaces: [{name: a, app_token: xapp-1, bot_token: xapp-1}]}`},
	"slack.workspaces.signing_secret": {`slack: {workspaces: [{name: a, bot_token: xoxb-1, signing_secret: xoxb-1}]}`, `slack: {workspaces: [{name: a, bot_token: xoxb-1, signing_secret: "a\n"}]}`},

	"router.weights":   {`router: {weights: [a]}`},
	"router.ask_below": {`router: {ask_below: 2}`, `router: {ask_below: -1}`, `router: {ask_below: .nan}`},
	"terms.name":       {`terms: [{means: sales}]`, `terms: [{name: GMV, means: a}, {name: gmv, means: b}]`},
	"terms.means":      {`terms: [{name: GMV}]`, `terms: [{name: GMV, means: a, measure: sales}]`},
	"terms.tool":       {`terms: [{name: GMV, tool: a, measure: sales}]`},
	"terms.source":     {`terms: [{name: CRM, source: shop}]`},
	"terms.measure":    {`terms: [{name: GMV, measure: [a]}]`},

	"reports.font": {`reports: {font: [a]}`, `reports: {font: Arial}`, `reports: {font: noto.otf}`},

	"reports.dir":       {`reports: {dir: [a]}`, `reports: {dir: {a: b}}`},
	"model.prompt_file": {`model: {prompt_file: [a]}`},
	"loop.warn_at":      {`loop: {warn_at: 0}`, `loop: {warn_at: 80}`, `loop: {warn_at: .nan}`},
	"loop.on_cap":       {`loop: {on_cap: stop}`},
	"loop.budget_usd":   {`loop: {budget_usd: -1}`, `loop: {budget_usd: .inf}`},

	"loop.interrupt_before":          {`loop: {interrupt_before: [""]}`, `loop: {interrupt_before: [a, a]}`},
	"loop.profiles.name":             {`loop: {profiles: [{name: ""}]}`, `loop: {profiles: [{name: rport}]}`},
	"loop.channels.channel":          {`loop: {channels: [{channel: "#sales", profile: qa}]}`, `loop: {channels: [{profile: qa}]}`, `loop: {channels: [{channel: "slack:T:C", profile: qa}, {channel: "slack:T:C", profile: code}]}`},
	"loop.channels.profile":          {`loop: {channels: [{channel: "slack:T:C", profile: rserch}]}`, `loop: {channels: [{channel: "slack:T:C"}]}`},
	"loop.profiles.on_cap":           {`loop: {profiles: [{name: qa, on_cap: stop}]}`},
	"loop.profiles.task_timeout":     {`loop: {profiles: [{name: qa, task_timeout: -2m}]}`, `loop: {profiles: [{name: qa, task_timeout: 120}]}`},
	"loop.profiles.interrupt_before": {`loop: {profiles: [{name: qa, interrupt_before: [" "]}]}`},
	"loop.profiles.verify_step":      {`loop: {profiles: [{name: qa, verify_step: " "}]}`, `loop: {profiles: [{name: qa, verify_step: [a]}]}`},
	"loop.profiles.ends":             {`loop: {profiles: [{name: qa, ends: [""]}]}`},

	"exec.backoff.base":   {`exec: {backoff: {base: 0s}}`},
	"exec.backoff.factor": {`exec: {backoff: {factor: 0.5}}`},
	"exec.backoff.max":    {`exec: {backoff: {max: 1ms}}`},
	"exec.tools.name":     {`exec: {tools: [{attempts: 1}]}`, `exec: {tools: [{name: a}, {name: a}]}`},
	"exec.tools.attempts": {`exec: {tools: [{name: a, attempts: -1}]}`},
	"exec.tools.timeout":  {`exec: {tools: [{name: a, timeout: 1ms}]}`, `exec: {tools: [{name: a, timeout: -1s}]}`},
	"exec.tools.base":     {`exec: {tools: [{name: a, base: -1s}]}`},

	"result.model_digest": {`result: {model_digest: perhaps}`},

	"agent.gather":     {`agent: {gather: -1s}`, `agent: {gather: 1m}`, `agent: {gather: 1}`},
	"policy.guests":    {`policy: {guests: some}`, `policy: {guests: ""}`, `policy: {guests: mentions}`},
	"policy.external":  {`policy: {external: yes}`, `policy: {external: mentions}`},
	"policy.bots":      {`policy: {bots: chat}`},
	"policy.bot_turns": {`policy: {bot_turns: 0}`, `policy: {bot_turns: many}`},
	"policy.users":     {`policy: {users: [ana]}`, `policy: {users: ["slack:T1:@ana"]}`, `policy: {users: ["slack:T1:ana"]}`},
	"policy.channels":  {`policy: {channels: ["#sales"]}`, `policy: {channels: ["slack:T1:#sales"]}`, `policy: {channels: ["slack:T1:sales"]}`},

	"spot_check.channel": {`spot_check: {channel: "#reviews"}`, `spot_check: {channel: "slack:T1:#reviews"}`, `spot_check: {channel: [a]}`},
	"spot_check.when":    {`spot_check: {when: monthly}`, `spot_check: {when: "mon 25:00"}`, `spot_check: {when: "9:00"}`, `spot_check: {when: ""}`},

	"schedules.catch_up": {`schedules: {catch_up: always}`, `schedules: {catch_up: 1m}`, `schedules: {catch_up: ""}`, `schedules: {catch_up: -6h}`},
	"schedules.overlap":  {`schedules: {overlap: allow}`, `schedules: {overlap: ""}`},
	"schedules.quiet":    {`schedules: {quiet: "22-7"}`, `schedules: {quiet: night}`, `schedules: {quiet: "07:00-07:00"}`, `schedules: {quiet: "24:00-07:00"}`},
	"schedules.holidays": {`schedules: {holidays: [a]}`},
	"schedules.stagger":  {`schedules: {stagger: 10}`},

	"approvals.rules.name":           {rule(`name: a, by: [admins]}, {name: a, tools: [b]`), rule(`name: " a"`)},
	"approvals.rules.tools":          {rule(`tools: ["post_[a"]`), rule(`tools: [""]`), rule(`tools: {a: b}`)},
	"approvals.rules.channels":       {rule(`channels: [sales]`), rule(`channels: ["#sa[les"]`), rule(`channels: ["slack:T1"]`)},
	"approvals.rules.where.arg":      {rule(`tools: [a], where: [{is: b}]`), rule(`tools: [a], where: [{arg: " b", is: c}]`)},
	"approvals.rules.where.is":       {rule(`tools: [a], where: [{arg: b}]`), rule(`tools: [a], where: [{arg: b, is: " c"}]`), rule(`tools: [a], where: [{arg: b, is: [c]}]`)},
	"approvals.rules.where.like":     {rule(`tools: [a], where: [{arg: b, like: "[x"}]`), rule(`tools: [a], where: [{arg: b, like: c, is: d}]`)},
	"approvals.rules.where.above":    {rule(`tools: [a], where: [{arg: b, above: many}]`), rule(`tools: [a], where: [{arg: b, above: 1, like: c}]`)},
	"approvals.rules.by":             {rule(`by: []`), rule(`by: [lee]`), rule(`by: ["slack:T1:@lee"]`), rule(`by: ["group:finance"]`), rule(`by: ["group:web:demo:all"]`), rule(`by: ["#sales"]`), rule(`by: [admins, admins]`), rule(`by: [approver]`)},
	"approvals.rules.others":         {rule(`by: [requester], others: true`), rule(`others: perhaps`)},
	"approvals.rules.quorum":         {rule(`quorum: -1`), rule(`quorum: 21`), rule(`by: ["slack:T1:U1"], quorum: 2`), rule(`by: ["slack:T1:U1", requester], others: true, quorum: 2`)},
	"approvals.rules.escalate.after": {rule(`escalate: {to: ["slack:T1:U2"]}`), rule(`escalate: {after: 10s, to: ["slack:T1:U2"]}`), rule(`escalate: {after: 240h, to: ["slack:T1:U2"]}`), rule(`escalate: {after: 4, to: [admins]}`)},
	"approvals.rules.escalate.to":    {rule(`escalate: {after: 4h}`), rule(`escalate: {after: 4h, to: [lee]}`)},
	"approvals.delegates.of":         {away(`of: lee`), away(`of: ""`)},
	"approvals.delegates.to":         {away(`to: "slack:T1:@moe"`), away(`to: "slack:T1:U1"`)},
	"approvals.delegates.from":       {away(`from: monday`), away(`from: ""`)},
	"approvals.delegates.until":      {away(`until: 2026-12-19`), away(`until: soon`), away(`until: ""`)},

	"rights.tools":    {right(`tools: ["post_[a"]`), right(`tools: [""]`), right(`sources: [], users: [admins]`), right(`tools: {a: b}`)},
	"rights.sources":  {right(`sources: ["[x"]`), right(`sources: [" hr"]`)},
	"rights.users":    {right(`tools: [a], users: [lee]`), right(`tools: [a], users: ["slack:T1:@lee"]`), right(`tools: [a], users: ["group:finance"]`), right(`tools: [a], users: ["group:web:demo:all"]`), right(`tools: [a], users: [requester]`), right(`tools: [a], users: [admins, admins]`)},
	"rights.channels": {right(`tools: [a], channels: ["#sales"]`), right(`tools: [a], channels: ["slack:T1:sales"]`), right(`tools: [a], channels: ["slack:T1:[C"]`), right(`tools: [a], channels: [dm]`)},
	"rights.profiles": {right(`tools: [a], profiles: [rserch]`), right(`tools: [a], profiles: [qa, qa]`)},
	"budgets.per":     {budget(`tokens: 5000`), budget(`per: team, tokens: 5000`), budget(`per: run, tokens: 5000}, {per: run, usd: 1`), budget(`per: user, tokens: 5000}, {per: user, every: day, usd: 1`)},
	"budgets.every":   {budget(`per: user, every: week, tokens: 5000`), budget(`per: run, every: day, tokens: 5000`), budget(`per: day, every: month, tokens: 5000`)},
	"budgets.tokens":  {budget(`per: user`), budget(`per: user, tokens: -1`), budget(`per: user, tokens: 10`), budget(`per: user, tokens: many`)},
	"budgets.usd":     {budget(`per: user, usd: -1`), budget(`per: user, usd: .inf`), budget(`per: user, usd: "$5"`)},
	"budgets.warn":    {budget(`per: user, usd: 1, warn: 80`), budget(`per: user, usd: 1, warn: 0.01`)},

	"audit.key":         {`audit: {key: short}`, `audit: {key: "                a line\nof two                "}`, `audit: {key: [a]}`},
	"audit.former_keys": {`audit: {former_keys: [short]}`, `audit: {former_keys: [lost:me]}`, `audit: {former_keys: {a: b}}`},

	"safety.words": {`safety: {words: [""]}`, `safety: {words: [a, a]}`, `safety: {words: {a: b}}`},

	"sources.name":               {source(`name: "My Shop"`), source(`name: ""`)},
	"sources.dialect":            {source(`dialect: oracle`), source(`dialect: ""`)},
	"sources.dsn":                {source(`dsn: ""`), source(`dsn: "mysql://h/d"`), source(`dialect: postgres`), source(`dialect: mysql`)},
	"sources.files.path":         {`sources: [{name: a, files: {path: [a]}}]`, `sources: [{name: a, dsn: b, files: {path: x}}]`},
	"sources.files.sheet":        {filesOf(`sheet: [a]`)},
	"sources.files.max_bytes":    {filesOf(`max_bytes: -1`), filesOf(`max_bytes: 1MB`)},
	"sources.files.encoding":     {filesOf(`encoding: ebcdic`)},
	"sources.files.decimal":      {filesOf(`decimal: dot`)},
	"sources.files.days":         {filesOf(`days: ymd`)},
	"sources.files.columns.name": {filesOf(`columns: [{type: text}]`)},
	"sources.files.columns.type": {filesOf(`columns: [{name: a, type: money}]`), filesOf(`columns: [{name: a}]`)},
	"sources.files.max_rows":     {filesOf(`max_rows: -1`)},
	"sources.http.url":           {`sources: [{name: a, http: {url: api}}]`, `sources: [{name: a, http: {url: "http://h/x"}}]`, `sources: [{name: a, http: {url: "https://u:p@h/x"}}]`, `sources: [{name: a, http: {url: "https://h/x?k=${NOT_SET_ANYWHERE}"}}]`},
	"sources.http.headers.name":  {httpOf(`headers: [{name: "a b", value: x}]`), httpOf(`headers: [{value: x}]`)},
	"sources.http.headers.value": {httpOf(`headers: [{name: a}]`), httpOf("headers: [{name: a, value: \"x\\ny\"}]"), httpOf(`headers: [{name: a, value: "${NOT_SET_ANYWHERE}"}]`)},
	"sources.http.table":         {httpOf(`table: My Table`)},
	"sources.http.rows":          {httpOf(`rows: "data[*].items"`), httpOf(`rows: [a]`)},
	"sources.http.next":          {httpOf(`next: "a b"`)},
	"sources.http.cursor":        {httpOf(`cursor: c`)},
	"sources.http.page":          {httpOf(`page: p, next: n`)},
	"sources.http.first":         {httpOf(`first: -1`)},
	"sources.http.max_pages":     {httpOf(`max_pages: -1`)},
	"sources.http.max_bytes":     {httpOf(`max_bytes: -1`)},
	"sources.http.timeout":       {httpOf(`timeout: 30`), httpOf(`timeout: -1s`), httpOf(`timeout: 1h`)},
	"sources.http.fresh":         {httpOf(`fresh: 5`), httpOf(`fresh: -1m`)},
	"sources.http.private":       {httpOf(`private: perhaps`)},
	"sources.http.encoding":      {httpOf(`encoding: x`)},
	"sources.http.decimal":       {httpOf(`decimal: x`)},
	"sources.http.days":          {httpOf(`days: x`)},
	"sources.http.columns.name":  {httpOf(`columns: [{type: text}]`)},
	"sources.http.columns.type":  {httpOf(`columns: [{name: a, type: b}]`)},
	"sources.http.max_rows":      {httpOf(`max_rows: -2`)},
	"sources.functions":          {source(`functions: [Margin]`), source(`functions: ["shop.margin"]`), source(`functions: [""]`), source(`functions: {a: 1}`)},
	"sources.measures.scale":     {source(`measures: [{name: a, scale: -1}]`), source(`measures: [{name: a, scale: 99}]`)},
	"sources.measures.daily":     {source(`measures: [{name: a, daily: often}]`)},
	"sources.measures.no_total":  {source(`measures: [{name: a, no_total: 3}]`)},

	"log.level": {`log: {level: loud}`},
}

func right(line string) string { return "rights: [{" + line + "}]" }

func budget(line string) string { return "budgets: [{" + line + "}]" }

// source is a good one but for one line.
func source(line string) string {
	lines := map[string]string{"name": "name: shop", "dialect": "dialect: sqlite", "dsn": "dsn: shop.db"}
	key, _, _ := strings.Cut(line, ":")
	lines[key] = line
	return "sources: [{" + strings.Join(slices.Sorted(maps.Values(lines)), ", ") + "}]"
}

// rule is a good one for approvals but for what is given, and away such a delegate.
func rule(line string) string {
	if !strings.Contains(line, "by: [") {
		line = `by: ["slack:T1:U1"], ` + line
	}
	return "approvals: {rules: [{" + line + "}]}"
}

func away(line string) string {
	lines := map[string]string{"of": `of: "slack:T1:U1"`, "to": `to: "slack:T1:U2"`, "from": "from: 2026-12-20", "until": "until: 2027-01-05"}
	key, _, _ := strings.Cut(line, ":")
	lines[key] = line
	return "approvals: {delegates: [{" + strings.Join(slices.Sorted(maps.Values(lines)), ", ") + "}]}"
}

// anything are keys that hold whatever somebody likes, or what another room looks at
// when the program is built.
func filesOf(line string) string { return "sources: [{name: a, files: {path: x, " + line + "}}]" }

func httpOf(line string) string {
	return "sources: [{name: a, http: {url: \"https://h.example/x\", " + line + "}}]"
}

var anything = []string{
	"sources.measures.name", "sources.measures.label.en", "sources.measures.label.zh", "sources.measures.synonyms", "sources.measures.sql",
	"sources.measures.from", "sources.measures.time", "sources.measures.unit", "sources.measures.dimensions",
	"sources.dimensions.name", "sources.dimensions.label.en", "sources.dimensions.label.zh", "sources.dimensions.synonyms", "sources.dimensions.sql",
	"sources.dimensions.from", "sources.dimensions.values.value", "sources.dimensions.values.words",
}

// allNonsense adds what is nonsense for every number and every duration, and what is
// so for a fallback because it is for the model.
func allNonsense() map[string][]string {
	nonsense := maps.Clone(nonsense)
	add := func(format string, keys ...string) {
		for _, key := range keys {
			section, last := key[:strings.LastIndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
			text := strings.Replace(format, "KEY", last, 1)
			for _, s := range slices.Backward(strings.Split(section, ".")) {
				text = s + ": {" + text + "}"
			}
			nonsense[key] = append(nonsense[key], text)
		}
	}
	model := func(keys ...string) (all []string) {
		for _, k := range keys {
			all = append(all, "model."+k)
		}
		return all
	}
	add("KEY: -1", "loop.budget_tokens", "agent.at_once", "agent.grant_uses", "exec.max_parallel", "exec.attempts", "result.array_max", "result.row_head",
		"result.web_chars", "result.lines", "result.large_bytes", "loop.repeat.no_gain_rounds", "loop.repeat.window", "loop.repeat.hits",
		"loop.repeat.same_call_max", "loop.repeat.same_tool_max", "loop.repeat.misfit_max")
	add("KEY: 0", "spot_check.count")
	add("KEY: -1", "schedules.retries")
	add("KEY: 2", "approvals.offer_after")
	add("KEY: 1.5", "agent.at_once", "exec.attempts", "loop.budget_tokens", "result.lines")
	add("KEY: 10", "agent.question_ttl", "exec.timeout.normal")
	add("KEY: -1s", "agent.question_ttl", "agent.job_question_ttl", "exec.timeout.normal", "exec.timeout.heavy", "exec.timeout.shell")
	add("KEY: -1", model("attempts", "max_tokens", "reasoning_max_tokens", "rps", "at_once", "price.prompt_per_1k", "price.cached_per_1k", "price.completion_per_1k")...)
	add("KEY: -1s", model("timeout", "total", "first_byte")...)
	add("KEY: 0.9", "model.temperature")
	add("KEY: xml", "model.decision_format")
	add("KEY: claude", "model.provider")
	add("KEY: localhost", "model.base_url")
	add(`KEY: "a b"`, "model.api_key")
	add(`KEY: " m"`, "model.name")
	for _, k := range []string{"max_rounds", "budget_tokens", "budget_usd"} {
		nonsense["loop.profiles."+k] = append(nonsense["loop.profiles."+k], "loop: {profiles: [{name: qa, "+k+": -1}]}")
	}
	for key, texts := range maps.Clone(nonsense) {
		if last, ok := strings.CutPrefix(key, "model."); ok && last != "prompt_file" {
			for _, text := range texts {
				inner := strings.TrimSuffix(strings.TrimPrefix(text, "model: {"), "}")
				if last != "provider" {
					inner = "provider: openai, " + inner
				}
				nonsense["model.fallbacks."+last] = append(nonsense["model.fallbacks."+last], "model: {fallbacks: [{"+inner+"}]}")
			}
		}
	}
	return nonsense
}

// Every key of a file is held against nonsense; a new key needs a line here.
func TestEveryKeyRefusesNonsense(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("ANTHROPIC_API_KEY", "")
	nonsense := allNonsense()
	keys := keysOf(reflect.TypeFor[config.Config](), "")
	for _, key := range keys {
		if len(nonsense[key]) == 0 && !slices.Contains(anything, key) {
			t.Errorf("%s: nothing is known to be nonsense for it", key)
		}
		for _, text := range nonsense[key] {
			_, err := config.Load(write(t, text))
			if err == nil {
				t.Errorf("%s loads", text)
				continue
			}
			var f config.Fault
			plain := strings.NewReplacer("[0]", "", "[1]", "").Replace(err.Error())
			if !errors.As(err, &f) || !strings.Contains(plain, "config: "+key) && !strings.Contains(plain, "config: "+key[:max(0, strings.LastIndexByte(key, '.'))]+":") || f.Hint == "" {
				t.Errorf("%s = %v, want a fault of %s with a hint", text, err, key)
			}
		}
	}
	for key := range nonsense {
		if !slices.Contains(keys, key) {
			t.Errorf("there is no key %s", key)
		}
	}
}

// keysOf are the keys of a struct, those of lists by the keys of their entries.
func keysOf(t reflect.Type, at string) (keys []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, squash, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		ft := f.Type
		if ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Struct {
			ft = ft.Elem()
		}
		switch {
		case !f.IsExported():
		case squash == "squash":
			keys = append(keys, keysOf(ft, at)...)
		case ft.Kind() == reflect.Struct:
			keys = append(keys, keysOf(ft, at+name+".")...)
		default:
			keys = append(keys, at+name)
		}
	}
	return keys
}

// All faults of a file come in one error: what no key is, what is of a wrong type,
// wherever it stands, and what is out of bounds; what is right beside them raises none.
func TestAllFaultsComeAtOnce(t *testing.T) {
	_, err := config.Load("testdata/bad/types.yaml")
	if err == nil {
		t.Fatal("it loads")
	}
	if n := strings.Count(err.Error(), "config: "); n != 14 {
		t.Errorf("%d faults, want 14:\n%v", n, err)
	}
	if n := strings.Count(err.Error(), "hint: "); n != 14 {
		t.Errorf("%d hints, want one for each:\n%v", n, err)
	}
	if strings.Contains(err.Error(), "xapp-secret") {
		t.Errorf("it says a token:\n%v", err)
	}
}

// What the environment can hold is text, and still of the right type; a wrong one is
// said with its key.
func TestTheEnvironmentHasTypes(t *testing.T) {
	t.Setenv("HERMES_AGENT_AT_ONCE", "7")
	t.Setenv("HERMES_WEB_ALLOW_REMOTE", "true")
	t.Setenv("HERMES_MODEL_TIMEOUT", "90s")
	t.Setenv("HERMES_LOOP_WARN_AT", "0.5")
	t.Setenv("HERMES_ADMINS", "slack:T:A,slack:T:B")
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Agent.AtOnce != 7 || !cfg.Web.AllowRemote || cfg.Model.Timeout.Seconds() != 90 || cfg.Loop.WarnAt != 0.5 || len(cfg.Admins) != 2 {
		t.Errorf("config = %+v", cfg)
	}
	t.Setenv("HERMES_AGENT_AT_ONCE", "seven")
	t.Setenv("HERMES_MODEL_TIMEOUT", "90")
	_, err = config.Load("")
	for _, want := range []string{`agent.at_once: "seven" is not a whole number`, `model.timeout: "90" is not a duration`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
}

// An empty list of words is meant: nothing is screened for them.
func TestAnEmptyListOfWordsIsMeant(t *testing.T) {
	cfg, err := config.Load(write(t, "safety: {words: []}\n"))
	if err != nil || len(cfg.Safety.Words) != 0 {
		t.Errorf("words = %q, %v", cfg.Safety.Words, err)
	}
}
