package fakeslack

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// block holds what of a block or an element has a limit.
type block struct {
	Type     string          `json:"type"`
	BlockID  string          `json:"block_id"`
	ActionID string          `json:"action_id"`
	Text     json.RawMessage `json:"text"`
	Fields   []text          `json:"fields"`
	Elements []block         `json:"elements"`
	Value    string          `json:"value"`
	Style    string          `json:"style"`
	URL      string          `json:"url"`
	Rows     [][]any         `json:"rows"`
	Alt      string          `json:"alt_text"`
}

// text is a text object.
type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

var blockTypes = map[string]bool{
	"actions": true, "context": true, "divider": true, "header": true, "image": true, "input": true,
	"markdown": true, "rich_text": true, "section": true, "table": true, "context_actions": true,
	"task_card": true, "plan": true, "file": true, "video": true,
}

// checkBlocks returns blocks as Slack keeps them, each with an id.
func checkBlocks(raw string, most int) (json.RawMessage, *refusal) {
	var blocks []block
	if err := json.Unmarshal([]byte(raw), &blocks); err != nil {
		return nil, no("invalid_blocks_format")
	}
	if len(blocks) > most {
		return nil, no("invalid_blocks", fmt.Sprintf("[ERROR] no more than %d items allowed [json-pointer:/blocks]", most))
	}
	c := checker{blocks: map[string]bool{}, actions: map[string]bool{}}
	for i, b := range blocks {
		c.at = fmt.Sprintf("/blocks/%d", i)
		c.block(b)
	}
	if len(c.faults) > 0 {
		return nil, no("invalid_blocks", c.faults...)
	}
	if c.markdown > 12000 {
		return nil, no("msg_blocks_too_long")
	}
	var kept []map[string]any
	_ = json.Unmarshal([]byte(raw), &kept)
	for i, b := range kept {
		if b["block_id"] == nil || b["block_id"] == "" {
			b["block_id"] = fmt.Sprintf("b%d", i)
		}
	}
	out, _ := json.Marshal(kept)
	return out, nil
}

type checker struct {
	at              string
	faults          []string
	blocks, actions map[string]bool
	markdown        int
}

func (c *checker) fault(format string, v ...any) {
	c.faults = append(c.faults, fmt.Sprintf("[ERROR] "+format, v...)+" [json-pointer:"+c.at+"]")
}

func (c *checker) length(what, s string, least, most int) {
	if n := utf8.RuneCountInString(s); n < least || n > most {
		c.fault("%s must be %d to %d characters, is %d", what, least, most, n)
	}
}

func (c *checker) textObject(raw json.RawMessage, most int, plain bool) {
	var t text
	if json.Unmarshal(raw, &t) != nil || t.Type != "plain_text" && t.Type != "mrkdwn" || plain && t.Type != "plain_text" {
		c.fault("invalid text object")
		return
	}
	c.length("text", t.Text, 1, most)
}

func (c *checker) block(b block) {
	if !blockTypes[b.Type] {
		c.fault("unsupported type: %s", b.Type)
		return
	}
	c.length("block_id", b.BlockID, 0, 255)
	if b.BlockID != "" && c.blocks[b.BlockID] {
		c.fault("`block_id` already in use")
	}
	c.blocks[b.BlockID] = true
	switch b.Type {
	case "section":
		c.section(b)
	case "header":
		c.textObject(b.Text, 150, true)
	case "markdown":
		var t string
		if json.Unmarshal(b.Text, &t) != nil {
			c.fault("markdown text must be a string")
		}
		c.length("text", t, 1, 12000)
		c.markdown += utf8.RuneCountInString(t)
	case "context":
		c.count("elements", len(b.Elements), 1, 10)
		for _, e := range b.Elements {
			switch e.Type {
			case "image":
				c.length("alt_text", e.Alt, 1, 2000)
			default:
				raw, _ := json.Marshal(e.Text)
				both, _ := json.Marshal(map[string]any{"type": e.Type, "text": json.RawMessage(raw)})
				c.textObject(both, 3000, false)
			}
		}
	case "actions":
		c.count("elements", len(b.Elements), 1, 25)
		for _, e := range b.Elements {
			c.element(e)
		}
	case "image":
		c.length("alt_text", b.Alt, 1, 2000)
	case "table":
		c.count("rows", len(b.Rows), 1, 100)
		for _, r := range b.Rows {
			c.count("cells", len(r), 1, 20)
		}
	}
}

func (c *checker) section(b block) {
	if len(b.Text) == 0 && len(b.Fields) == 0 {
		c.fault("a section needs text or fields")
	}
	if len(b.Text) > 0 {
		c.textObject(b.Text, 3000, false)
	}
	c.count("fields", len(b.Fields), 0, 10)
	for _, f := range b.Fields {
		c.length("field", f.Text, 1, 2000)
	}
}

func (c *checker) count(what string, n, least, most int) {
	if n < least || n > most {
		c.fault("%s must be %d to %d items, are %d", what, least, most, n)
	}
}

func (c *checker) element(e block) {
	c.length("action_id", e.ActionID, 0, 255)
	if e.ActionID != "" && c.actions[e.ActionID] {
		c.fault("`action_id` already in use")
	}
	c.actions[e.ActionID] = true
	if e.Type != "button" {
		return
	}
	c.textObject(e.Text, 75, true)
	c.length("value", e.Value, 0, 2000)
	c.length("url", e.URL, 0, 3000)
	if e.Style != "" && e.Style != "primary" && e.Style != "danger" {
		c.fault("style must be primary or danger")
	}
}
