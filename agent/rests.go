package agent

import (
	"regexp"
	"slices"
	"strings"

	"hermes/agent/run"
)

// longestReason is how much of what the model said beside its calls is kept for the
// card, in characters.
const longestReason = 400

// stated is what the model said when it made the calls of the last step.
func stated(r run.Run) string {
	last, _ := r.Last()
	said := []rune(strings.Join(strings.Fields(last.Reply.Message.Text), " "))
	if len(said) > longestReason {
		said = append(said[:longestReason-1], '…')
	}
	return string(said)
}

// mostRests is how many results a card names; the newest count.
const mostRests = 8

// artifactID is the id of an artifact where a call or a result names it.
var artifactID = regexp.MustCompile(`\ba[0-9a-f]{12}\b`)

// restsOf are the results that calls rest on: those which have brought what their
// arguments name, and what these were made of in turn. If the arguments name nothing
// of the Run, they are all that it has found, since any of it may be behind them.
func restsOf(r run.Run, calls []run.Planned) []run.Rest {
	type source struct {
		rest  run.Rest
		gives []string
	}
	var all []source
	for i, s := range r.Steps {
		for c, res := range s.Pairs() {
			if res.Failed || res.Unrun != "" {
				continue
			}
			gives := append(artifactID.FindAllString(res.Text, -1), res.Shows...)
			all = append(all, source{run.Rest{Step: i + 1, Tool: c.Name, Args: c.Args}, append(gives, res.Kept)})
		}
	}
	var wanted []string
	for _, c := range calls {
		wanted = append(wanted, artifactID.FindAllString(string(c.Args)+" "+string(c.Wrote), -1)...)
	}
	var found []run.Rest
	for _, s := range slices.Backward(all) { // what something is made of came before it
		if slices.ContainsFunc(s.gives, func(id string) bool { return id != "" && slices.Contains(wanted, id) }) {
			found = append(found, s.rest)
			wanted = append(wanted, artifactID.FindAllString(string(s.rest.Args), -1)...)
		}
	}
	if len(found) == 0 {
		for _, s := range slices.Backward(all) {
			found = append(found, s.rest)
		}
	}
	found = found[:min(len(found), mostRests)]
	slices.Reverse(found)
	return found
}
