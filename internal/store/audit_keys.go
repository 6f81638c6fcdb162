package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// AuditKeys are what the rows of the audit are chained with.
type AuditKeys struct {
	// Current is the key of new rows, at least 32 bytes. Empty: on SQLite that of the
	// file audit.key beside the database, which is made where there is no audit yet.
	// On PostgreSQL it must be given: a key in the same database would be there for
	// whoever can change the rows, and files beside each replica would be different
	// ones.
	Current string
	// Former are keys of before, so that their rows can be verified. "lost:" and the
	// id of a key says that it is gone for good.
	Former []string
}

const (
	keyFile   = "audit.key"
	leastKey  = 32 // bytes
	lostKey   = "lost:"
	keyIDSize = 8 // hexadecimal digits
)

// AuditKeyFile is where the key of the audit is kept if the configuration has none;
// empty for PostgreSQL.
func AuditKeyFile(dsn string) string {
	if isPostgres(dsn) {
		return ""
	}
	return filepath.Join(filepath.Dir(dsn), keyFile)
}

// AuditKeyID returns the id by which rows name a key.
func AuditKeyID(key string) string { return newAuditKey(key).id }

func isPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// An auditKey is a key with the id by which rows name it.
type auditKey struct {
	id     string
	secret []byte
}

func newAuditKey(secret string) auditKey {
	k := auditKey{secret: []byte(secret)}
	k.id = k.sum([]byte("key"))[:keyIDSize]
	return k
}

// Derived returns a key of its own for a purpose, made of the audit's: it is nowhere on
// disk, and whoever has the database alone cannot make it. It is another once the audit's
// key is.
func (d *DB) Derived(purpose string) []byte {
	h := hmac.New(sha256.New, d.keys.current.secret)
	h.Write([]byte("derived\x00" + purpose))
	return h.Sum(nil)
}

// A keyring has the key of new rows and all that rows may be under.
type keyring struct {
	current auditKey
	known   map[string]auditKey
	lost    map[string]bool
}

func newKeyring(current string, former []string) keyring {
	r := keyring{current: newAuditKey(current), known: map[string]auditKey{}, lost: map[string]bool{}}
	for _, f := range former {
		if id, ok := strings.CutPrefix(f, lostKey); ok {
			r.lost[id] = true
			continue
		}
		k := newAuditKey(f)
		r.known[k.id] = k
	}
	r.known[r.current.id] = r.current
	return r
}

// readKeys returns the keys of the configuration or of the file. fresh says that no
// row is under a key yet, so that one may be made.
func (d *DB) readKeys(fresh bool) (keyring, error) {
	given, current := d.cfg.Audit, d.cfg.Audit.Current
	switch {
	case current != "" && len(current) < leastKey:
		return keyring{}, &Error{d.cfg.DSN, fmt.Errorf("%w: it is shorter than %d bytes", ErrAuditKey, leastKey), "make one with `openssl rand -hex 32`"}
	case current != "":
		return newKeyring(current, given.Former), nil
	case d.postgres:
		return keyring{}, &Error{d.cfg.DSN, fmt.Errorf("%w: none is configured", ErrAuditKey),
			"on PostgreSQL set audit.key (HERMES_AUDIT_KEY), the same for every replica; `openssl rand -hex 32` makes one"}
	}
	name := AuditKeyFile(d.cfg.DSN)
	current, err := readKeyFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if !fresh {
			return keyring{}, &Error{d.cfg.DSN, fmt.Errorf("%w: %s is gone", ErrAuditKey, name),
				"put it back from the backup, or set audit.key; if it is lost for good, see audit.former_keys in `hermes init --print`"}
		}
		current, err = makeKeyFile(name)
	}
	if err != nil {
		return keyring{}, &Error{d.cfg.DSN, fmt.Errorf("%w: %w", ErrAuditKey, err), "the user that runs hermes, and nobody else, must be able to read it: chmod 600"}
	}
	return newKeyring(current, given.Former), nil
}

func readKeyFile(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o007 != 0 {
		return "", fmt.Errorf("%s can be read by everybody (%v)", name, info.Mode().Perm())
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(b))
	if len(key) < leastKey {
		return "", fmt.Errorf("%s holds no key of %d bytes or more", name, leastKey)
	}
	return key, nil
}

// makeKeyFile writes a new key, whole or not at all: after a crash half a key would be
// one.
func makeKeyFile(name string) (string, error) {
	b := make([]byte, leastKey)
	_, _ = rand.Read(b) // it never fails
	key := hex.EncodeToString(b)
	f, err := os.CreateTemp(filepath.Dir(name), keyFile+".*") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(key + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), name) // another process may have been faster
	}
	err = errors.Join(err, os.Remove(f.Name()))
	if errors.Is(err, fs.ErrExist) {
		return readKeyFile(name)
	}
	return key, err
}
