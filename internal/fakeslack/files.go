package fakeslack

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// A File is what was uploaded, by the app or by a person.
type File struct {
	ID, Name, Title string
	Size            int
	Bytes           []byte
	Channel, Thread string // where it was shared; empty if it was not
	Length          int    // as announced
	User            string // who uploaded it; the bot if empty
	Mime            string // by its name if empty
	Deleted         bool
}

// Files returns the files that were uploaded in full.
func (s *Server) Files() []File {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []File
	for _, f := range s.files {
		if f.Bytes != nil {
			out = append(out, *f)
		}
	}
	return out
}

// Attach posts files with a text. Of a File its Name and Bytes are enough.
func (h Human) Attach(channel, thread, text string, files ...File) (Message, error) {
	s := h.s
	s.mu.Lock()
	c, err := h.room(channel)
	if err != nil {
		s.mu.Unlock()
		return Message{}, err
	}
	m := Message{Text: text, Subtype: "file_share"}
	for _, f := range files {
		f.ID, f.User, f.Size, f.Length, f.Channel, f.Thread = s.id("F"), h.id, len(f.Bytes), len(f.Bytes), c.ID, thread
		if f.Title == "" {
			f.Title = f.Name
		}
		s.files = append(s.files, &f)
		m.Files = append(m.Files, f)
	}
	s.mu.Unlock()
	return h.Send(channel, thread, m)
}

// DeleteFile takes a file away. Its message stays, and shows that it was there.
func (s *Server) DeleteFile(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.file(id); f != nil {
		f.Deleted = true
	}
	s.touch()
}

func (s *Server) wireFile(f *File) reply {
	if f.Deleted {
		return reply{"id": f.ID, "mode": "tombstone"}
	}
	user, kind := f.User, f.Mime
	if user == "" {
		user = BotUser
	}
	ext := strings.TrimPrefix(path.Ext(f.Name), ".")
	if kind == "" {
		if kind, _, _ = strings.Cut(mime.TypeByExtension(path.Ext(f.Name)), ";"); kind == "" {
			kind = "application/octet-stream"
		}
	}
	address := s.URL() + "/files/" + f.ID + "/" + f.Name
	shares := reply{}
	for _, m := range s.messages {
		if m.Deleted || !slices.ContainsFunc(m.Files, func(in File) bool { return in.ID == f.ID }) {
			continue
		}
		at := reply{"ts": m.TS}
		if m.ThreadTS != "" {
			at["thread_ts"] = m.ThreadTS
		}
		kind := "public"
		if c := s.channel(m.Channel); c == nil || c.kind() != "channel" {
			kind = "private"
		}
		in, _ := shares[kind].(reply)
		if in == nil {
			in = reply{}
			shares[kind] = in
		}
		list, _ := in[m.Channel].([]reply)
		in[m.Channel] = append(list, at)
	}
	return reply{
		"shares": shares,
		"id":     f.ID, "name": f.Name, "title": f.Title, "size": f.Size, "user": user, "mimetype": kind, "filetype": ext,
		"pretty_type": strings.ToUpper(ext), "mode": "hosted", "is_external": false, "is_public": true, "file_access": "visible",
		"permalink":   "https://fake.slack.com/files/" + user + "/" + f.ID + "/" + f.Name,
		"url_private": address, "url_private_download": address,
	}
}

// wireFiles are the files of a message in an event. In a channel that another
// workspace shares the app has to ask what they are.
func (s *Server) wireFiles(m *Message, c *Channel) []reply {
	var out []reply
	for _, f := range m.Files {
		if now := s.file(f.ID); now != nil {
			f = *now
		}
		if c != nil && c.Shared && s.user(f.User).stranger(s) {
			out = append(out, reply{"id": f.ID, "file_access": "check_file_info", "created": 0, "timestamp": 0, "user": f.User})
			continue
		}
		out = append(out, s.wireFile(&f))
	}
	return out
}

func (s *Server) file(id string) *File {
	for _, f := range s.files {
		if f.ID == id {
			return f
		}
	}
	return nil
}

func (s *Server) filesGetUploadURL(a args) (reply, *refusal) {
	n := a.number("length", 0)
	if a["filename"] == "" || n == 0 {
		return nil, no("invalid_arguments")
	}
	f := &File{ID: s.id("F"), Name: a["filename"], Length: n}
	s.files = append(s.files, f)
	return reply{"upload_url": s.URL() + "/upload/" + f.ID, "file_id": f.ID}, nil
}

