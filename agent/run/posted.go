package run

import "encoding/json"

// posted is what the model hears of a Post that has an end.
type posted struct {
	Posted bool   `json:"posted"`
	Link   string `json:"link,omitempty"`
	To     string `json:"to"`
	Why    string `json:"why,omitempty"`
}

func postedText(p Post) (string, error) {
	b, err := json.Marshal(posted{p.Receipt.Failed == "", p.Receipt.Link, p.Post.To, p.Receipt.Failed})
	return string(b), err
}

// readPosted reads what postedText wrote, and reports whether it is that.
func readPosted(text string) (posted, bool) {
	var p posted
	err := json.Unmarshal([]byte(text), &p)
	return p, err == nil && p.To != ""
}
