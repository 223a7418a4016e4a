# One command per target. The scripts are in scripts/.
.PHONY: run dev test audit chaos seed bench lint

# Builds Redwing and serves it on http://127.0.0.1:8080.
run:
	@scripts/run

# Serves a debug build, and rebuilds and restarts it when a source file, a template or a style changes.
dev:
	@scripts/dev

# Fetches the tools that the tests need, and runs all tests.
test:
	@scripts/test

# Checks the pages with axe, the HTML checker of the W3C and Lighthouse. Needs Node.js and Java.
audit:
	@scripts/audit

# Kills the app, the worker and Redis repeatedly under load. Takes SEED, KILLS and PEOPLE.
chaos:
	@scripts/chaos

# Fills the site with demo people. See also ./seed --help.
seed:
	@./seed

# Measures the speed. Takes PEOPLE, SECONDS and ROUNDS. PARTS=talking,pages measures only these parts, QUICK=1
# gives a rough result in a few minutes, and BINARY=path measures the part `talking` with another build.
bench:
	@BENCH_PEOPLE=$(PEOPLE) BENCH_SECONDS=$(SECONDS) BENCH_ROUNDS=$(ROUNDS) BENCH_PARTS=$(PARTS) BENCH_QUICK=$(QUICK) BENCH_BINARY=$(BINARY) scripts/bench

# Checks formatting, and runs clippy with warnings denied.
lint:
	@scripts/lint
