package decision

import (
	"encoding/json"
	"regexp"
)

// namedTool is a key that names a tool, and the name, in text that is no JSON.
var namedTool = regexp.MustCompile(`(?i)(?:action|tool|tool[_ ]name|name|function|行动|动作|工具|调用)[\s"'“”‘’\\]*(?:[:：=]|=>)[\s\[{"'“”‘’\\]*(?:(?:name|tool)[\s"'“”‘’\\]*[:：=]\s*["'“”‘’\\]*)?([A-Za-z_][A-Za-z0-9_.-]{0,63})`)

// opening is how a text begins that is a decision and not an answer.
var opening = regexp.MustCompile("^[\\s`*{\\[\"'“”‘’\\\\<-]*(?i:json)?[\\s`{\\[\"'“”‘’\\\\]*(?i:thought|action|tool|tool_name|name|function|思考|行动|动作|工具|调用)\\b?")

// scrape is the last resort: it picks a call out of text that cannot be read. Only
// the name of a tool there is counts.
func (r *reader) scrape(text string) (Decision, bool) {
	if !opening.MatchString(text) {
		return Decision{}, false
	}
	for _, m := range namedTool.FindAllStringSubmatchIndex(text, 64) {
		tool, ok := r.known(text[m[2]:m[3]])
		if !ok {
			continue
		}
		d := Decision{Form: Call, Mended: true, Scraped: true}
		call, _ := r.given(tool, "")
		if l := look(text[m[3]:], nil); len(l.finds) > 0 && !l.deep && l.finds[0].raw[0] == '{' {
			call.Args = l.finds[0].raw
			if o, _ := fields(call.Args); len(o.members) == 1 && r.hasArgs(o) {
				call.Args, _, _ = arguments(r.args(o))
			}
		}
		if !json.Valid(call.Args) {
			call.Args = json.RawMessage(`{}`)
		}
		d.Calls = append(d.Calls, call)
		return d, true
	}
	return Decision{}, false
}
