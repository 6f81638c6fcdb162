package redact

import "strings"

// A command takes a password as an argument that only its own manual names.
type command struct {
	names []string
	flags []string // what stands before the password, as a word of its own
	glued string   // a flag whose password follows it without a blank
	after string   // what stands between a user and the password in the value; empty: all of it is the password
}

var commands = []command{
	{names: []string{"curl", "curlie"}, flags: []string{"-u", "--user", "-U", "--proxy-user"}, glued: "-u", after: ":"},
	{names: []string{"http", "https", "xh"}, flags: []string{"-a", "--auth"}, after: ":"},
	{names: []string{"lftp"}, flags: []string{"-u"}, after: ","},
	{names: []string{"smbclient", "rpcclient"}, flags: []string{"-U", "--user"}, after: "%"},
	{names: []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mysqlbinlog", "mysqlsh", "mariadb", "mariadb-dump", "mariadb-admin", "mycli"}, glued: "-p"},
	{names: []string{"sshpass"}, flags: []string{"-p"}, glued: "-p"},
	{names: []string{"mongo", "mongosh", "mongodump", "mongorestore", "mongoexport"}, flags: []string{"-p"}},
	{names: []string{"redis-cli"}, flags: []string{"-a", "--pass"}},
	{names: []string{"ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami"}, flags: []string{"-w"}, glued: "-w"},
	{names: []string{"docker login", "podman login", "helm registry login", "az login", "oc login"}, flags: []string{"-p"}},
	{names: []string{"sqlcmd", "bcp"}, flags: []string{"-P"}, glued: "-P"},
	{names: []string{"zip", "unzip"}, flags: []string{"-P"}},
	{names: []string{"7z"}, glued: "-p"},
}

// longestCommand is how far behind its name the arguments of a command are looked at.
const longestCommand = 1024

// commanded are the probes of commands.
func commanded() []probe {
	var all []probe
	for i, c := range commands {
		for _, n := range c.names {
			all = append(all, probe{literal: n + " ", exact: n + " ", look: func(s *scan, from, end int) {
				if s.begins(from) && s.at(from-1) != '-' {
					c.look(s, i, end)
				}
			}})
		}
	}
	return all
}

// look goes through the words behind a command to the end of its line. Words that one of
// its kind has gone through are not gone through again.
func (c command) look(s *scan, kind, at int) {
	if s.told == nil {
		s.told = make([]int, len(commands))
	}
	at = max(at, s.told[kind])
	stop := min(len(s.text), at+longestCommand)
	last := ""
	for at < stop {
		w, next, ends := argument(s, at, stop)
		if ends && w == "" {
			at = next
			break
		}
		c.take(s, last, w, at)
		last, at = w, next
		if ends {
			break
		}
	}
	s.steps += max(0, at-s.told[kind])
	s.told[kind] = max(s.told[kind], at)
}

// argument is the word of a shell at a place, where the next one begins, and whether the
// command ends there.
func argument(s *scan, at, stop int) (w string, next int, ends bool) {
	var quote byte
	i := at
	for i < stop {
		c := s.text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
			if c == '\n' {
				return s.text[at:i], i + 1, true
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '\\' && i+1 < stop && s.text[i+1] == '\n':
			return s.text[at:i], i + 2, false
		case c == '\n' || c == '|' || c == ';' || c == '`':
			return s.text[at:i], i + 1, true
		case c == ' ' || c == '\t':
			return s.text[at:i], i + 1, false
		}
		i++
	}
	return s.text[at:i], i, i >= len(s.text)
}

// take takes the password of a word, if the word before it, or its own beginning, says
// that it is one.
func (c command) take(s *scan, last, w string, at int) {
	from, to := at, at+len(w)
	flagged := false
	for _, f := range c.flags {
		switch {
		case last == f && w != "" && w[0] != '-':
			flagged = true
		case strings.HasPrefix(f, "--") && strings.HasPrefix(w, f+"="):
			flagged, from = true, at+len(f)+1
		}
	}
	// Flags of one letter may stand together: -sSu ana:pass.
	if !flagged && c.glued != "" && len(last) > 2 && last[0] == '-' && last[1] != '-' && last[len(last)-1] == c.glued[1] &&
		c.after != "" && !strings.ContainsAny(last, ":=/.") && w != "" && w[0] != '-' {
		flagged = true
	}
	if !flagged && c.glued != "" && len(w) > len(c.glued) && strings.HasPrefix(w, c.glued) && w[2] != '-' && w[2] != '=' {
		flagged, from = true, at+len(c.glued)
	}
	if !flagged || from >= to {
		return
	}
	if q := s.at(from); (q == '\'' || q == '"') && to-from >= 2 && s.text[to-1] == q {
		from, to = from+1, to-1
	} else if n := strings.IndexAny(s.text[from+1:to], "\"'\\"); n >= 0 {
		to = from + 1 + n // the quote that the whole command stands in
	}
	if c.after != "" {
		_, pass, ok := strings.Cut(s.text[from:to], c.after)
		if !ok {
			return
		}
		from = to - len(pass)
	}
	to = from + firstForeign(s.text[from:to])
	to = s.before(to, from, ".,)")
	if pass := s.text[from:to]; len(pass) < 3 || docWord(pass) || s.marker(from) > from {
		return
	}
	s.add(from, from, to, "password")
}
