package slack

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
)

//go:embed manifest.yaml
var manifest string

// overHTTP marks lines of the manifest that only an app has to which Slack sends by
// HTTP.
var overHTTP = regexp.MustCompile(`(?m)^\{\{#url\}\}(.*\n)`)

// Manifest returns the manifest of the Slack app as YAML: what Slack is to allow and
// to send. The name is the one by which people call the bot, "hermes" if it is empty;
// Slack takes 35 characters. With a url, which leads to Handler, Slack sends there;
// without one the app listens on a socket.
func Manifest(name, url string) string {
	if name == "" {
		name = "hermes"
	}
	lines := "$1"
	if url == "" {
		lines = ""
	}
	return strings.NewReplacer(
		"{{name}}", strconv.Quote(cut(name, 35)), "{{url}}", strconv.Quote(url), "{{socket}}", strconv.FormatBool(url == ""),
	).Replace(overHTTP.ReplaceAllString(manifest, lines))
}
