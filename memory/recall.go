package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// listed is how many facts List returns at most: more than a person can have
// said on purpose, few enough to hold.
const listed = 1000

// A Query is what somebody wants to know.
type Query struct {
	Text  string
	Limit int       // of facts
	Now   time.Time // facts fade with age; zero: they do not
	AsOf  time.Time // what was said later is not known yet; zero: all is
	// Without are predicates that do not fit what the answer is for.
	Without []string
	// Tokens is how much there is room for; 0: no limit. The first that does not
	// fit ends the answer, since what follows is worth less.
	Tokens int
}

// Recall returns the facts that help with a text and that v may see, best first.
// Of disputed facts the one in use stands before the others, which name it as
// Behind; a note whose statement a later note replaces is left out.
func (m *Memory) Recall(ctx context.Context, v Viewer, text string, limit int) ([]Scored, error) {
	found, err := m.Find(ctx, v, Query{Text: text, Limit: limit, Now: m.now()})
	for _, f := range found {
		m.Told(f.ID)
	}
	return found, err
}

// Find is Recall for whoever wants to say more.
func (m *Memory) Find(ctx context.Context, v Viewer, q Query) ([]Scored, error) {
	if v.Person == "" {
		return nil, nil
	}
	return m.find(ctx, v.Audiences(), q)
}

func (m *Memory) find(ctx context.Context, as []Audience, q Query) ([]Scored, error) {
	if len(as) == 0 || q.Limit <= 0 || strings.TrimSpace(q.Text) == "" {
		return nil, nil
	}
	found, err := m.search(ctx, as, q)
	if err != nil {
		return nil, fmt.Errorf("search facts: %w", err)
	}
	kept, err := m.inUseFirst(ctx, standing(found, func(s Scored) Statement { return s.says }))
	if err != nil {
		return nil, err
	}
	kept = diverse(kept, m.weights.Same, q.Limit)
	return within(kept, q.Tokens), nil
}

// search returns more than is asked for, since what is replaced or said twice is yet
// to be left out.
func (m *Memory) search(ctx context.Context, as []Audience, q Query) ([]Scored, error) {
	s, err := m.index.search(ctx, as, q.Text, q.Now, q.AsOf, m.weights)
	if err != nil {
		return nil, err
	}
	got, err := s.best(ctx, max(considered, 4*q.Limit), func(f Fact) bool { return m.alive(f) && !slices.Contains(q.Without, f.Predicate) })
	s.close()
	if err != nil {
		return nil, err
	}
	all := make([]Scored, len(got))
	for i, f := range got {
		all[i] = Scored{Fact: f.Fact, Score: float64(f.sum), says: f.Says}
	}
	if all, err = m.linked(ctx, as, q, all); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Score *= fade(m.weights.Fading, q.Now, all[i].fresh(), m.weights.HalfLife)
	}
	slices.SortStableFunc(all, byScore)
	return all, nil
}

func byScore(a, b Scored) int { return cmp.Compare(b.Score, a.Score) }

// fresh is when a fact was said or told last.
func (f Fact) fresh() time.Time {
	if f.Used.After(f.Said) {
		return f.Used
	}
	return f.Said
}

// fade is what is left of a score with age.
func fade(share float64, now, last time.Time, half time.Duration) float64 {
	if share == 0 || now.IsZero() || half <= 0 {
		return 1
	}
	age := max(0, now.Sub(last))
	return 1 - share*(1-math.Exp2(-float64(age)/float64(half)))
}

// deepest is how many steps a walk through the graph goes, and roots from how many of
// the facts that were found.
const (
	deepest = 3
	roots   = 5
	linked  = 30
)

// ends are the nodes that a fact joins.
func (s Scored) ends() (from, to string) {
	if s.Predicate != Note {
		return fold(s.Subject), fold(s.Object)
	}
	from, _, _ = strings.Cut(s.says.Key, "|")
	return strings.TrimSpace(from), fold(s.says.Object)
}

