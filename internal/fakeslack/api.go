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

func (r *refusal) Error() string { return r.Code }

func no(code string, more ...string) *refusal {
	r := &refusal{Code: code}
	if len(more) > 0 {
		r.More = reply{"response_metadata": reply{"messages": more}}
	}
	return r
}

// A method is one of the Web API. It is called with s.mu held, and its scopes are
// those of which a token needs one.
type method struct {
	scopes []string
	app    bool // wants the app's token
	do     func(s *Server, a args) (reply, *refusal)
}

var methods = map[string]method{
	"auth.test":                    {do: (*Server).authTest},
	"apps.connections.open":        {app: true, do: (*Server).openConnection},
	"chat.postMessage":             {scopes: []string{"chat:write"}, do: (*Server).postMessage},
	"chat.postEphemeral":           {scopes: []string{"chat:write"}, do: (*Server).postEphemeral},
	"chat.update":                  {scopes: []string{"chat:write"}, do: (*Server).updateMessage},
	"chat.delete":                  {scopes: []string{"chat:write"}, do: (*Server).deleteMessage},
	"chat.getPermalink":            {do: (*Server).getPermalink},
	"conversations.list":           {scopes: reads, do: (*Server).conversationsList},
	"conversations.info":           {scopes: reads, do: (*Server).conversationsInfo},
	"conversations.members":        {scopes: reads, do: (*Server).conversationsMembers},
	"conversations.replies":        {scopes: histories, do: (*Server).conversationsReplies},
	"conversations.history":        {scopes: histories, do: (*Server).conversationsHistory},
	"conversations.open":           {scopes: []string{"im:write"}, do: (*Server).conversationsOpen},
	"conversations.join":           {scopes: []string{"channels:join"}, do: (*Server).conversationsJoin},
	"users.info":                   {scopes: []string{"users:read"}, do: (*Server).usersInfo},
	"users.list":                   {scopes: []string{"users:read"}, do: (*Server).usersList},
	"users.conversations":          {scopes: reads, do: (*Server).usersConversations},
	"reactions.add":                {scopes: []string{"reactions:write"}, do: (*Server).reactionsAdd},
	"reactions.remove":             {scopes: []string{"reactions:write"}, do: (*Server).reactionsRemove},
	"files.getUploadURLExternal":   {scopes: []string{"files:write"}, do: (*Server).filesGetUploadURL},
	"files.completeUploadExternal": {scopes: []string{"files:write"}, do: (*Server).filesComplete},
	"files.info":                   {scopes: []string{"files:read"}, do: (*Server).filesInfo},
	"views.open":                   {do: (*Server).viewsOpen},
	"views.update":                 {do: (*Server).viewsUpdate},
	"views.publish":                {do: (*Server).viewsPublish},
	"assistant.threads.setStatus":  {scopes: []string{"assistant:write", "chat:write"}, do: (*Server).threadStatus},
	"agents.sessions.setStatus":    {scopes: []string{"chat:write"}, do: (*Server).sessionStatus},
}

var (
	reads     = []string{"channels:read", "groups:read", "im:read", "mpim:read"}
	histories = []string{"channels:history", "groups:history", "im:history", "mpim:history"}
)

// args are the arguments of a call; what was not text is JSON.
type args map[string]string

func (a args) list(key string) []string {
	if a[key] == "" {
		return nil
	}
	return strings.Split(a[key], ",")
}

func (a args) number(key string, or int) int {
	if n, err := strconv.Atoi(a[key]); err == nil && n > 0 {
		return n
	}
	return or
}

func (a args) yes(key string) bool { return a[key] == "1" || a[key] == "true" }

func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("method")
	a, token, err := readArgs(r)
	if err != nil {
		writeJSON(w, http.StatusOK, reply{"ok": false, "error": "invalid_form_data"})
		return
	}
	s.gated(name, a)
	f := s.faultFor(name, a)
	if f != nil && f.Delay > 0 && !s.hold(r, f.Delay) {
		return
	}
	if f != nil && f.before() {
		s.record(name, a, f.code(), true)
		f.write(w)
		return
	}
	out, code := s.call(name, token, a)
	s.record(name, a, code, false)
	switch {
	case f != nil && f.Cut:
		cut(w)
	case f != nil && f.Body != "":
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, f.Body)
	default:
		w.Header().Set("X-OAuth-Scopes", s.scopeHeader())
		writeJSON(w, http.StatusOK, out)
	}
}

// hold lets a call wait, by the Server's clock, and reports whether the caller is
// still there.
func (s *Server) hold(r *http.Request, d faultDelay) bool {
	over := make(chan struct{})
	stop := s.clock.AfterFunc(d, func() { close(over) })
	defer stop()
	select {
	case <-over:
		return true
	case <-r.Context().Done():
		return false
	}
}

func (s *Server) scopeHeader() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopeList()
}

func (s *Server) record(name string, a args, code string, fault bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{name, a, s.clock.Now(), code, fault})
	s.touch()
}

// call does a method, and returns its answer and the code if that is an error.
func (s *Server) call(name, token string, a args) (reply, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out, bad := s.dispatch(name, token, a)
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

func (s *Server) dispatch(name, token string, a args) (reply, *refusal) {
	m, ok := methods[name]
	if !ok {
		return nil, no("unknown_method")
	}
	if token == "" {
		return nil, no("not_authed")
	}
	if code := s.revoked[token]; code != "" {
		return nil, no(code)
	}
	switch {
	case token != AppToken && token != BotToken:
		return nil, no("invalid_auth")
	case m.app != (token == AppToken):
		return nil, no("not_allowed_token_type")
	}
	if len(m.scopes) > 0 {
		has := false
		for _, sc := range m.scopes {
			has = has || s.scopes[sc]
		}
		if !has {
			return nil, s.missing(m.scopes[0])
		}
	}
	return m.do(s, a)
}

func (s *Server) missing(scope string) *refusal {
	return &refusal{"missing_scope", reply{"needed": scope, "provided": s.scopeList()}}
}

func (s *Server) authTest(args) (reply, *refusal) {
	return reply{
		"url": "https://fake.slack.com/", "team": "Fake", "user": "hermes",
		"team_id": Team, "user_id": BotUser, "bot_id": BotID, "is_enterprise_install": false,
	}, nil
}

// readArgs reads a form, a multipart form or JSON, and takes the token out of it.
func readArgs(r *http.Request) (args, string, error) {
	a := args{}
	token := strings.TrimSpace(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer"))
	switch kind := r.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/json"):
		var body map[string]json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil && err != io.EOF {
			return nil, "", err
		}
		for k, v := range body {
			var text string
			if json.Unmarshal(v, &text) == nil {
				a[k] = text
			} else if string(v) != "null" {
				a[k] = string(v)
			}
		}
	default:
		if err := r.ParseMultipartForm(1 << 20); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			return nil, "", err
		}
		for k, v := range r.Form {
			a[k] = v[0]
		}
	}
	if a["token"] != "" {
		token = a["token"]
		delete(a, "token")
	}
	return a, token, nil
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
