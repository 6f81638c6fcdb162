package config

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"hermes/internal/slip"
)

const ours = "HERMES_"

var (
	// elsewhere are variables of ours that tests and tools read.
	elsewhere = regexp.MustCompile(`^HERMES_(?:TEST_\w*|SLACK_SCHEMA|SLACK_VIOLATIONS|SHOTS|SHARED)$`)
	// ofCluster are those that Kubernetes sets for a service whose name begins as ours,
	// as its documentation of services has them.
	ofCluster = regexp.MustCompile(`^HERMES_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$`)
)

// variables finds the variables of an environment that look like ours and mean
// nothing. One that is empty is as good as unset. Their values are not told.
func (r *reading) variables(environ []string) {
	known := map[string]bool{}
	for _, key := range leaves(reflect.TypeFor[Config](), "") {
		known[ours+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = true
	}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if value == "" || !strings.HasPrefix(name, ours) || known[name] || elsewhere.MatchString(name) || ofCluster.MatchString(name) {
			continue
		}
		f := Fault{Key: name, Wrong: "no such key in the environment", Hint: "`hermes init --print` shows all keys: HERMES_WEB_ADDR is web.addr, and so on"}
		least := 5
		for _, k := range slices.Sorted(maps.Keys(known)) {
			if d := slip.Between([]byte(name), []byte(k)); d < least {
				f.Hint, least = fmt.Sprintf("did you mean %s?", k), d
			}
		}
		r.faults = append(r.faults, f)
	}
}

// leaves are the full names of the keys that hold values.
func leaves(t reflect.Type, at string) (keys []string) {
	for name, ft := range fieldsOf(t) {
		if ft.Kind() == reflect.Struct {
			keys = append(keys, leaves(ft, at+name+".")...)
			continue
		}
		keys = append(keys, at+name)
	}
	return keys
}
