# Everything a person or a machine runs. `make test` needs Go, git, make, gcc (for the race detector), npm (for the web
# app), and a browser, which it installs: KROW_NO_BROWSER=1 does without. `make check` needs Go and git, and takes under a
# minute when its caches are warm.

# One way to compile: what the tests, the linters and the clones of the project have built is built once.
export GOFLAGS := $(GOFLAGS) -trimpath
# The limit is for tests that hang, on a machine however slow. lint vets.
# Without DWARF a hundred test binaries link in two thirds of the time.
TEST := go test -timeout 1h -vet=off -ldflags=-w
# With go tool, which hears no -trimpath, they would compile the standard library once more.
TOOL := go run -modfile=tools/tools.mod
# The race detector looks at packages with goroutines: at all their tests, and of engines and searches at those with threads.
RACE := ./arena ./server/live ./server/gate ./server/lobby ./server/club ./server/tournament ./server/league ./server/bots ./search/tt ./cli/tui ./internal/atomicfile ./learn/genetic ./learn/target ./research
# Of Gomocup's those are left out that ask programs one thing after the other.
RACE_GOMOCUP := -skip 'TestCheck|TestProgramIsPatient' ./player/gomocup
RACE_THREADS := -run 'Threads|Time$$|Lines|Cancelled|LateClock|Distances' ./search/mics ./engine/ultimate ./engine/gomoku ./engine/connect4 ./engine/mnk

# The packages whose tests take longest begin first. Those of the cluster mostly wait.
DEAR := ./cli ./docs ./server/cluster ./server/api ./tools/checker ./research/published

# SQLite is C turned into Go: it locks for itself, and to watch its every access takes longer than all the rest.
RACE_TEST = $(TEST) -race -short -gcflags='modernc.org/...=-race=false -d=checkptr=0'

# Packages with files for other systems and processors, which must compile there as well.
OTHER_SYSTEMS := ./engine/gomoku/network ./engine/ultimate/... ./internal/... ./search/tt ./player/sandbox ./player/subprocess

.PHONY: build check lint short test compiled unit pages race race-api test-long audit wasm web web-modules web-compare site browser bench studies learned networks values notices release certificates gomocup simd bred fmt rename

build:
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/ ./cmd/krow ./cmd/pbrain-krow

# The inner loop: every package and every script, without the browser, the web app and the race detector.
check:
	$(MAKE) --no-print-directory --output-sync=target -j2 lint short

short: compiled
	KROW_NO_BROWSER=1 $(TEST) -short $(DEAR) ./...

lint: compiled
	@names=$$($(TOOL) mvdan.cc/gofumpt -l .) && test -z "$$names" || { echo "$$names"; echo "run make fmt"; exit 1; }
	cd tools/lint && go build -buildvcs=false -o ../../bin/lint .
	nice go vet -vettool=bin/lint ./...

# The parts run side by side. The browser's tests take longest, so the others leave them the processor.
test: web-modules
	$(MAKE) --no-print-directory --output-sync=target -j6 pages unit race lint web-compare

# What most parts need, compiled before them: two go commands side by side would both compile it.
compiled:
	go list -export -test ./server/api/browser >/dev/null

unit: compiled
	nice $(TEST) -p 3 $(DEAR) $$(go list ./... | grep -v /server/api/browser)

pages: compiled browser
	$(TEST) -parallel 4 ./server/api/browser

race:
	nice $(RACE_TEST) $(RACE)
	nice $(RACE_TEST) $(RACE_GOMOCUP)
	nice $(RACE_TEST) $(RACE_THREADS)

# With the race detector the tests of all requests take as long as all of race, so only test-long runs them. race looks at the
# packages whose data the requests share.
race-api:
	$(RACE_TEST) ./server/api

# The web app, into page/dist, which is committed; web-compare says whether that is what its sources build.
web:
	page/compare.sh --write

web-modules:
	page/compare.sh --modules

web-compare:
	nice page/compare.sh

# The page without a server, into site/, for any host of plain files.
site:
	go run ./tools/site site

# The browser in which the tests play.
browser:
	@page/browser.sh

# Deeper counts, more random positions, a minute of fuzzing for each target, and the audit.
test-long: lint audit wasm race-api
	GOOS=windows GOARCH=arm64 CGO_ENABLED=0 go vet $(OTHER_SYSTEMS)
	cd tools/release && go vet ./... && go test ./...
	KROW_LONG=1 $(TEST) ./...
	./tools/fuzz.sh 60s