// linked adds what is joined to the best facts: who asks about A is told that A leads
// to B and B to C. Only what the question names is a start, and what the facts about
// it lead to.
func (m *Memory) linked(ctx context.Context, as []Audience, q Query, found []Scored) ([]Scored, error) {
	if m.weights.Graph == 0 {
		return found, nil
	}
	asked := fold(q.Text)
	var nodes []string
	score := 0.0
	for _, f := range found[:min(roots, len(found))] {
		from, to := f.ends()
		for _, n := range []string{from, to} {
			if n == "" || slices.Contains(nodes, n) {
				continue
			}
			if _, named := without(asked, n); named {
				nodes = append(nodes, n)
				score = max(score, f.Score)
			}
		}
	}
	if len(nodes) == 0 {
		return found, nil
	}
	links, err := m.store.Linked(ctx, as, nodes, deepest, linked)
	if err != nil {
		return nil, fmt.Errorf("walk from %d facts: %w", len(nodes), err)
	}
	depth := map[int64]int{}
	var seqs []int64
	for _, l := range links {
		if d, ok := depth[l.Seq]; !ok || l.Depth < d {
			depth[l.Seq] = l.Depth
		}
		seqs = append(seqs, l.Seq)
	}
	if len(seqs) == 0 {
		return found, nil
	}
	facts, err := m.store.At(ctx, as, seqs)
	if err != nil {
		return nil, fmt.Errorf("read what is linked: %w", err)
	}
	at := map[string]int{}
	for i, f := range found {
		at[f.ID] = i
	}
	for _, f := range facts {
		if !m.alive(f.Fact) || slices.Contains(q.Without, f.Predicate) || !q.AsOf.IsZero() && f.Said.After(q.AsOf) || !slices.Contains(as, f.Audience) {
			continue
		}
		worth := score * math.Pow(m.weights.Graph, float64(depth[f.Seq]))
		if i, ok := at[f.ID]; ok {
			found[i].Score = max(found[i].Score, worth)
			continue
		}
		found = append(found, Scored{Fact: f.Fact, Score: worth, says: f.Says})
	}
	slices.SortStableFunc(found, byScore)
	return found, nil
}

// repeats is the share of its words that a fact has in common with a better one when
// it begins to say nothing new.
const repeats = 0.7

// diverse picks the best, each at its worth less what it repeats of those before it.
// A disputed fact and the one that it stands behind both stay.
func diverse(found []Scored, loss float64, limit int) []Scored {
	if loss == 0 || len(found) <= 1 {
		return found[:min(limit, len(found))]
	}
	found = found[:min(len(found), 4*limit)]
	words := make([]map[string]bool, len(found))
	for i, f := range found {
		words[i] = map[string]bool{}
		for _, t := range termsOf(f.Fact) {
			words[i][t] = true
		}
	}
	penalty := make([]float64, len(found))
	left := make([]int, len(found))
	for i := range left {
		left[i] = i
	}
	var out []Scored
	for len(out) < limit && len(left) > 0 {
		best := 0
		for i, n := range left {
			if found[n].Score*(1-penalty[n]) > found[left[best]].Score*(1-penalty[left[best]]) {
				best = i
			}
		}
		n := left[best]
		left = slices.Delete(left, best, best+1)
		f := found[n]
		f.Score *= 1 - penalty[n]
		out = append(out, f)
		for _, o := range left {
			if found[o].Status != Disputed {
				penalty[o] = max(penalty[o], loss*repeated(words[n], words[o]))
			}
		}
	}
	return out
}

// repeated is how much of a fact's words stands in another, from nought at repeats.
func repeated(said, again map[string]bool) float64 {
	both := 0
	for w := range again {
		if said[w] {
			both++
		}
	}
	if either := len(said) + len(again) - both; either > 0 {
		return max(0, float64(both)/float64(either)-repeats) / (1 - repeats)
	}
	return 0
}

