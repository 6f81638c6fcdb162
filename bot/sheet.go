package bot

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/run"
)

// A Decider has the forms by which people decide with more than a press; Bot is one.
type Decider interface {
	// Sheet returns the form that a Choice of a question opens for a person. One who may
	// not decide so, or comes too late, gets one without Fields that says so.
	Sheet(ctx context.Context, person, question, choice string) (Sheet, error)
	// Decide takes a form as its sender has filled it in: Question and Choice of the
	// Click are the form's. What is wrong is an *Invalid, whose Field is empty if it is
	// about all of it; then nothing is noted, as with a *Becoming. What is taken counts once
	// for one Key.
	Decide(ctx context.Context, c Click, values map[string]string) error
	// Barred is why somebody may not decide on a question that the Click is on, in words,
	// with who may; the try is audited. Empty: it is not that.
	Barred(ctx context.Context, c Click, lang string) (string, error)
	// Grants are what may run without a question, as far as a person may look at it.
	// Revoke ends one, and returns an *Invalid if that is not theirs to do.
	Grants(ctx context.Context, person, lang string) ([]Allowance, error)
	Revoke(ctx context.Context, person, grant, lang string) error
}

// An Allowance is a grant as people read it.
type Allowance struct {
	ID, Says  string
	Used, Max int
	Owner, By string // Persons
}

var _ Decider = (*Bot)(nil)

// A Sheet is a form by which somebody decides.
type Sheet struct {
	Question, Choice string
	Lang             string
	Title, Send      string
	Lead             string // Markdown
	Fields           []Field
}

// A Field is one thing to fill in.
type Field struct {
	ID, Label, Hint string
	Kind            FieldKind
	Value           string
	Options         []Choice // of a Pick
	Optional        bool
	Most            int // characters; 0: as many as the platform takes
}

// A FieldKind is what a Field takes. Its Value is a text for all of them: a number as
// it is written, "true" or "false", the ID of an option, a date as 2026-12-31.
type FieldKind string

// The kinds of field.
const (
	TextField   FieldKind = "text"
	LongField   FieldKind = "long"
	NumberField FieldKind = "number"
	DateField   FieldKind = "date"
	PickField   FieldKind = "pick"
)

// The fields of sheets that are not about arguments. FieldSeen is not filled in by people:
// it is Becoming.Seen.
const (
	FieldNote  = "note"
	FieldScope = "scope"
	FieldSeen  = "seen"
)

// longestNote is how long a reason, or a wish for changes, may be.
const longestNote = 1000

// Sheet implements Decider.
func (b *Bot) Sheet(ctx context.Context, person, question, choice string) (Sheet, error) {
	s := Sheet{Question: question, Choice: choice}
	var q run.Question
	var calls []run.Editable
	var err error
	if choice == EditChoice {
		q, calls, err = b.Agent.Editable(ctx, question, person)
	} else {
		q, err = b.Agent.Asked(ctx, question, person, chosenBy(choice))
	}
	s.Lang = q.Lang
	w := words(q.Lang)
	s.Title, s.Send = w.sheetTitle[choice], w.sheetSend[choice]
	if s.Title == "" {
		return s, fmt.Errorf("form for %q: %w", choice, run.ErrNoQuestion)
	}
	if err != nil {
		key := fmt.Sprintf("%s/%s/%s/form/%d", person, question, choice, b.Now().UnixNano())
		home, _ := ParsePlace(q.Home) // none of a question that nobody knows
		s.Lead, err = b.turnedAway(ctx, Click{Key: key, Place: home, From: person, Question: question, Choice: choice}, q, err, q.Lang)
		return s, err
	}
	switch FormOf(choice) {
	case NoteForm:
		s.Lead = briefOf(q)
		s.Fields = []Field{{ID: FieldNote, Label: w.whatChanges, Kind: LongField, Most: longestNote}}
		if choice == ReasonChoice {
			s.Fields[0].Label = w.whyNot
		}
	case ScopeForm:
		s.Lead = w.scopesLead(q)
		f := Field{ID: FieldScope, Label: w.whichScope, Kind: PickField}
		for _, g := range q.Scopes {
			said := w.scopeOption(w.from(g), g.Until.In(b.zone()).Format(w.until), g.Max)
			if open := w.leftOpen(g); len(open) > 0 {
				said = strings.Join(append(open, said), w.listed)
			}
			f.Options = append(f.Options, Choice{ID: g.ID, Label: said})
		}
		if len(f.Options) == 0 {
			s.Lead = w.noSheet
			break
		}
		s.Fields = []Field{f}
	case ArgsForm:
		s.Lead = w.editLead
		for i, c := range calls {
			s.Fields = append(s.Fields, w.argFields(i, c, len(calls) > 1)...)
		}
		if len(s.Fields) == 0 {
			s.Lead = w.nothingToEdit
		}
	}
	return s, nil
}

