package bot

// ResumeKey is the Key of the Item by which a Run goes on for a reason: a store that keeps
// an answer adds it in the same transaction, and the Bot again, under the one Key.
func ResumeKey(why, runKey string) string { return why + "/on/" + runKey }
