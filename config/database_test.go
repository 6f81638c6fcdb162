package config_test

import (
	"strings"
	"testing"

	"hermes/config"
)

// A database is a path or a URL of PostgreSQL. What reads like another database is
// refused, before a file of that name is made, and no password is said.
func TestADatabaseIsAPathOrPostgreSQL(t *testing.T) {
	for dsn, want := range map[string]string{
		"":                         "",
		"hermes.db":                "",
		"/var/lib/hermes/store.db": "",
		"./odd:name.db":            "",
		"数据/存储.db":                 "",
		"a folder/hermes=1.db":     "",
		`C:\hermes\store.db`:       "",
		"postgres://h/d":           "",
		"postgresql://u:secret@h:5432/d?sslmode=disable": "",
		"postgres:///d?host=/run/postgresql":             "",

		"mysql://u:secret@h/d":                     "no store is kept at mysql://",
		"sqlite:///tmp/x.db":                       "no store is kept at sqlite://",
		"file://x.db":                              "no store is kept at file://",
		"Postgres://u:secret@h/d":                  "no store is kept at Postgres://",
		"postgres+ssl://u:secret@h/d":              "no store is kept at postgres+ssl://",
		"redis://h":                                "no store is kept at redis://",
		"sqlite:x.db":                              "not like a path",
		"postgres:h/d":                             "not like a path",
		"root:secret@tcp(127.0.0.1:3306)/d":        "not like a path",
		":memory:":                                 "would forget everything",
		"host=h user=u password=secret":            "key=value is not how it is written",
		"dbname=d":                                 "key=value is not how it is written",
		"Server=h;Database=d;User Id=u;Pwd=secret": "key=value is not how it is written",
		"postgres://u:secret%zz@h/d":               "it is not a whole URL",
		"postgres://u:secret@h:port/d":             "it is not a whole URL",
		" hermes.db":                               "begins or ends with a space",
	} {
		t.Setenv("HERMES_DATABASE", dsn)
		t.Setenv("HERMES_AUDIT_KEY", longKey)
		_, err := config.Load("")
		switch {
		case want == "" && err != nil:
			t.Errorf("%q is refused: %v", dsn, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "config: database: ") || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hint: ")):
			t.Errorf("%q = %v, want it to say %q, and a hint", dsn, err, want)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("the error says the password: %v", err)
		}
	}
}

// PostgresStore names the host and the database, and never who logs in.
func TestPostgresStoreNamesNoUser(t *testing.T) {
	for dsn, want := range map[string][2]string{
		"postgres://u:secret@db.example:5433/hermes?sslmode=require": {"db.example:5433", "hermes"},
		"postgresql://db.example/hermes":                             {"db.example", "hermes"},
		"postgres://u:secret@/hermes?host=/run/postgresql":           {"/run/postgresql", "hermes"},
		"postgres://u:secret@db.example?dbname=hermes":               {"db.example", "hermes"},
		"postgres://u:secret@db.example":                             {"db.example", ""},
	} {
		host, name, ok := config.Config{Database: config.Secret(dsn)}.PostgresStore()
		if !ok || host != want[0] || name != want[1] {
			t.Errorf("%s is kept at %q, %q, %t; want %q", dsn, host, name, ok, want)
		}
	}
	for _, path := range []string{"", "hermes.db", "./postgres:x"} {
		if host, name, ok := (config.Config{Database: config.Secret(path)}).PostgresStore(); ok || host+name != "" {
			t.Errorf("%q is kept at %q, %q in PostgreSQL", path, host, name)
		}
	}
}
