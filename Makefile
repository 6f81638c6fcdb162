# The release build: one static binary.
GO ?= go
export CGO_ENABLED = 0

.PHONY: build test lint clean
build:
	$(GO) build -trimpath -ldflags "-s -w" -o bin/hermes ./cmd/hermes

# The race detector needs cgo, the only thing here that does.
test:
	CGO_ENABLED=1 $(GO) test -race -shuffle=on ./...

lint:
	$(GO) build -C tools -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	bin/golangci-lint run ./...

clean:
	rm -rf bin
