package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"hermes/agent/llm"
	"hermes/config"
)

// checkModel asks a model for one word. Its hint names the keys under which it is
// configured.
func checkModel(ctx context.Context, key string, e config.Endpoint, s *shell) (hint string, err error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	e.Timeout, e.Total, e.Attempts = checkTime, checkTime, 1
	_, err = endpoint(e, s.logger("error")).Generate(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Say ok."}}})
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, llm.ErrRejected):
		return key + ".api_key is wrong, or OPENAI_API_KEY or ANTHROPIC_API_KEY where it is empty", err
	case errors.Is(err, llm.ErrBusy):
		// To the agent whatever may pass is busy; who sets it up must know more.
		if fault := unreached(ctx, e.BaseURL); fault != nil {
			return "start the server that should be there, or mend " + key + ".base_url", fault
		}
		return "it was reached; try again, and if it stays so look at the vendor's status and your limits there", err
	}
	return key + ".base_url and " + key + ".name say which model is asked", err
}

// unreached says why nothing can be sent to a URL, if it is that. Through a proxy
// nobody knows.
func unreached(ctx context.Context, base string) error {
	u, err := url.Parse(base)
	if err != nil {
		return errors.New("it is not a URL")
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u})
	if err != nil {
		return fmt.Errorf("the proxy that the environment names: %w", err)
	}
	if proxy != nil || u.Host == "" {
		return nil
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err == nil {
		_ = conn.Close() // it was only tried
		return nil
	}
	var name *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nobody listens at %s", u.Host)
	case errors.As(err, &name) && name.IsNotFound:
		return fmt.Errorf("there is no host %s", u.Hostname())
	}
	return fmt.Errorf("%s does not answer: %w", u.Host, err)
}
