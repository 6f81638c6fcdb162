package config_test

import (
	"strings"
	"testing"

	"hermes/config"
)

// A variable of ours that nothing reads is a fault with the name that is near, beside
// those of the file; its value is not told. What others read is left alone.
func TestAnUnknownVariableIsAFault(t *testing.T) {
	for kv, hint := range map[string]string{
		"HERMES_MODEL_TEMPRATURE=s3cret": "did you mean HERMES_MODEL_TEMPERATURE?", "HERMES_ADMIN=s3cret": "did you mean HERMES_ADMINS?",
		"HERMES_LOOP_REPEAT_WINDOWS=s3cret": "did you mean HERMES_LOOP_REPEAT_WINDOW?", "HERMES_MODEL_PRICE_PROMPT_PER1K=s3cret": "did you mean HERMES_MODEL_PRICE_PROMPT_PER_1K?",
		"HERMES_SLACK_BOT_TOKE=s3cret": "did you mean HERMES_SLACK_BOT_TOKEN?", "HERMES_ANYTHING_ELSE_AT_ALL=s3cret": "`hermes init --print` shows all keys",
	} {
		name, _, _ := strings.Cut(kv, "=")
		_, err := config.Load(write(t, "zone: X\n"), "PATH=/bin", kv)
		if err == nil || !strings.Contains(err.Error(), "config: "+name+": no such key") || !strings.Contains(err.Error(), hint) || !strings.Contains(err.Error(), "config: zone:") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	known := []string{
		"HERMES_MODEL_TEMPRATURE=", "HERMES_MODEL_TEMPERATURE=0.3", "HERMES_MODEL_API_KEY=k", "HERMES_SLACK_APP_TOKEN=a", "HERMES_EXEC_BACKOFF_BASE=1s",
		"HERMES_TEST_POSTGRES=p", "HERMES_SLACK_SCHEMA=f", "HERMES_SLACK_VIOLATIONS=f", "HERMES_SHOTS=d", "HERMES_SHARED=d", "HERMESX=1", "OTHER=1",
		"HERMES_SERVICE_HOST=10.0.0.1", "HERMES_SERVICE_PORT=80", "HERMES_SERVICE_PORT_HTTP=80", "HERMES_PORT=tcp://10.0.0.1:80", "HERMES_PORT_80_TCP=x",
		"HERMES_WEB_PORT_8484_TCP_ADDR=10.0.0.1", "HERMES_WEB_SERVICE_HOST=10.0.0.1",
	}
	if _, err := config.Load("", known...); err != nil {
		t.Errorf("what is read, here or elsewhere: %v", err)
	}
}

// An unknown end comes with the other faults of a file.
func TestAnUnknownEndComesWithTheOthers(t *testing.T) {
	_, err := config.Load(write(t, "zone: X\nloop: {profiles: [{name: qa, ends: [done, happy]}]}\n"))
	if err == nil || !strings.Contains(err.Error(), `"happy" is no status`) || !strings.Contains(err.Error(), "config: zone:") || !strings.Contains(err.Error(), "budget_exceeded, config_blocked") {
		t.Errorf("error = %v", err)
	}
}
