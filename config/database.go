package config

import (
	"net/url"
	"regexp"
	"strings"
)

// What the store takes is the path of a file or a URL of PostgreSQL. Whatever else
// somebody writes is a file name too, so what reads like another database is refused
// before such a file is made.
var (
	schemed  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`) // one letter is a drive
	keyValue = regexp.MustCompile(`(?i)(^|[\s;])(host|hostaddr|server|port|user|user id|password|pwd|dbname|database|data source|service|sslmode)\s*=`)
)

const databaseHint = "write the path of a SQLite file, or postgres://user:password@host:5432/name; leave it out for hermes.db in data"

// databaseFaults says what is wrong with a database. Its words hold no part of the
// value but a scheme: the rest may be a password.
func databaseFaults(dsn string, fault func(key, wrong, hint string)) {
	const key = "database"
	scheme := ""
	if m := schemed.FindStringSubmatch(dsn); m != nil {
		scheme = m[1]
	}
	switch {
	case dsn == "":
	case strings.TrimSpace(dsn) != dsn || strings.ContainsAny(dsn, "\x00\n\r"):
		fault(key, "it begins or ends with a space, or has a line break", databaseHint)
	case dsn == ":memory:":
		fault(key, "a database in memory would forget everything", databaseHint)
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		if _, err := url.Parse(dsn); err != nil {
			fault(key, "it is not a whole URL", "write postgres://user:password@host:5432/name, with signs such as @ / # % in the password as %40 %2F %23 %25")
		}
	case strings.HasPrefix(dsn[len(scheme):], "://"):
		fault(key, "no store is kept at "+scheme+"://", databaseHint)
	case keyValue.MatchString(dsn):
		fault(key, "key=value is not how it is written", databaseHint)
	case scheme != "":
		fault(key, "it reads like the address of another database, not like a path", databaseHint+"; a file with a colon in its name begins with ./")
	}
}

// PostgresStore reports whether the store is kept in PostgreSQL, and where: HOST and
// the name of the database, as far as the URL names them, without the user and the
// password.
func (c Config) PostgresStore() (host, name string, ok bool) {
	dsn := string(c.Database)
	if !strings.HasPrefix(dsn, "postgres://") && !strings.HasPrefix(dsn, "postgresql://") {
		return "", "", false
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "", "", true // validate has refused it
	}
	q := u.Query()
	host, name = u.Host, strings.TrimPrefix(u.Path, "/")
	if h := q.Get("host"); h != "" {
		host = h
	}
	if n := q.Get("dbname"); n != "" {
		name = n
	}
	return host, name, true
}
