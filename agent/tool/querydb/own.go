package querydb

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// What people have said is no source of figures, and has rights of its own: the store of
// this program is not opened, under whatever name it comes. A SQLite store is known
// before it is opened, as the same file; every store by its tables, since a server has
// many addresses.

// storeSigns are tables that only a store of this program has together.
var storeSigns = []string{"inbox", "outbox", "runs", "steps", "artifacts", "schema_migrations"}

// storeTables are they as a list of SQL.
var storeTables = "'" + strings.Join(storeSigns, "', '") + "'"

// ErrUnfit is wrapped by the error of a source that is not to be asked anything: the store
// of this program, or a login that could do more than read.
var ErrUnfit = errors.New("unfit as a source")

var errOwnStore = fmt.Errorf("%w: this is the store of Hermes itself: what people have said is no source\n  hint: name another database, or another schema with a login that cannot read the store", ErrUnfit)

// sameFile reports whether two paths lead to one file, by whatever links.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	fa, err := os.Stat(a)
	if err != nil {
		return false
	}
	fb, err := os.Stat(b)
	return err == nil && os.SameFile(fa, fb)
}
