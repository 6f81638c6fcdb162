package main

import (
	"context"
	"strings"
	"time"

	"hermes/bot"
	"hermes/config"
)

// policy is the configuration's, in the words of the bot.
func policy(p config.Policy) bot.Policy {
	return bot.Policy{
		Guests: bot.Access(p.Guests), External: bot.Access(p.External), Bots: bot.Access(p.Bots),
		BotTurns: p.BotTurns, Users: p.Users, Channels: p.Channels,
	}
}

// console is where people find the console: those of a chat platform are not at this
// machine.
func (h *hermes) console() string {
	switch {
	case len(h.cfg.AllWorkspaces()) > 0:
		return ""
	case h.cfg.Web.URL != "":
		return h.cfg.Web.URL
	}
	return "http://" + h.cfg.Web.Addr
}

// member reports whether a person is of their workspace, and no guest of it: what the
// team has told is for members. Where nobody can say, it is no.
func (h *hermes) member(ctx context.Context, person string) bool {
	platform, _, _ := strings.Cut(person, ":")
	k, ok := h.chats[platform].(bot.Knower)
	if !ok {
		return false
	}
	s, err := k.Standing(ctx, person)
	if err != nil && ctx.Err() == nil {
		h.log.Warn("nobody can say what a person is; they are told nothing of the team", "person", person, "err", err)
	}
	return err == nil && s == bot.Member
}

// teamNow is team for who shows lists, which waits for nobody for long.
func (h *hermes) teamNow(person string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return h.team(ctx, person)
}
