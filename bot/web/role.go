package web

// A Role says what somebody may do on the page. What is asked and decided there is held
// against who may do so a second time, by whoever hears it; a Role only narrows that.
// The zero value, and any Role without a name here, may do nothing.
type Role string

// The roles.
const (
	Viewer   Role = "viewer"   // sees what their person may see
	Approver Role = "approver" // and asks, and presses buttons
	Admin    Role = "admin"    // the same here; the program counts them among its admins
)

// An act is a sort of request.
type act int

const (
	look  act = iota // read, choose a language, go out
	speak            // say something, attach, press a button
)

// may reports whether a Role lets somebody do an act.
func (r Role) may(a act) bool {
	switch r {
	case Admin, Approver:
		return a == look || a == speak
	case Viewer:
		return a == look
	}
	return false
}
