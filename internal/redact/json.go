package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// JSON is Text for the strings of a JSON document, names of members too. The names of
// its own members announce nothing: {"token":"a1b2c3d4"} may be any note of a program.
// Every other byte stays, so that what has no secret keeps its hash. What is no JSON is
// taken as a text.
func (r *Redactor) JSON(b []byte) []byte {
	if !json.Valid(b) {
		return r.Bytes(b)
	}
	return r.strings(b)
}

// strings does so for JSON that is valid.
func (r *Redactor) strings(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u`)) && !bytes.Contains(b, []byte(`\/`)) && len(r.find(string(b))) == 0 {
		return b
	}
	var out bytes.Buffer
	at := 0
	for i := 0; i < len(b); i++ {
		if b[i] != '"' {
			continue
		}
		end := i + 1
		for ; b[end] != '"'; end++ {
			if b[end] == '\\' {
				end++
			}
		}
		said, err := string(b[i+1:end]), error(nil)
		if strings.Contains(said, `\`) || !utf8.ValidString(said) {
			err = json.Unmarshal(b[i:end+1], &said)
		}
		if err == nil {
			if clean := r.Text(said); clean != said {
				out.Write(b[at:i])
				out.Write(quoted(clean))
				at = end + 1
			}
		}
		i = end
	}
	if at == 0 {
		return b
	}
	out.Write(b[at:])
	return out.Bytes()
}

// quoted is a string of JSON.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Document is JSON for what looks like a document, an object or a list, and Bytes for
// all else. It is for those who do not know what they keep.
func (r *Redactor) Document(b []byte) []byte {
	if t := bytes.TrimSpace(b); len(t) > 1 && (t[0] == '{' || t[0] == '[') && json.Valid(t) {
		return r.strings(b)
	}
	return r.Bytes(b)
}
