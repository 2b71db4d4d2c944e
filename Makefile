# Everything here also runs by hand; CI runs .ci/run.
# executions, not seconds: a deadline that falls into a run fails it (go.dev/issue/75804)
FUZZTIME ?= 20000x

BENCH = go test -run '^$$' -bench '^Benchmark(Tick|Engine)$$' -benchtime 60x -count 6 . ./bench

.PHONY: build test race bench baseline benchall rules fuzz lint portable

build:
	go build ./...

test:
	go test ./...

race:
	go test -race ./...

# ticks, compared with the stored ones: mind that those are of another machine, or
# hour, unless you wrote them: see docs/measuring.md
bench:
	$(BENCH) | tee bench.txt
	go tool benchstat bench/baseline.txt bench.txt

baseline:
	$(BENCH) | tee bench.txt
	mv bench.txt bench/baseline.txt

# everything that is measured
benchall:
	go test -run '^$$' -bench . . ./space ./systems/... ./wire/... ./capture ./replay ./bench ./record
	go run ./cmd/bench

# the rules register, written anew
rules:
	go test ./docs -update

# every fuzz target in turn, FUZZTIME executions each
fuzz:
	@grep -r '^func Fuzz' --include=*_test.go . | sed -E 's|/[^/]*:func (Fuzz[A-Za-z0-9_]*).*| \1|' | LC_ALL=C sort | \
	while read pkg target; do \
		echo "$$pkg $$target"; \
		go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg </dev/null || exit 1; \
	done

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

# one answer on every machine: needs qemu-user for the foreign ones
portable:
	.ci/portable
