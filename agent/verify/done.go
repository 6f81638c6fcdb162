package verify

import (
	"slices"
	"strings"
	"sync"

	"hermes/agent/run"
)

// made is what a tool does that makes something for the conversation: it is kept.
const made run.Act = "made"

// names are parts of tools' names that say what a tool does.
var names = map[run.Act][]string{
	run.Posted:     {"post", "send", "message", "mail", "email", "notify", "publish", "share", "upload", "reply", "announce"},
	run.Scheduled:  {"schedule", "remind", "reminder", "cron", "job", "calendar", "event"},
	run.Remembered: {"remember", "memory", "save", "store", "note", "write"},
	run.Deleted:    {"delete", "forget", "remove", "cancel", "clear", "erase", "back", "retract", "withdraw", "revoke", "undo"},
	run.Changed:    {"change", "update", "edit", "set", "pause", "resume", "rename", "move"},
	made:           {"make", "create", "export"},
}

// looks are parts of the names of tools that change nothing.
var looks = []string{"list", "get", "read", "find", "search", "query", "look", "show", "count", "check"}

// Does reports whether a tool does an act, by its name. writes is what its Spec says:
// one that writes under a name that says nothing may do anything, and one that only
// looks does nothing.
func Does(tool string, writes bool, act run.Act) bool {
	acts, look := named(tool)
	switch {
	case look && !writes:
		return false
	case len(acts) == 0:
		return writes
	}
	return slices.Contains(acts, act)
}

// Looks reports whether a tool changes nothing and does no more than look, by its name.
func Looks(tool string, writes bool) bool {
	acts, look := named(tool)
	return !writes && (look || len(acts) == 0)
}

// acts are those of a word in a tool's name.
var acts = sync.OnceValue(func() map[string][]run.Act {
	by := map[string][]run.Act{}
	for act, words := range names {
		for _, w := range words {
			by[w] = append(by[w], act)
		}
	}
	return by
})

// named returns the acts that a name speaks of, and whether it speaks of looking.
func named(tool string) (does []run.Act, look bool) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(tool), func(r rune) bool { return r < 'a' || r > 'z' }) {
		does = append(does, acts()[word]...)
		look = look || slices.Contains(looks, word)
	}
	return does, look
}

// Proved reports whether a call of a tool, which has not failed, is what the claim
// speaks of.
func (c Claim) Proved(tool string, writes bool) bool {
	does := func(act run.Act) bool { return Does(tool, writes, act) }
	acts, look := named(tool)
	switch {
	case does(c.Act), c.Stands && look && slices.Contains(acts, c.Act):
		return true
	case c.Act == run.Remembered:
		return does(run.Scheduled) || does(made) // what is planned or made is kept
	case c.Act == run.Deleted:
		return does(run.Changed) // a tool of changes may do that too
	case c.Act == run.Changed:
		return writes || slices.ContainsFunc(run.Acts(), does) // whatever lasts is a change
	}
	return false
}