// scopesLead says what the Scopes of a question have in common.
func (w *wording) scopesLead(q run.Question) string {
	if len(q.Scopes) == 0 {
		return ""
	}
	narrow := q.Scopes[0]
	if which, ok := w.patternOf(narrow); ok {
		return w.scopeCalls + "\n\n**" + w.allowed(narrow) + "** " + which
	}
	return w.scopeLead + "\n\n**" + w.allowed(narrow) + "**"
}

// briefOf is what an approval asks, without what stands below that.
func briefOf(q run.Question) string {
	var lines []string
	for _, c := range q.Calls {
		for _, l := range flat(c.Lines) {
			lines = append(lines, "- "+l)
		}
	}
	return strings.Join(lines, "\n")
}

// chosenBy is the option that a Choice of a card means.
func chosenBy(choice string) string {
	if choice == ReasonChoice {
		return run.No
	}
	return choice
}

// optionOf is the option of a question that a Choice of its card decides on: what
// somebody edits is decided on as its first.
func optionOf(choice string) string {
	if choice == EditChoice {
		return ""
	}
	return chosenBy(choice)
}

// Offered are the Choices of a card that a person may press, of whom may knows on which
// options they decide, and whether they may do more with them than call it off.
func Offered(all []Choice, may func(option string) bool) (mine []Choice, more bool) {
	for _, c := range all {
		option := optionOf(c.ID)
		if !may(option) {
			continue
		}
		mine = append(mine, c)
		more = more || option != run.No && option != run.Change
	}
	return mine, more
}

// Decide implements Decider.
func (b *Bot) Decide(ctx context.Context, c Click, values map[string]string) error {
	form := FormOf(c.Choice)
	switch form {
	case NoForm:
		return fmt.Errorf("decide by %q: %w", c.Choice, run.ErrNoQuestion)
	case NoteForm:
		c.Note = cutTo(strings.TrimSpace(values[FieldNote]), longestNote)
		q, err := b.Agent.Asked(ctx, c.Question, c.From, chosenBy(c.Choice))
		switch {
		case err != nil:
			return b.turnAway(ctx, c, q, err)
		case c.Note == "":
			return &Invalid{FieldNote, words(q.Lang).sheetEmpty}
		}
	case ScopeForm:
		c.Scope = values[FieldScope]
	case ArgsForm:
		q, calls, err := b.Agent.Editable(ctx, c.Question, c.From)
		switch {
		case err != nil:
			return b.turnAway(ctx, c, q, err)
		case len(q.Options) == 0:
			return &Invalid{Text: words(q.Lang).noSheet}
		}
		c.Choice, c.Args = q.Options[0].ID, map[string]json.RawMessage{}
		for i, call := range calls {
			args, changed, err := argsFrom(i, call, values)
			if err != nil {
				return err
			}
			if changed {
				c.Args[call.Call] = args
			}
		}
	}
	c.Choice = chosenBy(c.Choice)
	fit, err := b.Agent.Fits(ctx, run.Answer{
		Key: c.Key, Question: c.Question, Choice: c.Choice, Args: maps.Clone(c.Args), Note: c.Note, Scope: c.Scope, By: c.From, At: c.At,
	})
	if err != nil {
		var unfit *run.Unfitting
		if errors.As(err, &unfit) && form == ArgsForm {
			return b.unfitting(ctx, c, unfit)
		}
		if errors.As(err, &unfit) && form == NoteForm {
			return &Invalid{FieldNote, unfit.Text} // the form stays open, and so does the card
		}
		q, fault := b.Agent.Asked(ctx, c.Question, c.From, c.Choice)
		if fault != nil {
			err = fault
		}
		return b.turnAway(ctx, c, q, err)
	}
	if seen := seenOf(fit.Edited); seen != values[FieldSeen] && len(fit.Edited) > 0 {
		return b.becoming(ctx, c, fit.Edited, seen)
	}
	return b.Click(ctx, c)
}

