package fakeslack

import (
	"encoding/json"
	"io"
	"net/http"
)

func (s *Server) wireFile(f *File) reply {
	return reply{
		"id": f.ID, "name": f.Name, "title": f.Title, "size": f.Size, "user": BotUser,
		"permalink":            "https://fake.slack.com/files/" + BotUser + "/" + f.ID + "/" + f.Name,
		"url_private_download": s.URL() + "/files/" + f.ID + "/" + f.Name,
	}
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
	defer s.mu.Unlock()
	f := s.file(r.PathValue("file"))
	if err != nil || f == nil || len(b) != f.Length {
		http.Error(w, "size does not match", http.StatusBadRequest)
		return
	}
	f.Bytes, f.Size = b, len(b)
	s.touch()
	_, _ = io.WriteString(w, "OK - "+f.ID)
}

func (s *Server) serveDownload(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	f := s.file(r.PathValue("file"))
	s.mu.Unlock()
	if f == nil || r.Header.Get("Authorization") != "Bearer "+BotToken {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!DOCTYPE html><html><body>Sign in to Slack</body></html>")
		return
	}
	_, _ = w.Write(f.Bytes)
}

func (s *Server) filesComplete(a args) (reply, *refusal) {
	var list []struct{ ID, Title string }
	if json.Unmarshal([]byte(a["files"]), &list) != nil || len(list) == 0 {
		return nil, no("invalid_arguments")
	}
	m := Message{User: BotUser, BotID: BotID, Subtype: "file_share", Text: a["initial_comment"]}
	var out []reply
	for _, l := range list {
		f := s.file(l.ID)
		if f == nil || f.Bytes == nil {
			return nil, no("file_not_found")
		}
		if f.Channel != "" {
			return nil, no("file_update_failed")
		}
		f.Title = l.Title
		m.Files = append(m.Files, *f)
		out = append(out, s.wireFile(f))
	}
	if a["channel_id"] != "" {
		c, bad := s.target(a["channel_id"])
		if bad != nil {
			return nil, bad
		}
		p := s.put(c, m, a["thread_ts"])
		for i := range p.Files {
			p.Files[i].Channel, p.Files[i].Thread = c.ID, p.ThreadTS
			f := s.file(p.Files[i].ID)
			f.Channel, f.Thread = c.ID, p.ThreadTS
		}
	}
	return reply{"files": out}, nil
}

func (s *Server) filesInfo(a args) (reply, *refusal) {
	f := s.file(a["file"])
	if f == nil {
		return nil, no("file_not_found")
	}
	return reply{"file": s.wireFile(f)}, nil
}
