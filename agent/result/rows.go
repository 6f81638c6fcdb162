package result

import "strconv"

// all are the items of an array.
func (t *trim) all(raw string) []string {
	at := pointer(t.way)
	if kept, ok := t.memo[at]; ok {
		return kept
	}
	var all []string
	for v := range items(raw) {
		all = append(all, v)
	}
	if len(raw) > aLong {
		t.memo[at] = all
	}
	return all
}

// share is how many of most there are at the size that is tried.
func (t *trim) share(most int) int { return max(1, most*t.size.share/1000) }

func (t *trim) array(raw string, whole bool) {
	all := t.all(raw)
	shown := upTo(len(all))
	if most := t.share(t.cfg.ArrayMax); !whole && len(all) > most {
		shown = sample(len(all), most, t.wants())
	}
	t.write("[")
	for n, i := range shown {
		if n > 0 {
			t.write(",")
		}
		t.step(strconv.Itoa(i), func() { t.value(all[i], false) })
		if t.full {
			return
		}
	}
	if len(shown) < len(all) {
		t.cut(gap(shown), "%d of %d items", len(shown), len(all))
		t.write(",")
		t.quote(mark("%d of %d items: %s", len(shown), len(all), ranges(shown)))
	}
	t.write("]")
}

// rows writes the rows of a table: the first, and those that are wanted.
func (t *trim) rows(raw string) {
	all := t.all(raw)
	total := len(all)
	if pointer(t.way) == t.main {
		total = max(total, t.total)
	}
	shown := upTo(min(len(all), t.share(t.cfg.RowHead)))
	if len(shown) < len(all) {
		shown = union(shown, t.wants())
	}
	t.write("[")
	next := 0
	for _, i := range shown {
		t.skipped(next, i, total)
		if i > 0 {
			t.write(",")
		}
		t.step(strconv.Itoa(i), func() { t.value(all[i], true) })
		if t.full {
			return
		}
		next = i + 1
	}
	t.skipped(next, total, total)
	t.write("]")
	if len(shown) < total {
		// The table is named by the object that it is.
		last := len(t.way) - 1
		key := t.way[last]
		t.way = t.way[:last]
		t.cut(gap(shown), "rows %s of %d", ranges(shown), total)
		t.way = append(t.way, key)
	}
}

// skipped marks the rows from one up to, but without, another as left out.
func (t *trim) skipped(from, to, total int) {
	if from >= to {
		return
	}
	if from > 0 {
		t.write(",")
	}
	t.quote(mark("rows %d-%d of %d left out", from+1, to, total))
}

func (t *trim) wants() []int {
	if pointer(t.way) == t.main {
		return t.wanted
	}
	return nil
}
