package main

import (
	"log/slog"

	"hermes/agent"
	"hermes/agent/decision"
	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/openai"
	"hermes/agent/llm/rules"
	"hermes/agent/llm/steady"
	"hermes/config"
)

// models are the configured language models with the built-in rules behind them, or
// the rules alone.
func (h *hermes) models() *agent.Models {
	var members []agent.Member
	for _, e := range h.cfg.Endpoints() {
		form := decision.Native
		if e.DecisionFormat != "auto" {
			form = decision.Form(e.DecisionFormat)
		}
		m := agent.Member{Model: discreet{endpoint(e, h.log), h.redact}, Form: form}
		if e.Price != (config.Price{}) {
			m.Price = priceOf(e).Of
		}
		members = append(members, m)
	}
	members = append(members, agent.Member{Model: discreet{h.rules(), h.redact}, Rules: true, Revise: rules.Revise})
	return agent.NewModels(h.now, members...)
}

// endpoint is one language model, steadied.
func endpoint(e config.Endpoint, log *slog.Logger) llm.Model {
	var m llm.Model
	switch e.Provider {
	case "anthropic":
		m = anthropic.New(anthropic.Config{
			BaseURL: e.BaseURL, APIKey: string(e.APIKey), Model: e.Name, Timeout: e.Timeout, FirstByte: e.FirstByte,
			MaxTokens: e.MaxTokens, Temperature: &e.Temperature, ReasoningMaxTokens: e.ReasoningMaxTokens,
		}, log)
	default:
		m = openai.New(openai.Config{
			BaseURL: e.BaseURL, APIKey: string(e.APIKey), Model: e.Name, Timeout: e.Timeout, FirstByte: e.FirstByte,
			MaxTokens: e.MaxTokens, Temperature: &e.Temperature, ReasoningMaxTokens: e.ReasoningMaxTokens,
		}, log)
	}
	return steady.New(m, steady.Config{
		Total: e.Total, Attempts: e.Attempts, Jitter: 0.2, RPS: e.RPS, AtOnce: e.AtOnce,
		Price: priceOf(e),
	}, log)
}

func priceOf(e config.Endpoint) steady.Price {
	return steady.Price{In: e.Price.Prompt, Out: e.Price.Completion, Cached: e.Price.Cached}
}
