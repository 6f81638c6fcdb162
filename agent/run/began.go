package run

// A Began is the post with which a thread began: what "that" is to who answers there.
type Began struct {
	Run    string `json:"run,omitempty"` // key of the run that posted it
	Job    string `json:"job,omitempty"` // whose slot that was
	Report string `json:"report,omitempty"`
	Title  string `json:"title,omitempty"`
	Saved  string `json:"saved,omitempty"` // name of the saved report that made it
	// Measure is what it has figures of, and Period which time those are about, as
	// calendar.ParseRange reads it; of more than one measure the first.
	Measure string `json:"measure,omitempty"`
	By      string `json:"by,omitempty"` // the dimension of its first table
	Period  string `json:"period,omitempty"`
	// Of the job, where the asker may change it: when it comes, and what it is asked.
	When    string `json:"when,omitempty"`
	Request string `json:"request,omitempty"`
	Channel string `json:"channel,omitempty"`
}