// within keeps what there is room for.
func within(found []Scored, tokens int) []Scored {
	if tokens <= 0 {
		return found
	}
	for i, f := range found {
		if tokens -= Tokens(f.Fact); tokens < 0 {
			return found[:i]
		}
	}
	return found
}

// Tokens is about what a fact costs in a prompt: four letters a token, or one Chinese
// character, and a dozen for where it comes from.
func Tokens(f Fact) int {
	n := 12
	for _, s := range []string{f.Subject, f.Predicate, f.Object} {
		letters := 0
		for _, r := range s {
			if isHan(r) {
				n++
			} else {
				letters++
			}
		}
		n += (letters + 3) / 4
	}
	return n
}

// inUseFirst puts, of the disputed facts on one thing, the one in use first and
// names it in the others. One that was not found is added: whoever asks for Excel
// must hear that CSV is used.
func (m *Memory) inUseFirst(ctx context.Context, found []Scored) ([]Scored, error) {
	var all []Scored
	had, asked := map[string]bool{}, map[string]bool{}
	for _, s := range found {
		had[s.ID] = true
	}
	for _, s := range found {
		all = append(all, s)
		if s.Status != Disputed || asked[s.slot()] {
			continue
		}
		asked[s.slot()] = true
		current, err := m.store.Current(ctx, s.Audience, s.Subject, s.Predicate)
		if err != nil {
			return nil, fmt.Errorf("look up %s of %s: %w", s.Predicate, s.Subject, err)
		}
		for _, f := range m.living(current) {
			if f.Status == Disputed && !had[f.ID] {
				all = append(all, Scored{Fact: f, Score: s.Score})
			}
		}
	}
	return settleOrder(all), nil
}

// settleOrder is inUseFirst of facts that are all there.
func settleOrder(found []Scored) []Scored {
	places := map[string][]int{}
	for i, s := range found {
		if s.Status == Disputed {
			k := s.slot()
			places[k] = append(places[k], i)
		}
	}
	for _, at := range places {
		var facts []Scored
		for _, i := range at {
			facts = append(facts, found[i])
		}
		slices.SortStableFunc(facts, func(a, b Scored) int { return preferred(a.Fact, b.Fact) })
		scores := make([]float64, len(at))
		for j, i := range at {
			scores[j] = found[i].Score
		}
		for j, i := range at {
			facts[j].Score = scores[j]
			if j > 0 {
				facts[j].Behind = facts[0].ID
			}
			found[i] = facts[j]
		}
	}
	return found
}

// slot is what two facts must share to be on one thing.
func (f Fact) slot() string {
	return strings.Join([]string{f.Audience.Kind, f.Audience.ID, f.Subject, f.Predicate}, "\x00")
}

// Preferences returns how the person v wants things: for each preference the one
// fact that is in use, and what words mean to that person. They hold in every place for that person's own requests
// and are not for showing to others.
func (m *Memory) Preferences(ctx context.Context, v Viewer) ([]Fact, error) {
	if v.Person == "" {
		return nil, nil
	}
	var all []Fact
	for _, p := range preferences {
		current, err := m.store.Current(ctx, Audience{ForUser, v.Person}, v.Person, p)
		if err != nil {
			return nil, fmt.Errorf("look up %s of %s: %w", p, v.Person, err)
		}
		if current = m.living(current); len(current) > 0 {
			all = append(all, InUse(current))
		}
	}
	terms, err := m.terms(ctx, v)
	all = append(all, terms...)
	for _, f := range all {
		m.Told(f.ID)
	}
	return all, err
}

// mostTerms is how many words with a meaning a request is read with.
const mostTerms = 50