// serveUpload takes the bytes of a file, as a form or as they are.
func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request) {
	f := s.faultFor("upload", nil)
	if f != nil && f.stops(w, r, s) {
		return
	}
	var body io.Reader = r.Body
	if r.ParseMultipartForm(32<<20) == nil {
		p, err := part(r.MultipartForm)
		if err != nil {
			http.Error(w, "no file", http.StatusBadRequest)
			return
		}
		defer func() { _ = p.Close() }() // it has been read
		body = p
	}
	b, err := io.ReadAll(body)
	s.mu.Lock()
	up := s.file(r.PathValue("file"))
	ok := err == nil && up != nil && len(b) == up.Length && up.Channel == ""
	if ok {
		up.Bytes, up.Size = b, len(b)
		s.touch()
	}
	s.mu.Unlock()
	switch {
	case !ok:
		http.Error(w, "size does not match", http.StatusBadRequest)
	case f != nil && f.Cut:
		cut(w)
	default:
		_, _ = io.WriteString(w, "OK - "+up.ID)
	}
}

// serveDownload gives a file to who shows the token in the header, and sends anybody
// else to the page where people sign in.
func (s *Server) serveDownload(w http.ResponseWriter, r *http.Request) {
	if f := s.faultFor("download", nil); f != nil && (f.stops(w, r, s) || f.after(w, r, s, reply{})) {
		return
	}
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	f := s.file(r.PathValue("file"))
	bad := s.allowed(methods["files.info"], caller{token: token, header: true})
	gone := f == nil || f.Deleted || f.Bytes == nil
	var kind string
	var b []byte
	if !gone {
		kind, _ = s.wireFile(f)["mimetype"].(string)
		b = f.Bytes
	}
	s.mu.Unlock()
	switch {
	case !bearer || bad != nil:
		http.Redirect(w, r, "/signin?redir="+r.URL.Path, http.StatusFound)
	case gone:
		http.Error(w, "file_not_found", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(b)
	}
}

func serveSignIn(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to Slack</body></html>")
}

// filesComplete shares what was uploaded, once.
func (s *Server) filesComplete(a args) (reply, *refusal) {
	var list []struct{ ID, Title string }
	if json.Unmarshal([]byte(a["files"]), &list) != nil || len(list) == 0 {
		return nil, no("invalid_arguments")
	}
	m := Message{User: BotUser, BotID: BotID, AppID: App, Subtype: "file_share", Text: a["initial_comment"]}
	if a["blocks"] != "" {
		if a["initial_comment"] != "" {
			return nil, no("invalid_arguments", "[ERROR] initial_comment and blocks exclude each other")
		}
		blocks, bad := checkBlocks(a["blocks"], messageBlocks)
		if bad != nil {
			return nil, bad
		}
		m.Blocks = blocks
	}
	where := a["channel_id"]
	if where == "" {
		where = a["channels"]
	}
	if strings.Contains(where, ",") && a["thread_ts"] != "" {
		return nil, no("invalid_arguments", "[ERROR] thread_ts goes with one channel")
	}
	var to []*Channel
	for _, name := range (args{"c": where}).list("c") {
		if s.user(name) != nil {
			return nil, no("channel_not_found")
		}
		c, bad := s.target(name)
		if bad != nil {
			return nil, bad
		}
		to = append(to, c)
	}
	var files []*File
	for _, l := range list {
		f := s.file(l.ID)
		if f == nil || f.Bytes == nil || f.User != "" {
			return nil, no("file_not_found")
		}
		if f.Channel != "" {
			return nil, no("file_update_failed")
		}
		files = append(files, f)
	}
	out := []reply{}
	for i, f := range files {
		f.Title = list[i].Title
		out = append(out, s.wireFile(f))
	}
	for _, c := range to {
		in := m
		for _, f := range files {
			f.Channel, f.Thread = c.ID, a["thread_ts"]
			in.Files = append(in.Files, *f)
		}
		s.put(c, in, a["thread_ts"])
	}
	return reply{"files": out}, nil
}

func (s *Server) filesInfo(a args) (reply, *refusal) {
	f := s.file(a["file"])
	switch {
	case f == nil:
		return nil, no("file_not_found")
	case f.Deleted:
		return nil, no("file_deleted")
	}
	return reply{"file": s.wireFile(f), "comments": []reply{}}, nil
}

func (s *Server) filesDelete(a args) (reply, *refusal) {
	f := s.file(a["file"])
	switch {
	case f == nil:
		return nil, no("file_not_found")
	case f.Deleted:
		return nil, no("file_deleted")
	case f.User != "":
		return nil, no("cant_delete_file")
	}
	f.Deleted = true
	return nil, nil
}
