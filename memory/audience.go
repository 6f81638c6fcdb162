package memory

// The kinds of Audience.
const (
	ForUser    = "user"
	ForChannel = "channel"
	ForTeam    = "team"
)

// Valid reports whether a names somebody: a Fact for nobody in particular is
// never kept.
func (a Audience) Valid() bool {
	switch a.Kind {
	case ForUser, ForChannel, ForTeam:
		return a.ID != ""
	}
	return false
}

// Audiences returns the audiences that v belongs to, which is what a Store filters
// by. A viewer without an identity belongs to none.
func (v Viewer) Audiences() []Audience {
	if v.Person == "" {
		return nil
	}
	var all []Audience
	if v.Direct {
		all = append(all, Audience{ForUser, v.Person})
	}
	if v.Channel != "" {
		all = append(all, Audience{ForChannel, v.Channel})
	}
	if v.Team != "" {
		all = append(all, Audience{ForTeam, v.Team})
	}
	return all
}

// Sees reports whether v may see what is for a.
func (v Viewer) Sees(a Audience) bool {
	if !a.Valid() {
		return false
	}
	for _, b := range v.Audiences() {
		if a == b {
			return true
		}
	}
	return false
}

// alone is v where nobody else looks on: for what is done with a person's own
// facts and not shown.
func (v Viewer) alone() Viewer {
	v.Direct = true
	return v
}
