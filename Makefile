# Every target installs what is missing first; see README.md.
.DEFAULT_GOAL := help
.PHONY: help setup build install package package-test run demo test test-long test-tsan test-asan fuzz fuzz-rescue swift-programs browser api-fuzz trial synced chaos fleet statement-costs many-realms housekeeping webhooks failover bench bench-compare conformance rehearsals exports lint format clean

JOBS ?= 2
PAIRS ?= 5
PICTURES ?= .build/pictures
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
RESCUES ?= 10000000
FUNCTIONS ?= 10000
TRIAL_SECONDS ?= 60
FUZZ_SEED ?= $(shell date +%s)
CASES ?= $(or $(wildcard ../shared/cases/cases ../shared/cases/fresh),Tests/Conformance/cases)
QUERIES ?= Tests/Conformance/queries $(wildcard ../shared/cases/queries)
STRICT := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what is missing
	@scripts/setup

build: setup ## build .build/release/realmshift, and the programs that it starts
	PROGRAMS_ALONE=1 swift build -c release -j $(JOBS)

# Swift's parser lies in the toolchain: what realmshift-swift is linked with there goes along.
install: build ## install the programs and the libraries of Swift's parser below PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/realmshift
	install -m 755 $(addprefix .build/release/,realmshift realmshift-script realmshift-swift) $(DESTDIR)$(PREFIX)/bin
	ldd .build/release/realmshift-swift | awk '$$3 ~ "/swift/host/" { print $$3 }' | \
		xargs -I LIBRARY install -m 644 LIBRARY $(DESTDIR)$(PREFIX)/lib/realmshift

package: build ## make .build/packages: a Debian package, and a tarball for glibc 2.36 or later
	@scripts/setup dpkg-dev patchelf
	rm -rf .build/packages
	python3 packaging/package.py .build/release .build/packages

# The tools come first: with them Debian may bring newer libraries, whose versions the package lists.
package-test: ## install the package in a clean Debian, run its units there, and walk the tutorial
	@scripts/setup debootstrap systemd-container lintian mandoc fish zsh
	@$(MAKE) --no-print-directory package
	python3 Tests/Packaging/package_check.py .build/release --packages .build/packages --root

run: build ## start the service on http://127.0.0.1:8080, data in ./data
	.build/release/realmshift serve --data data

demo: build ## migrate a real realm through the service, and show what happens
	scripts/demo .build/release/realmshift

test: setup lint ## run all tests, against a real PostgreSQL
	@scripts/setup python3-venv pgbouncer chromium prometheus dpkg-dev patchelf lintian mandoc fish zsh systemd node-typescript mono-mcs
	swift build --build-tests -j $(JOBS) $(STRICT)
	@scripts/python-tools
	@$(MAKE) --no-print-directory --output-sync=target -j $(CHECKS_AT_ONCE) $(CHECKS) PROGRAM=.build/debug/realmshift

# The parts of `make test`, side by side, as most of them wait most of the time. The longest come first.
CHECKS := program-tests script-tests api-tests other-tests jobs-tests statement-costs-check browser-check conformance-check chaos-check \
	fleet-check rows-check rehearsals-check exports-check pages-check api-check swift-check webhooks-check partner-check \
	synced-check packaging-check clients-check openapi-check ci-check monitoring-check shell-check container-check tus-check \
	rescue-check
.PHONY: $(CHECKS)
$(CHECKS): SHELL := Tests/timed
PYTHON := .build/venv/bin/python
CHECKS_AT_ONCE ?= 2
JOBS_TESTS := MigrationJobs|JobStore|SnapshotStore|StoreCore|AccessStore|Postgres
PROGRAM_TESTS := Program|ServiceClient
SCRIPT_TESTS := Script|SwiftLowering|Sandbox

jobs-tests:
	@Tests/part jobs --filter '^($(JOBS_TESTS))Tests\.'
api-tests:
	@Tests/part api --filter '^MigrationAPITests\.'
program-tests:
	@Tests/part programs --filter '^($(PROGRAM_TESTS))Tests\.'
script-tests:
	@Tests/part scripts --filter '^($(SCRIPT_TESTS))Tests\.'
other-tests:
	@Tests/part others --skip '^(MigrationAPI|$(JOBS_TESTS)|$(PROGRAM_TESTS)|$(SCRIPT_TESTS))Tests\.'
conformance-check:
	@$(MAKE) --no-print-directory conformance
rows-check:
	@$(MAKE) --no-print-directory conformance ROW_GROUPS=1 EVERY=3
rehearsals-check:
	@$(MAKE) --no-print-directory rehearsals
exports-check:
	@$(MAKE) --no-print-directory compare-exports EXPORTS="--random 20"
api-check:
	python3 Tests/APIFuzz/api_fuzz.py $(PROGRAM)
openapi-check:
	$(PYTHON) Tests/OpenAPI/openapi_check.py $(PROGRAM)
pages-check:
	python3 Tests/Documentation/pages.py $(PROGRAM)
