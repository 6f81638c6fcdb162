package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Audit are the keys that its rows are chained with.
type Audit struct {
	// Key is at least 32 characters long. Empty: audit.key beside the database; with
	// PostgreSQL it must be set, and be the same for every replica.
	Key Secret `mapstructure:"key"`
	// FormerKeys verify the rows of before a change of Key. One that is lost for good
	// is written as lost: and its id.
	FormerKeys []Secret `mapstructure:"former_keys"`
}

// leastAuditKey is how long a key is at least: as the hash that is made with it.
const leastAuditKey = 32

var lostKey = regexp.MustCompile(`^lost:[0-9a-f]{8}$`)

const auditKeyHint = "make one with `openssl rand -hex 32`, better in HERMES_AUDIT_KEY; leave it out for a file beside a SQLite database"

func (c *Config) auditFaults(fault func(key, wrong, hint string)) {
	if _, _, ok := c.PostgresStore(); ok && c.Audit.Key == "" {
		fault("audit.key", "it is needed with PostgreSQL: a key in the same database would be there for whoever can change the audit",
			"set HERMES_AUDIT_KEY to the same on every replica; `openssl rand -hex 32` makes one")
	}
	if why := weakKey(c.Audit.Key); c.Audit.Key != "" && why != "" {
		fault("audit.key", why, auditKeyHint)
	}
	for i, k := range c.Audit.FormerKeys {
		if why := weakKey(k); why != "" && !lostKey.MatchString(string(k)) {
			fault(fmt.Sprintf("audit.former_keys[%d]", i), why, "write a key that was audit.key, or lost: and the 8 digits of its id, such as lost:1a2b3c4d")
		}
		if k != "" && slices.Index(c.Audit.FormerKeys, k) < i || k == c.Audit.Key && k != "" {
			fault(fmt.Sprintf("audit.former_keys[%d]", i), "it is there twice", "a former key is another than audit.key and stands there once")
		}
	}
}

// weakKey says why a key is none, in words that hold nothing of it.
func weakKey(k Secret) string {
	switch s := string(k); {
	case strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\r\x00"):
		return "it begins or ends with a space, or has a line break"
	case len(s) < leastAuditKey:
		return fmt.Sprintf("it is shorter than %d characters", leastAuditKey)
	}
	return ""
}

// Flat returns every key with its value as it holds now, defaults and the environment
// counted in. Secrets stand there as they are: it is for a keyed hash, and never to be
// printed.
func (c Config) Flat() map[string]string {
	flat := map[string]string{}
	flatten(reflect.ValueOf(c), "", flat)
	return flat
}

func flatten(v reflect.Value, at string, into map[string]string) {
	for i := range v.NumField() {
		name, squash, _ := strings.Cut(v.Type().Field(i).Tag.Get("mapstructure"), ",")
		f := v.Field(i)
		switch {
		case squash == "squash":
			flatten(f, at, into)
		case f.Kind() == reflect.Struct:
			flatten(f, at+name+".", into)
		default:
			into[at+name] = bare(f)
		}
	}
}

// bare is a value with the secrets in it, which print themselves nowhere else.
func bare(v reflect.Value) string {
	b, err := json.Marshal(undressed(v))
	if err != nil {
		return fmt.Sprint(v) // texts, numbers and lists of them always marshal
	}
	return string(b)
}

func undressed(v reflect.Value) any {
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, undressed(v.Index(i)))
		}
		return all
	case reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			m[v.Type().Field(i).Name] = undressed(v.Field(i))
		}
		return m
	}
	return v.Interface()
}
