package run

import "encoding/json"

// posted is what the model hears of a Post that has an end.
type posted struct {
	Posted bool   `json:"posted"`
	Link   string `json:"link,omitempty"`
	To     string `json:"to"`
	Why    string `json:"why,omitempty"`
	// Channel is where it went, by name, if who approved it has changed the call: the
	// model has asked for another.
	Channel string `json:"channel,omitempty"`
}

func postedText(p Post, channel string) (string, error) {
	b, err := json.Marshal(posted{p.Receipt.Failed == "", p.Receipt.Link, p.Post.To, p.Receipt.Failed, channel})
	return string(b), err
}

// changedTo is the channel to which a person has changed the call of a Post, by name.
func (r Run) changedTo(p Post) string {
	for _, q := range r.Questions {
		if q.Answer == nil {
			continue
		}
		for _, e := range q.Answer.Edited {
			if e.ID == p.Call && e.To == p.Post.To {
				return e.ToName
			}
		}
	}
	return ""
}

// readPosted reads what postedText wrote, and reports whether it is that.
func readPosted(text string) (posted, bool) {
	var p posted
	err := json.Unmarshal([]byte(text), &p)
	return p, err == nil && p.To != ""
}
