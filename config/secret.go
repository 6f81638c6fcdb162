package config

import (
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
)

// Format implements fmt.Formatter: without it a verb that is not for texts, such as %d,
// would print the value in its complaint.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) } // fmt tells of it

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// Secrets returns the values that must not be told: all Secrets of the configuration, and
// of the environment, which is as os.Environ has it, those whose names say that they are
// secret. The path of a database is none.
func (c Config) Secrets(environ ...string) []string {
	all := secretsOf(reflect.ValueOf(c), "")
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if secretName.MatchString(name) && !openName.MatchString(name) && worthHiding(value) || addressName.MatchString(name) && strings.Contains(value, "@") {
			all = append(all, value)
		}
	}
	return all
}

var (
	secretName = regexp.MustCompile(`(?i)(?:^|_)(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASS|PASSPHRASE|PWD|API_?KEYS?|ACCESS_?KEY|SECRET_?KEY|PRIVATE_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|AUTH_?KEY|KEY|CREDENTIALS?)(?:_?\d+)?$|^PGPASSWORD$|^MYSQL_PWD$`)
	// openName are names that only look secret.
	openName    = regexp.MustCompile(`(?i)^(?:PWD|OLDPWD|GPG_KEY)$|PUBLIC_?KEY$`)
	addressName = regexp.MustCompile(`(?i)(?:^|_)(?:DSN|URL|URI|PROXY)$`)
)

// worthHiding reports whether a value of the environment may be a secret: not a switch,
// a path or a plain word, which stand everywhere.
func worthHiding(v string) bool {
	return len(v) >= 8 && !strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "./") && strings.ContainsFunc(v, func(r rune) bool { return r < 'a' || r > 'z' })
}

// secretsOf are the Secrets inside v, the field of that key.
func secretsOf(v reflect.Value, key string) []string {
	switch {
	case v.Type() == secretType:
		s := v.String()
		if s == "" || (key == "dsn" || key == "database" || key == "url") && !strings.ContainsAny(s, "@=") {
			return nil
		}
		return []string{s}
	case v.Kind() == reflect.Struct:
		var all []string
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("mapstructure"), ",")
			all = append(all, secretsOf(v.Field(i), name)...)
		}
		return all
	case v.Kind() == reflect.Slice:
		var all []string
		for i := range v.Len() {
			all = append(all, secretsOf(v.Index(i), key)...)
		}
		return all
	}
	return nil
}
