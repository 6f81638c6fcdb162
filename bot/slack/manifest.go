package slack

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed manifest.yaml
var manifest string

// Manifest returns the manifest of the Slack app as YAML: what Slack is to allow
// and to send, and nothing that we do not use. The name is the one by which people
// call the bot; Slack takes 35 characters.
func Manifest(name string) string {
	if name == "" {
		name = "hermes"
	}
	return strings.ReplaceAll(manifest, "{{name}}", strconv.Quote(cut(name, 35)))
}
