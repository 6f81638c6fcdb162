package store

import (
	"reflect"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hermes/agent/tool"
	"hermes/internal/redact"
)

// bind hands every value that becomes part of a statement through the Redactor of the
// configuration: this is the one place that all of them pass, whoever writes. What was
// put there for a value that GORM itself looks at stays as it is.
func bind(r *redact.Redactor, stmt *gorm.Statement, v any) {
	last := len(stmt.Vars) - 1
	if r == nil || last < 0 {
		return
	}
	switch was := stmt.Vars[last].(type) {
	case string:
		if s, ok := v.(string); ok && s == was {
			stmt.Vars[last] = string(r.Document([]byte(s)))
		}
	case []byte:
		if b, ok := v.([]byte); ok && len(b) == len(was) {
			stmt.Vars[last] = r.Document(b)
		}
	case nil:
	default:
		if reflect.TypeOf(was) == reflect.TypeOf(v) {
			stmt.Vars[last] = bindNamed(r, was)
		}
	}
}

// bindNamed is a value of a type of ours that is a text or bytes underneath.
func bindNamed(r *redact.Redactor, v any) any {
	rv := reflect.ValueOf(v)
	switch {
	case rv.Kind() == reflect.String:
		return reflect.ValueOf(string(r.Document([]byte(rv.String())))).Convert(rv.Type()).Interface()
	case rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() == reflect.Uint8 && !rv.IsNil():
		return reflect.ValueOf(r.Document(rv.Bytes())).Convert(rv.Type()).Interface()
	case rv.Kind() == reflect.Pointer && rv.Type().Elem().Kind() == reflect.String && !rv.IsNil():
		p := reflect.New(rv.Type().Elem())
		p.Elem().SetString(string(r.Document([]byte(rv.Elem().String()))))
		return p.Interface()
	}
	return v
}

// BindVarTo implements gorm.Dialector.
func (d dialect) BindVarTo(w clause.Writer, stmt *gorm.Statement, v any) {
	bind(d.redact, stmt, v)
	d.Dialector.BindVarTo(w, stmt, v)
}

// server is GORM's PostgreSQL, which writes no secret.
type server struct {
	*postgres.Dialector
	redact *redact.Redactor
}

// BindVarTo implements gorm.Dialector.
func (d server) BindVarTo(w clause.Writer, stmt *gorm.Statement, v any) {
	bind(d.redact, stmt, v)
	d.Dialector.BindVarTo(w, stmt, v)
}

// onServer makes a server of what GORM makes.
func (d *DB) onServer(c postgres.Config) gorm.Dialector {
	return server{&postgres.Dialector{Config: &c}, d.cfg.Redact}
}

// plainly is a text without secrets.
func (d *DB) plainly(s string) string {
	if d.cfg.Redact == nil {
		return s
	}
	return d.cfg.Redact.Text(s)
}

// clean is an artifact as it is kept: its hash is of what is kept.
func (d *DB) clean(a tool.Artifact) tool.Artifact {
	r := d.cfg.Redact
	if r == nil {
		return a
	}
	a.Title, a.Name, a.Recipe = r.Text(a.Title), r.Text(a.Name), r.Text(a.Recipe)
	a.Body, a.Meta = r.Document(a.Body), r.Document(a.Meta)
	return a
}
