package sample

import (
	"database/sql"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A clock is set by the test while the filling reads it.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

var day29 = time.Date(2026, 11, 29, 15, 30, 0, 0, time.UTC)

// open has few months: each takes its time under the race detector.
func open(t testing.TB, path string, c *clock, months int) *DB {
	t.Helper()
	d, err := openMonths(t.Context(), path, c.now, months)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func filled(t testing.TB, path string, c *clock, months int) *DB {
	t.Helper()
	d := open(t, path, c, months)
	if err := d.TopUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// rowsOf reads the orders of some days.
func rowsOf(t *testing.T, db *sql.DB, from, to string) [][6]string {
	rows, err := db.Query("SELECT day, number, time, region || '/' || product || '/' || customer, quantity, amount || '/' || cost FROM orders WHERE day BETWEEN ? AND ? ORDER BY day, number", from, to)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all [][6]string
	for rows.Next() {
		var r [6]string
		if err := rows.Scan(&r[0], &r[1], &r[2], &r[3], &r[4], &r[5]); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// The same day has the same orders, whatever was asked before.
func TestDayIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SliceOfN(rapid.IntRange(18_000, 24_000), 1, 5).Draw(t, "days")
		s := rapid.Uint64().Draw(t, "seed")
		first := map[int][]order{}
		for _, n := range days {
			first[n] = ordersOf(s, time.Unix(int64(n)*86400, 0).UTC())
		}
		for _, n := range slices.Backward(days) {
			if diff := cmp.Diff(first[n], ordersOf(s, time.Unix(int64(n)*86400, 0).UTC()), cmp.AllowUnexported(order{})); diff != "" {
				t.Errorf("day %d differs:\n%s", n, diff)
			}
		}
	})
}

// This very day has had these orders ever since, so that no report of it changes.
func TestDayForEver(t *testing.T) {
	orders := ordersOf(seed, time.Date(2026, 10, 30, 0, 0, 0, 0, time.UTC))
	sum, cost := 0, 0
	for _, o := range orders {
		sum, cost = sum+o.amount, cost+o.cost
	}
	if got, want := [3]int{len(orders), sum, cost}, [3]int{54, 2181962, 1300771}; got != want {
		t.Errorf("orders, cents, cost = %v, want %v; if this is meant, raise version", got, want)
	}
}

// However often and whenever it is topped up, stopped and opened again, what is
// there is what a single filling would have made.
func TestTopUpIsPure(t *testing.T) {
	whole := filled(t, filepath.Join(t.TempDir(), "whole.db"), &clock{at: day29}, 1)
	defer whole.Close()
	last := day29.Format(time.DateOnly)
	want := rowsOf(t, whole.db, "2026-11-01", last)
	for i, minutes := range [][]int{
		{0},                         // once
		{-28 * 24 * 60},             // from the first of the month
		{-20 * 24 * 60, -60, -1, 0}, // by days, by minutes, not at all
		{-930, -931, -300},          // around midnight, and with a clock that goes back
		{-10 * 24 * 60, -10*24*60 - 700, -3 * 24 * 60},
	} {
		path := filepath.Join(t.TempDir(), "parts.db")
		c := &clock{at: day29.Add(time.Duration(minutes[0]) * time.Minute)}
		d := filled(t, path, c, 0)
		for j, m := range minutes[1:] {
			c.set(day29.Add(time.Duration(m) * time.Minute))
			if (i+j)%2 == 0 {
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
				d = open(t, path, c, 0)
			}
			if err := d.TopUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		c.set(day29)
		if err := d.TopUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(t, d.db, "2026-11-01", last); !slices.Equal(got, want) {
			t.Errorf("after %v rows differ:\n%s", minutes, cmp.Diff(want, got))
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// There are as many months before this one as asked for, and of today what was ordered so far.
func TestSpan(t *testing.T) {
	c := &clock{at: day29}
	d := filled(t, filepath.Join(t.TempDir(), "s.db"), c, 2)
	defer d.Close()
	var first, last, latest string
	var n int
	if err := d.db.QueryRow("SELECT MIN(day), MAX(day), COUNT(*), (SELECT MAX(time) FROM orders WHERE day = '2026-11-29') FROM orders").Scan(&first, &last, &n, &latest); err != nil {
		t.Fatal(err)
	}
	if first != "2026-09-01" || last != "2026-11-29" || n < 3_000 || n > 6_000 || latest >= "15:30" || latest < "12:00" {
		t.Errorf("%d orders from %s to %s %s", n, first, last, latest)
	}
	c.set(day29.Add(24 * time.Hour))
	if err := d.TopUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := len(rowsOf(t, d.db, "2026-11-29", "2026-11-29")), len(ordersOf(seed, wall(day29).Truncate(24*time.Hour))); got != want {
		t.Errorf("the day after, %d orders of the day, want %d", got, want)
	}
}

// A year has days that an analysis can find: missing, far above and far below.
func TestEvents(t *testing.T) {
	for year := 2020; year < 2040; year++ {
		count := map[event]int{}
		for n, e := range events(seed, year) {
			count[e]++
			orders := ordersOf(seed, time.Unix(int64(n)*86400, 0).UTC())
			if e == missing && len(orders) != 0 || e == outage && len(orders) > 15 {
				t.Errorf("day %d is a %v with %d orders", n, e, len(orders))
			}
			if e == bulk && !slices.ContainsFunc(orders, func(o order) bool { return o.quantity >= 120 && o.amount > 4_000_000 }) {
				t.Errorf("day %d has no bulk order", n)
			}
		}
		if diff := cmp.Diff(map[event]int{missing: 4, bulk: 1, outage: 1}, count); diff != "" {
			t.Errorf("%d (-want +got):\n%s", year, diff)
		}
	}
}

// A plain day has 25 to 75 orders, each at its time and with a profit.
func TestPlainDays(t *testing.T) {
	for day := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2030; day = day.AddDate(0, 0, 1) {
		if events(seed, day.Year())[dayNumber(day)] != plainDay {
			continue
		}
		orders := ordersOf(seed, day)
		if len(orders) < 15 || len(orders) > 90 {
			t.Errorf("%s has %d orders", day.Format(time.DateOnly), len(orders))
		}
		before := 0
		for _, o := range orders {
			if o.minute < before || o.minute >= 24*60 || o.amount <= o.cost || o.cost <= 0 || !slices.Contains(customersOf[o.region], o.customer) {
				t.Fatalf("%s has %+v", day.Format(time.DateOnly), o)
			}
			before = o.minute
		}
	}
}

// Opening does not wait for the filling; closing ends it.
func TestOpenCloses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	c := &clock{at: day29}
	for range 3 {
		if err := open(t, path, c, 2).Close(); err != nil {
			t.Fatal(err)
		}
	}
	d := filled(t, path, c, 2)
	defer d.Close()
	if n := len(rowsOf(t, d.db, "2026-10-30", "2026-10-30")); n != 54 {
		t.Errorf("%d orders on 30 October", n)
	}
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		d := open(b, filepath.Join(dir, string(rune('a'+i%26))+time.Now().Format("150405.000000000")), &clock{at: day29}, months)
		b.StopTimer()
		d.Close()
		b.StartTimer()
	}
}

func BenchmarkFill(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		d := filled(b, filepath.Join(dir, time.Now().Format("150405.000000000")), &clock{at: day29}, months)
		b.StopTimer()
		d.Close()
		b.StartTimer()
	}
}
