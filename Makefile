# Everything here also runs by hand; CI runs .ci/run.
# executions, not seconds: a deadline that falls into a run fails it (go.dev/issue/75804)
FUZZTIME ?= 20000x

.PHONY: build test race bench fuzz lint portable

build:
	go build ./...

test:
	go test ./...

race:
	go test -race ./...

bench:
	go test -run '^$$' -bench . ./space ./systems/... ./wire/... ./capture ./replay ./bench
	go run ./cmd/bench

# every fuzz target in turn, FUZZTIME executions each
fuzz:
	@for pkg in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg || exit 1; \
		done; \
	done

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

# one answer on every machine: needs qemu-user for the foreign ones
portable:
	.ci/portable