ci-check:
	$(PYTHON) Tests/CI/ci_check.py $(PROGRAM)
clients-check:
	$(PYTHON) Tests/Clients/clients.py $(PROGRAM)
webhooks-check:
	$(PYTHON) Tests/Trials/webhooks.py $(PROGRAM) --short --seed 1
tus-check:
	$(PYTHON) Tests/Tus/tus_upload.py $(PROGRAM)
container-check:
	$(PYTHON) Tests/Container/container_check.py $(PROGRAM)
browser-check:
	$(PYTHON) Tests/Dashboard/dashboard_way.py $(PROGRAM)
monitoring-check:
	$(PYTHON) Tests/Monitoring/monitoring_check.py $(PROGRAM)
packaging-check:
	python3 Tests/Packaging/package_check.py .build/debug
shell-check:
	python3 Tests/Shell/shell_client.py $(PROGRAM)
statement-costs-check:
	python3 Tests/Trials/statement_costs.py $(PROGRAM) --short
swift-check:
	python3 Tests/SwiftPrograms/swift_programs.py $(PROGRAM) --kept
partner-check:
	python3 Tests/Trials/partner_trial.py $(PROGRAM) --seconds 6 --objects 4000 --seed 1
synced-check:
	python3 Tests/Trials/synced_model.py $(PROGRAM) --histories 4 --batches 40 --kills 1 --seed 1
chaos-check:
	python3 Tests/Trials/chaos.py $(PROGRAM) --realms 5 --lease 3 --pause 1.5 --seed 1
fleet-check:
	python3 Tests/Trials/fleet.py $(PROGRAM) --realms 300 --seed 1
# As it is built for the tests: a release build would take longer than it saves.
rescue-check:
	.build/debug/DecoderFuzzer --kind rescue --inputs 30000 --seed 1 Tests/RealmFileTests/Fixtures Tests/Conformance/cases

test-long: setup ## run the tests of random realm files with ten times as many seeds
	swift build --build-tests -j $(JOBS) $(STRICT)
	@REALMSHIFT_MANY_SEEDS=yes Tests/part seeds --filter '^RealmFileTests\.'

# Script hosts run as they are built for `make test`: locked as they are, a sanitizer could not work in them.
test-tsan: ## run the tests under the thread sanitizer
	@$(MAKE) --no-print-directory sanitized SANITIZER=thread FLAGS="-Xswiftc -DTHREAD_SANITIZER"

test-asan: ## run the tests under the address sanitizer
	@$(MAKE) --no-print-directory sanitized SANITIZER=address

.PHONY: sanitized
sanitized: setup
	swift build -j $(JOBS) $(STRICT) --product SandboxTestHost
	swift build --build-tests -j $(JOBS) $(STRICT) --sanitize $(SANITIZER) $(FLAGS) --scratch-path .build/$(SANITIZER)
	cp .build/debug/SandboxTestHost .build/$(SANITIZER)/debug/
	Tests/Sanitizers/run $(SANITIZER)

conformance: PROGRAM ?= .build/release/realmshift
conformance: ## compare migrations and queries with Realm Core's outcomes; ROW_GROUPS=1 stores objects one by one, ANONYMIZE=1 starts from copies, EVERY=N runs one case in N
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	@test -d ../shared/cases/cases || echo "../shared/cases is missing: running the project's own cases only"
	python3 Tests/Conformance/conformance.py $(PROGRAM) $(CASES) --jobs $(JOBS) $(if $(ROW_GROUPS),--row-groups $(ROW_GROUPS)) $(if $(ANONYMIZE),--anonymize) $(if $(EVERY),--every $(EVERY))
	@test -d ../shared/cases/queries || echo "../shared/cases/queries is missing: asking the project's own queries only"
	$(if $(ROW_GROUPS)$(ANONYMIZE),,python3 Tests/Conformance/queries.py $(PROGRAM) $(QUERIES) --jobs $(JOBS))

exports: PROGRAM ?= .build/release/realmshift
exports: ## export every realm of ../shared and some hundreds of made-up ones, and compare each value with Realm JSON
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	@scripts/setup python3-venv
	@scripts/python-tools
	@$(MAKE) --no-print-directory compare-exports PROGRAM=$(PROGRAM) EXPORTS="--whole --random 400 --seed $(FUZZ_SEED)"

.PHONY: compare-exports
compare-exports:
	.build/venv/bin/python Tests/Exports/hostile_names.py $(PROGRAM)
	@scripts/setup node-typescript mono-mcs
	.build/venv/bin/python Tests/Exports/compiled_models.py $(PROGRAM)
	for format in sqlite sql csv ejson parquet models; do \
		.build/venv/bin/python Tests/Exports/$${format}_export.py $(PROGRAM) --jobs $(JOBS) $(EXPORTS) || exit 1; done

rehearsals: PROGRAM ?= .build/release/realmshift
rehearsals: ## compare what rehearsals say with what Realm Core's outcomes lost
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	@test -d ../shared/cases/cases || echo "../shared/cases is missing: running the project's own cases only"
	python3 Tests/Conformance/rehearsals.py $(PROGRAM) $(CASES) --jobs $(JOBS)

