package config_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/config"
)

const longKey = "an audit key of thirty-two bytes and more"

// The audit on PostgreSQL needs a key that its replicas share; what is wrong with one
// is said without it.
func TestAuditKeys(t *testing.T) {
	for text, want := range map[string]string{
		"database: postgres://h/d":                                      "audit.key: it is needed with PostgreSQL",
		"audit: {key: canary}":                                          "audit.key: it is shorter than 32",
		"audit: {former_keys: [canary]}":                                "audit.former_keys[0]: it is shorter",
		"audit: {former_keys: [lost:1a2b]}":                             "audit.former_keys[0]: it is shorter",
		"audit: {key: " + longKey + ", former_keys: [" + longKey + "]}": "audit.former_keys[0]: it is there twice",
		"audit: {former_keys: 4242}":                                    "audit.former_keys: what stands there is not a list",
	} {
		_, err := config.Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s = %v, want %q", text, err, want)
		}
		for _, secret := range []string{"canary", longKey, "4242"} {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the key is told: %v", text, err)
			}
		}
	}
	t.Setenv("HERMES_AUDIT_KEY", longKey)
	cfg, err := config.Load(write(t, "database: postgres://h/d\naudit: {former_keys: [lost:1a2b3c4d]}\n"))
	if err != nil || string(cfg.Audit.Key) != longKey || len(cfg.Audit.FormerKeys) != 1 {
		t.Errorf("audit = %+v, %v", cfg.Audit, err)
	}
}

// Flat has every key, and tells secrets apart.
func TestFlatHasEveryKey(t *testing.T) {
	cfg, err := config.Load(write(t, "model: {provider: openai, api_key: sk-one, name: m}\nsources: [{name: shop, dialect: postgres, dsn: \"postgres://u:p@h/d\"}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	flat := cfg.Flat()
	var want []string
	for _, k := range keysOf(reflect.TypeFor[config.Config](), "") {
		section := k
		for len(flat[section]) == 0 && strings.Contains(section, ".") {
			section = section[:strings.LastIndexByte(section, '.')]
		}
		if _, ok := flat[section]; !ok {
			t.Errorf("%s is missing", k)
		}
		want = append(want, section)
	}
	if got := slices.Sorted(maps.Keys(flat)); !slices.Equal(got, slices.Compact(slices.Sorted(slices.Values(want)))) {
		t.Errorf("keys = %q", got)
	}
	other := cfg
	other.Model.APIKey = "sk-two"
	other.Sources = slices.Clone(cfg.Sources)
	other.Sources[0].DSN = "postgres://u:q@h/d"
	for _, key := range []string{"model.api_key", "sources"} {
		if flat[key] == other.Flat()[key] {
			t.Errorf("%s is the same for another secret", key)
		}
	}
	if flat["zone"] != other.Flat()["zone"] {
		t.Error("zone differs")
	}
}
