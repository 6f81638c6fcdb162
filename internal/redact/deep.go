package redact

import (
	"encoding/json"
	"reflect"
)

var rawType = reflect.TypeFor[json.RawMessage]()

// Deep returns v without secrets in its strings and bytes, however deep in exported
// fields, lists, maps and pointers they stand. v itself is not changed. JSON in
// json.RawMessage stays JSON. v must not hold itself.
func Deep[T any](r *Redactor, v T) T {
	out := reflect.ValueOf(&v).Elem()
	out.Set(r.deep(out))
	return v
}

func (r *Redactor) deep(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		if clean := r.Text(v.String()); clean != v.String() {
			out := reflect.New(v.Type()).Elem()
			out.SetString(clean)
			return out
		}
	case reflect.Slice:
		return r.deepSlice(v)
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if f := out.Field(i); f.CanSet() {
				f.Set(r.deep(f))
			}
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for k, e := range v.Seq2() {
			out.SetMapIndex(r.deep(k), r.deep(e))
		}
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(r.deep(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(r.deep(v.Elem()))
		return out
	}
	return v
}

func (r *Redactor) deepSlice(v reflect.Value) reflect.Value {
	switch {
	case v.IsNil():
		return v
	case v.Type() == rawType:
		return reflect.ValueOf(json.RawMessage(r.JSON(v.Bytes())))
	case v.Type().Elem().Kind() == reflect.Uint8:
		clean := reflect.ValueOf(r.Document(v.Bytes()))
		return clean.Convert(v.Type())
	}
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		out.Index(i).Set(r.deep(v.Index(i)))
	}
	return out
}
