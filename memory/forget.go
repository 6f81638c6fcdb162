package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Erased is the receipt of Forget.
type Erased struct {
	Facts []Fact // what is gone, with Status Forgotten; without what they had replaced
	Count int    // of all that is gone, what they had replaced included
	// Kept are the ids that were not deleted, since they are another's or
	// there is none.
	Kept []string
}

// Own reports whether a person may have a fact deleted without asking anybody: it
// is for that person's eyes, or that person said it.
func (f Fact) Own(person string) bool {
	return person != "" && (f.Audience == Audience{ForUser, person} || f.By == person)
}

// Forget deletes a person's own facts. Deleting again deletes nothing more.
func (m *Memory) Forget(ctx context.Context, v Viewer, ids []string) (Erased, error) {
	var out Erased
	var own []string
	for _, id := range ids {
		f, ok, err := m.store.Fact(ctx, id)
		if err != nil {
			return out, fmt.Errorf("look up fact %s: %w", id, err)
		}
		if !ok || !f.Own(v.Person) {
			out.Kept = append(out.Kept, id)
			continue
		}
		own = append(own, id)
	}
	if len(own) == 0 {
		return out, nil
	}
	gone, err := m.store.Delete(ctx, own)
	if err != nil {
		return out, fmt.Errorf("delete %d facts: %w", len(own), err)
	}
	out.Count = len(gone)
	for _, f := range gone {
		if slices.Contains(own, f.ID) {
			f.Status = Forgotten
			out.Facts = append(out.Facts, f)
		}
	}
	return out, nil
}

// Mine returns the facts that a person may have deleted, newest first, wherever
// they were said. They are not for showing.
func (m *Memory) Mine(ctx context.Context, v Viewer) ([]Fact, error) {
	if v.Person == "" {
		return nil, nil
	}
	all, err := m.store.List(ctx, v.alone(), listed)
	if err != nil {
		return nil, fmt.Errorf("list facts: %w", err)
	}
	return slices.DeleteFunc(all, func(f Fact) bool { return !f.Own(v.Person) }), nil
}

// meant is what the ids of notes of Meant begin with.
const meant = "meant/"

// Meant notes under a key which facts a wish meant, and returns what was noted
// first. "The last one" means another fact once the last one is deleted; so that
// the wish can be carried out again after a crash, what it means is kept before
// it is carried out. The note has ids only.
func (m *Memory) Meant(ctx context.Context, v Viewer, key string, ids []string) ([]string, error) {
	if v.Person == "" {
		return nil, ErrNobody
	}
	e := Episode{
		ID: meant + key, At: m.now().UTC(), Who: v.Person,
		Text: strings.Join(ids, " "), Audience: Audience{ForUser, v.Person},
	}
	if first, ok, err := m.noted(ctx, v, e.ID); err != nil || ok {
		return first, err
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if err := m.store.PutEpisode(ctx, e); err != nil {
		return nil, fmt.Errorf("note what %s meant: %w", key, err)
	}
	return ids, nil
}

// noted looks among the newest: a wish is carried out again soon or never.
func (m *Memory) noted(ctx context.Context, v Viewer, id string) ([]string, bool, error) {
	latest, err := m.store.Episodes(ctx, Viewer{Person: v.Person, Direct: true}, "", 200)
	if err != nil {
		return nil, false, fmt.Errorf("read what %s meant: %w", id, err)
	}
	for _, e := range latest {
		if e.ID == id {
			return strings.Fields(e.Text), true, nil
		}
	}
	return nil, false, nil
}