fuzz: setup ## decode changed files for FUZZ_SECONDS, from FUZZ_SEED
	swift build -c release -j $(JOBS) --product DecoderFuzzer
	.build/release/DecoderFuzzer --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

fuzz-rescue: setup ## rescue RESCUES changed files, ten million unless told, from FUZZ_SEED
	swift build -c release -j $(JOBS) --product DecoderFuzzer
	.build/release/DecoderFuzzer --kind rescue --inputs $(RESCUES) --seed $(FUZZ_SEED) $(FUZZ_FOLDERS)

swift-programs: PROGRAM ?= .build/release/realmshift
swift-programs: ## compare FUNCTIONS random functions of Swift, ten thousand unless told, with the compiler's program, from FUZZ_SEED
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	python3 Tests/SwiftPrograms/swift_programs.py $(PROGRAM) --functions $(FUNCTIONS) --seed $(or $(SEED),$(FUZZ_SEED))

browser: PROGRAM ?= .build/release/realmshift
browser: ## go through all pages of the dashboard in Chromium, and make pictures of six in PICTURES; TIMINGS="100000 10000000" prints how long each takes with so many realms and objects
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	@scripts/setup python3-venv chromium
	@scripts/python-tools
	.build/venv/bin/python Tests/Dashboard/dashboard_way.py $(PROGRAM) --full
	.build/venv/bin/python Tests/Dashboard/dashboard_way.py $(PROGRAM) --pictures $(PICTURES)
	$(if $(TIMINGS),.build/venv/bin/python Tests/Dashboard/dashboard_way.py $(PROGRAM) --timings $(TIMINGS))

api-fuzz: build ## send the service random requests for FUZZ_SECONDS, from FUZZ_SEED, and hold it against /openapi.json
	@scripts/python-tools
	python3 Tests/APIFuzz/api_fuzz.py .build/release/realmshift --examples 200 --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

trial: build ## write to both sides of a partner for TRIAL_SECONDS while its workers are killed
	python3 Tests/Trials/partner_trial.py .build/release/realmshift --seconds $(TRIAL_SECONDS)

synced: PROGRAM ?= .build/release/realmshift
synced: ## compare 200 random histories of synced realms with a model, from FUZZ_SEED; in 50 of them the service is killed
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	python3 Tests/Trials/synced_model.py $(PROGRAM) --seed $(FUZZ_SEED) --jobs $(JOBS)

chaos: build ## migrate many realms while workers, hosts, the API and PostgreSQL are killed and the disk fills up
	python3 Tests/Trials/chaos.py .build/release/realmshift

fleet: build ## migrate 10,000 realms as a fleet, retry what failed and undo it, while all workers are killed
	python3 Tests/Trials/fleet.py .build/release/realmshift

statement-costs: build ## compare the pages that statements read in a small and in a large database
	python3 Tests/Trials/statement_costs.py .build/release/realmshift

many-realms: build ## compare the times of lists, uploads, jobs and fleets with 1,000 and with 100,000 realms, by turns
	python3 Tests/Trials/many_realms.py .build/release/realmshift

housekeeping: build ## measure who waits while retention removes 50,000 snapshots
	python3 Tests/Trials/housekeeping.py .build/release/realmshift

webhooks: PROGRAM ?= .build/release/realmshift
webhooks: ## send 10,000 events to receivers that fail, are slow, redirect or are gone, while the database and the service are killed, from FUZZ_SEED
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	@scripts/setup python3-venv
	@scripts/python-tools
	.build/venv/bin/python Tests/Trials/webhooks.py $(PROGRAM) --seed $(FUZZ_SEED)

failover: build ## kill the primary of a PostgreSQL pair under Patroni in the middle of uploads, jobs and changes
	@scripts/setup patroni etcd-server
	python3 Tests/Trials/failover.py .build/release/realmshift

bench: build ## measure every step, one JSON line each
	@scripts/setup wrk
	python3 bench/bench.py .build/release/realmshift

# The other revision is built in a folder of its own, and stays there for the next time.
bench-compare: build ## measure REV and this program by turns, PAIRS times each; BENCH names steps
	@test -n "$(REV)" || { echo "bench-compare: say which revision: make bench-compare REV=v1" >&2; exit 2; }
	@scripts/setup wrk
	test -d .build/revisions/$(REV) || git worktree add --detach .build/revisions/$(REV) $(REV)
	$(MAKE) -C .build/revisions/$(REV) build
	python3 bench/compare.py .build/revisions/$(REV)/.build/release/realmshift .build/release/realmshift --pairs $(PAIRS)

lint: ## check the format, and the rules of imports, names and functions
	swift format lint --strict --parallel --recursive Package.swift Sources Tests
	scripts/check-imports
	scripts/check-names
	scripts/check-functions

format: ## format all Swift code
	swift format --in-place --parallel --recursive Package.swift Sources Tests

clean: ## remove what was built
	rm -rf .build