// A Becoming is returned by Decide for a form that changes what would run, until who sends
// it has seen what comes of that: nothing is noted. It is shown with the form, which is sent
// again with Seen in FieldSeen.
type Becoming struct {
	Text string `json:"text"` // Markdown
	Send string `json:"send"` // what the button is called then
	Seen string `json:"seen"`
}

func (e *Becoming) Error() string { return e.Text }

// becoming says what calls come to as somebody has changed them.
func (b *Bot) becoming(ctx context.Context, c Click, edited []run.Planned, seen string) error {
	q, _, err := b.Agent.Editable(ctx, c.Question, c.From)
	if err != nil {
		return b.turnAway(ctx, c, q, err)
	}
	w := words(q.Lang)
	return &Becoming{Text: w.becomes + "\n" + briefOf(run.Question{Calls: edited}), Send: w.approveThis, Seen: seen}
}

// seenOf names what calls come to, so that a form that was changed again after that is seen
// again.
func seenOf(edited []run.Planned) string {
	h := sha256.New()
	for _, c := range edited {
		_, _ = fmt.Fprintln(h, c.ID, c.Hash) // a hash takes all
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// unfitting finds the field of a form that an argument was filled in at.
func (b *Bot) unfitting(ctx context.Context, c Click, unfit *run.Unfitting) error {
	q, calls, err := b.Agent.Editable(ctx, c.Question, c.From)
	if err != nil {
		return invalidOf(q, err, q.Lang)
	}
	out := &Invalid{Text: unfit.Text}
	for i, call := range calls {
		for _, f := range words(q.Lang).argFields(i, call, false) {
			if out.Field == "" || call.Call == unfit.Call && f.ID == argID(i, unfit.Field) {
				out.Field = f.ID
			}
		}
	}
	return out
}

// invalidOf is why a form cannot be taken, in words, or what is broken.
func invalidOf(q run.Question, err error, lang string) error {
	if text, ok := excuse(q, err, lang); ok {
		return &Invalid{Text: text}
	}
	return fmt.Errorf("form for %s: %w", q.ID, err)
}

// turnAway tells who decides by a form why they cannot, and the Auditor if they may not.
func (b *Bot) turnAway(ctx context.Context, c Click, q run.Question, err error) error {
	text, err := b.turnedAway(ctx, c, q, err, q.Lang)
	if err != nil {
		return err
	}
	return &Invalid{Text: text}
}

// turnedAway is that in words, with who may, or what is broken.
func (b *Bot) turnedAway(ctx context.Context, c Click, q run.Question, why error, lang string) (string, error) {
	text, ok := excuse(q, why, lang)
	if !ok {
		return "", fmt.Errorf("form for %s: %w", c.Question, why)
	}
	if err := b.refused(ctx, Item{Key: c.Key, Place: c.Place}, c.From, c.Choice, c.Question, why); err != nil {
		return "", err
	}
	if errors.Is(why, run.ErrNotAllowed) && q.Kind == run.Approve {
		platform, _, _ := strings.Cut(c.From, ":")
		text += b.approvers(ctx, platform, lang, q, optionOf(c.Choice)).text
	}
	return text, nil
}

// Barred implements Decider.
func (b *Bot) Barred(ctx context.Context, c Click, lang string) (string, error) {
	q, err := b.Agent.Asked(ctx, c.Question, c.From, optionOf(c.Choice))
	if !errors.Is(err, run.ErrNotAllowed) || q.Answer != nil {
		return "", nil
	}
	c.Place, _ = ParsePlace(q.Home) // the try counts wherever that is
	return b.turnedAway(ctx, c, q, err, lang)
}

func cutTo(s string, most int) string {
	r := []rune(s)
	return string(r[:min(len(r), most)])
}

// argID is the field of an argument of the i-th call.
func argID(i int, name string) string { return strconv.Itoa(i) + "." + name }

// A property is what a schema says of one argument.
type property struct {
	name        string
	Type        any               `json:"type"`
	Description string            `json:"description"`
	Enum        []json.RawMessage `json:"enum"`
	Format      string            `json:"format"`
	MaxLength   int               `json:"maxLength"`
	Items       struct {
		Type any `json:"type"`
	} `json:"items"`
	required bool
}

// kind is the type of a property, the first that is not null.
func kindOf(t any) string {
	switch t := t.(type) {
	case string:
		return t
	case []any:
		for _, x := range t {
			if s, ok := x.(string); ok && s != "null" {
				return s
			}
		}
	}
	return ""
}

// properties are those of a schema that a form has inputs for, in its order.
func properties(schema json.RawMessage) []property {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []property
	for d.More() {
		name, err := d.Token()
		var p property
		if err != nil || d.Decode(&p) != nil {
			return out
		}
		p.name, _ = name.(string)
		p.required = slices.Contains(s.Required, p.name)
		switch kind := kindOf(p.Type); {
		case len(p.Enum) > 0, kind == "string", kind == "number", kind == "integer", kind == "boolean",
			kind == "array" && kindOf(p.Items.Type) == "string":
			out = append(out, p)
		}
	}
	return out
}

// longText is from how many characters on a text has a field of several lines.
const longText = 80

// argFields are the inputs for the arguments of a call. Those that are no text, number,
// date, choice or list of texts stay as they are.
func (w *wording) argFields(i int, c run.Editable, several bool) []Field {
	var args map[string]json.RawMessage
	if json.Unmarshal(c.Args, &args) != nil {
		return nil
	}
	var out []Field
	for _, p := range properties(c.Schema) {
		f := Field{ID: argID(i, p.name), Label: upper(strings.ReplaceAll(p.name, "_", " ")), Hint: p.Description, Kind: TextField, Value: shownArg(args[p.name]), Optional: !p.required, Most: p.MaxLength}
		if said := w.argNames[p.name]; said != "" {
			f.Label, f.Hint = said, ""
		}
		if several {
			f.Label = w.tool(c.Name) + w.colon + f.Label
		}
		switch kind := kindOf(p.Type); {
		case len(p.Enum) > 0:
			f.Kind = PickField
			for _, e := range p.Enum {
				f.Options = append(f.Options, Choice{ID: shownArg(e), Label: cmp.Or(w.argValues[shownArg(e)], shownArg(e))})
			}
		case kind == "boolean":
			f.Kind, f.Options = PickField, []Choice{{ID: "true", Label: w.yesNo[0]}, {ID: "false", Label: w.yesNo[1]}}
		case kind == "number", kind == "integer":
			f.Kind = NumberField
		case kind == "array":
			f.Kind = LongField
		case p.Format == "date":
			f.Kind = DateField
		case len([]rune(f.Value)) > longText || strings.Contains(f.Value, "\n"):
			f.Kind = LongField
		}
		out = append(out, f)
	}
	return out
}

// shownArg is an argument as it stands in a field: a list of texts one a line.
func shownArg(raw json.RawMessage) string {
	var s string
	var list []string
	switch {
	case len(raw) == 0, bytes.Equal(raw, []byte("null")):
		return ""
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &list) == nil:
		return strings.Join(list, "\n")
	}
	return string(raw)
}

// argsFrom are the arguments of the i-th call as they were filled in, and whether they
// are others than before. A field that is not there is as it was.
func argsFrom(i int, c run.Editable, values map[string]string) (json.RawMessage, bool, error) {
	args := map[string]json.RawMessage{}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return nil, false, fmt.Errorf("arguments of %s: %w", c.Name, err)
	}
	changed := false
	for _, p := range properties(c.Schema) {
		value, there := values[argID(i, p.name)]
		if !there || value == shownArg(args[p.name]) {
			continue
		}
		changed = true
		if strings.TrimSpace(value) == "" {
			delete(args, p.name) // one that is needed is then said to be missing
			continue
		}
		var v any = value
		switch kind := kindOf(p.Type); {
		case kind == "number", kind == "integer":
			v = json.Number(strings.TrimSpace(value))
			if !json.Valid([]byte(strings.TrimSpace(value))) {
				v = value // the check says what is wrong about it
			}
		case kind == "boolean":
			v = value == "true"
		case kind == "array":
			var list []string
			for line := range strings.Lines(value) {
				if line = strings.TrimSpace(line); line != "" {
					list = append(list, line)
				}
			}
			v = list
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, false, fmt.Errorf("argument %s: %w", p.name, err)
		}
		args[p.name] = raw
	}
	out, err := json.Marshal(args)
	if err != nil {
		return nil, false, fmt.Errorf("arguments of %s: %w", c.Name, err)
	}
	return out, changed, nil
}