// terms returns what words mean to v: the person's own first, then those of the
// place. All of them, since a request may take its words from the one before.
func (m *Memory) terms(ctx context.Context, v Viewer) ([]Fact, error) {
	listed, err := m.store.List(ctx, v.alone(), listed)
	if err != nil {
		return nil, fmt.Errorf("list terms: %w", err)
	}
	listed = m.living(listed)
	var own, others []Fact
	bySlot := map[string][]Fact{}
	for _, f := range listed {
		if f.Predicate == Means {
			bySlot[f.slot()] = append(bySlot[f.slot()], f)
		}
	}
	for _, f := range listed {
		mine := f.Audience == Audience{ForUser, v.Person}
		switch {
		case f.Predicate != Means || InUse(bySlot[f.slot()]).ID != f.ID:
		case mine:
			own = append(own, f)
		case v.Sees(f.Audience):
			others = append(others, f)
		}
	}
	own = append(own, others...)
	return own[:min(mostTerms, len(own))], nil
}

// List returns the facts that may be read out where v is, newest first: those
// that v may see, and v's own that were said at this very place.
func (m *Memory) List(ctx context.Context, v Viewer) ([]Fact, error) {
	facts, _, err := m.list(ctx, v)
	return facts, err
}

// Withheld counts the facts of the person v that List leaves out because others
// look on.
func (m *Memory) Withheld(ctx context.Context, v Viewer) (int, error) {
	_, n, err := m.list(ctx, v)
	return n, err
}

func (m *Memory) list(ctx context.Context, v Viewer) (shown []Fact, withheld int, err error) {
	if v.Person == "" {
		return nil, 0, nil
	}
	all, err := m.store.List(ctx, v.alone(), listed)
	if err != nil {
		return nil, 0, fmt.Errorf("list facts: %w", err)
	}
	for _, f := range m.living(all) {
		if v.MayHear(f) {
			shown = append(shown, f)
		} else {
			withheld++
		}
	}
	return shown, withheld, nil
}

// MayHear reports whether a fact may be read out where v is. What was said in
// this very channel is no secret in it.
func (v Viewer) MayHear(f Fact) bool {
	return v.Sees(f.Audience) || v.Channel != "" && ChannelOf(f.Place) == v.Channel && f.Own(v.Person)
}

// ChannelOf returns the platform/workspace/channel of a place, which may have a
// thread behind it.
func ChannelOf(place string) string {
	f := strings.SplitN(place, "/", 4)
	if len(f) < 3 {
		return ""
	}
	return strings.Join(f[:3], "/")
}

// Log keeps an Episode, once.
func (m *Memory) Log(ctx context.Context, e Episode) error {
	switch {
	case e.Who == "":
		return ErrNobody
	case !e.Audience.Valid():
		return ErrNoAudience
	}
	if e.Expires.IsZero() {
		e.Expires = m.now().UTC().Add(m.keeping.EpisodeLife)
	}
	if err := m.store.PutEpisode(ctx, e); err != nil {
		return fmt.Errorf("keep episode %s: %w", e.ID, err)
	}
	return nil
}

// Episodes returns what happened that v may see and is not over: by the words of text,
// what is old behind what is like it and newer, or the newest if there are none.
func (m *Memory) Episodes(ctx context.Context, v Viewer, text string, limit int) ([]Episode, error) {
	if v.Person == "" || limit <= 0 {
		return nil, nil
	}
	found, err := m.store.Episodes(ctx, v, text, 4*limit+20)
	if err != nil {
		return nil, fmt.Errorf("search episodes: %w", err)
	}
	now := m.now()
	found = slices.DeleteFunc(found, func(e Episode) bool {
		return strings.HasPrefix(e.ID, meant) || !v.Sees(e.Audience) || !e.Expires.IsZero() && !e.Expires.After(now)
	})
	if text != "" {
		worth := map[string]float64{}
		for i, e := range found {
			worth[e.ID] = fade(0.5, now, e.At, m.weights.EpisodeLife) / float64(10+i)
		}
		slices.SortStableFunc(found, func(a, b Episode) int { return cmp.Compare(worth[b.ID], worth[a.ID]) })
	}
	return found[:min(limit, len(found))], nil
}
