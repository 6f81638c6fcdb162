package fakeslack

import (
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
)

// reply is an answer of the Web API without "ok".
type reply map[string]any

// A refusal is an answer with ok:false.
type refusal struct {
	Code string
	More reply
}

func (r *refusal) Error() string {
	if meta, ok := r.More["response_metadata"].(reply); ok {
		if more, ok := meta["messages"].([]string); ok {
			return r.Code + ": " + strings.Join(more, "; ")
		}
	}
	return r.Code
}

func no(code string, more ...string) *refusal {
	r := &refusal{Code: code}
	if len(more) > 0 {
		r.More = reply{"response_metadata": reply{"messages": more}}
	}
	return r
}

// args are the arguments of a call; what was not text is JSON.
type args map[string]string

func (a args) list(key string) []string {
	if a[key] == "" {
		return nil
	}
	return strings.Split(a[key], ",")
}

// words reads a list that is JSON, or words between commas.
func (a args) words(key string) []string {
	var out []string
	if json.Unmarshal([]byte(a[key]), &out) == nil {
		return out
	}
	return a.list(key)
}

func (a args) number(key string, or int) int {
	if n, err := strconv.Atoi(a[key]); err == nil && n > 0 {
		return n
	}
	return or
}

func (a args) yes(key string) bool { return a[key] == "1" || a[key] == "true" }

// A caller is who calls: the token, and whether it came in the header.
type caller struct {
	token  string
	header bool
	json   bool
}

func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("method")
	a, who, err := readArgs(r)
	if err != nil {
		writeJSON(w, http.StatusOK, reply{"ok": false, "error": "invalid_form_data"})
		return
	}
	made := Call{Method: name, Args: a, App: strings.HasPrefix(who.token, "xapp-"), JSON: who.json}
	s.gated(name, a)
	f := s.faultFor(name, a)
	if f != nil && f.stops(w, r, s) {
		made.Error, made.Fault = f.code(), true
		s.record(made)
		return
	}
	if wait := s.limit(name, a); wait > 0 {
		made.Error = "ratelimited"
		s.record(made)
		tooMany(w, wait)
		return
	}
	out, code := s.call(name, who, a)
	made.Error = code
	s.record(made)
	if f != nil && f.after(w, r, s, out) {
		return
	}
	w.Header().Set("X-OAuth-Scopes", s.scopeHeader())
	if m, ok := methods[name]; ok && len(m.scopes) > 0 {
		w.Header().Set("X-Accepted-OAuth-Scopes", strings.Join(m.scopes, ","))
	}
	writeJSON(w, http.StatusOK, out)
}

func (s *Server) scopeHeader() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopeList()
}

// call does a method, and returns its answer and the code if that is an error.
func (s *Server) call(name string, who caller, a args) (reply, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out, bad := s.dispatch(name, who, a)
	if bad != nil {
		out = reply{"ok": false, "error": bad.Code}
		for k, v := range bad.More {
			out[k] = v
		}
		return out, bad.Code
	}
	if out == nil {
		out = reply{}
	}
	out["ok"] = true
	s.touch()
	return out, ""
}

func (s *Server) dispatch(name string, who caller, a args) (reply, *refusal) {
	m, ok := methods[name]
	if !ok {
		return nil, no("unknown_method")
	}
	if !m.open {
		if bad := s.allowed(m, who); bad != nil {
			return nil, bad
		}
	}
	if bad := m.check(a); bad != nil {
		return nil, bad
	}
	return m.do(s, a)
}

// allowed checks a token and its scopes.
func (s *Server) allowed(m method, who caller) *refusal {
	if who.token == "" || m.app && !who.header {
		return no("not_authed")
	}
	if code := s.revoked[who.token]; code != "" {
		return no(code)
	}
	t, ok := s.tokens[who.token]
	switch {
	case !ok:
		return no("invalid_auth")
	case !t.IsZero() && !s.clock.Now().Before(t):
		return no("token_expired")
	case m.app != (who.token == s.opts.AppToken):
		return no("not_allowed_token_type")
	}
	if len(m.scopes) == 0 {
		return nil
	}
	for _, sc := range m.scopes {
		if s.scopes[sc] {
			return nil
		}
	}
	return s.missing(m.scopes[0])
}

func (s *Server) missing(scope string) *refusal {
	return &refusal{"missing_scope", reply{"needed": scope, "provided": s.scopeList()}}
}

// scopeList lists the scopes as Slack writes them.
func (s *Server) scopeList() string {
	var out []string
	for _, sc := range s.opts.Scopes {
		if s.scopes[sc] {
			out = append(out, sc)
		}
	}
	return strings.Join(out, ",")
}

func (s *Server) authTest(args) (reply, *refusal) {
	return reply{
		"url": "https://fake.slack.com/", "team": "Fake", "user": "hermes",
		"team_id": s.opts.Team, "user_id": BotUser, "bot_id": BotID, "is_enterprise_install": false,
	}, nil
}

// readArgs reads a form, a multipart form or JSON, and takes the token out of it.
// With JSON the token stands in the header.
func readArgs(r *http.Request) (args, caller, error) {
	a := args{}
	who := caller{token: strings.TrimSpace(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer"))}
	who.header = who.token != ""
	switch kind := r.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/json"):
		who.json = true
		var body map[string]json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil && err != io.EOF {
			return nil, who, err
		}
		for k, v := range body {
			var text string
			if json.Unmarshal(v, &text) == nil && string(v) != "null" {
				a[k] = text
			} else if string(v) != "null" {
				a[k] = string(v)
			}
		}
		delete(a, "token")
		return a, who, nil
	default:
		if err := r.ParseMultipartForm(1 << 20); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			return nil, who, err
		}
		for k, v := range r.Form {
			a[k] = v[0]
		}
	}
	if a["token"] != "" {
		who.token, who.header = a["token"], false
	}
	delete(a, "token")
	return a, who, nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// part returns the one file of an upload.
func part(f *multipart.Form) (multipart.File, error) {
	for _, hs := range f.File {
		return hs[0].Open()
	}
	return nil, http.ErrMissingFile
}
