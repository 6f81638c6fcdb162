package fakeslack

import "time"

// tokenLife is how long a rotated token is good.
const tokenLife = 12 * time.Hour

// oauthAccess gives a new token for a refresh token, which is good once. The token
// before it stays good until its time is over.
func (s *Server) oauthAccess(a args) (reply, *refusal) {
	switch {
	case a["client_id"] == "" || a["client_secret"] == "":
		return nil, no("bad_client_secret")
	case a["client_id"] != ClientID:
		return nil, no("invalid_client_id")
	case a["client_secret"] != ClientSecret:
		return nil, no("bad_client_secret")
	case a["grant_type"] != "refresh_token":
		return nil, no("invalid_grant_type")
	case a["refresh_token"] != s.refresh:
		return nil, no("invalid_refresh_token")
	}
	token := "xoxe.xoxb-1-" + s.id("t")
	s.refresh = "xoxe-1-" + s.id("r")
	s.tokens[token] = s.clock.Now().Add(tokenLife)
	return reply{
		"access_token": token, "refresh_token": s.refresh, "token_type": "bot", "expires_in": int(tokenLife.Seconds()),
		"scope": s.scopeList(), "bot_user_id": BotUser, "app_id": App, "is_enterprise_install": false,
		"team": reply{"id": s.opts.Team, "name": "Fake"}, "enterprise": nil,
	}, nil
}

// Expire makes the token with which an app began good for another d only, as when
// rotation is turned on.
func (s *Server) Expire(token string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tokens[token]; ok {
		s.tokens[token] = s.clock.Now().Add(d)
	}
}

func (s *Server) authRevoke(a args) (reply, *refusal) {
	if a.yes("test") {
		return reply{"revoked": false}, nil
	}
	s.revoked[s.opts.BotToken] = "token_revoked"
	return reply{"revoked": true}, nil
}

// Uninstall takes the app out of the workspace: its token is refused from now on,
// and it is told so.
func (s *Server) Uninstall() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked[s.opts.BotToken] = "account_inactive"
	s.event(reply{"type": "tokens_revoked", "tokens": reply{"oauth": []string{}, "bot": []string{BotUser}}, "event_ts": s.ts()})
	s.event(reply{"type": "app_uninstalled", "event_ts": s.ts()})
	s.touch()
}

func (s *Server) eventAuthorizations(a args) (reply, *refusal) {
	if a["event_context"] != eventContext {
		return nil, no("invalid_event_context")
	}
	return reply{"authorizations": s.authorizations()}, nil
}