# What a page without a server needs builds for a browser.
wasm:
	GOOS=js GOARCH=wasm go build -tags site -o /dev/null ./cmd/krow-wasm
	GOOS=js GOARCH=wasm go build ./game/... ./notation/... ./proof/... ./eval/... ./search/... ./engine/... ./player/... ./arena/... ./learn/... . ./app/...

# The modules are those of go.sum, and the code calls nothing that is known to be vulnerable. govulncheck ends with 3 if it
# does; any other error, such as a database that cannot be reached, is shown and does not fail.
audit:
	go mod verify
	go build -modfile=tools/tools.mod -o bin/ golang.org/x/vuln/cmd/govulncheck
	@bin/govulncheck ./... || { test $$? -ne 3 && echo "audit: known vulnerabilities were not looked up" >&2; }

bench:
	go test -run '^$$' -bench . -benchmem ./...

# Runs the studies and writes their reports to research/reports: hours.
studies:
	./tools/studies.sh

# Everything of a release, into release/VERSION: make release VERSION=v1.0.0
release:
	cd tools/release && go run . "$(VERSION)" ../..

# Makes the certificates of the largest solved boards from nothing, into release/certificates, and checks them with both checkers:
# hours, and 16 GB of memory. What was stopped continues.
CERTIFICATES := gomoku standard gomoku:13
certificates:
	mkdir -p release/certificates
	go build -trimpath -o bin/ ./cmd/krow
	cd release/certificates && for game in $(CERTIFICATES); do \
		file=$$(echo $$game | tr ':,' '--'); \
		test -e $$file.proof || ../../bin/krow solve $$game --threads 2 --hash 14G --resume $$file.part --certificate $$file.proof || exit 1; \
		../../bin/krow verify $$file.proof && node ../../tools/checker/check.mjs $$file.proof || exit 1; \
	done
	cd release/certificates && sha256sum *.proof | tee SHA256SUMS

# The licences of the modules that krow links.
notices:
	go run ./tools/notices

# The brains for Windows and Linux, into bin/gomocup; make release packs them as Gomocup takes them.
gomocup:
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/gomocup/pbrain-krow64.exe ./cmd/pbrain-krow
	GOOS=linux GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/gomocup/pbrain-krow64 ./cmd/pbrain-krow

# The kernels in vector instructions for WebAssembly and arm64, which need Go 1.27, equal those in Go. It needs Node, and on
# another processor than arm64 qemu-aarch64-static.
SIMD := GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=simd CGO_ENABLED=0
simd:
	$(SIMD) GOOS=js GOARCH=wasm go test -short -exec "$$($(SIMD) go env GOROOT)/lib/wasm/go_js_wasm_exec" ./engine/gomoku/network ./engine/ultimate/network
	$(SIMD) GOARCH=arm64 go test -short -exec "$$(command -v qemu-aarch64-static)" ./engine/gomoku/network ./engine/ultimate/network

# Learns the weights of the generic heuristic that krow ships: a minute of processor time.
learned:
	go run ./tools/learned > eval/generic/learned.json.new
	mv eval/generic/learned.json.new eval/generic/learned.json

# Trains the networks of the engine for five in a row from the games in learn/gomoku/games. On amd64 the files stay equal, byte for byte.
GAMES := learn/gomoku/games
NETWORKS := engine/gomoku/networks
networks:
	go build -trimpath -o bin/ ./cmd/krow
	for game in gomoku standard renju caro; do \
		from=",passes=3,from=$(NETWORKS)/gomoku.net,rate=0.001"; test $$game != gomoku || from=,passes=5; \
		bin/krow learn network:data=$(GAMES)$$from $$game --seed 1 --db $$(mktemp -d)/runs.db --force --out $(NETWORKS)/$$game.net || exit 1; \
	done

# Makes docs/measurements/values.md from docs/measurements/values.jsonl; go run ./tools/values GAME adds a result there.
values:
	go run ./tools/values

# Breeds the weights of the indicators that the players of ultimate tic-tac-toe come with: the file that is there, in seconds.
bred:
	go run ./cmd/krow learn genetic ultimate --seed 1 --out eval/indicators/bred.json --db $$(mktemp -d)/runs.db

fmt:
	$(TOOL) mvdan.cc/gofumpt -w .

# make rename MODULE=example.com/me/krow
rename:
	test -n "$(MODULE)"
	old=$$(go list -m) && go mod edit -module "$(MODULE)" && \
	git ls-files '*.go' | xargs sed -i "s#\"$$old/#\"$(MODULE)/#"
