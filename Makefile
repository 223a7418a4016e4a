# One command per target. The scripts are in scripts/.
.PHONY: run dev test chaos seed bench lint

# Builds Redwing and serves it on http://127.0.0.1:8080.
run:
	@scripts/run

# Serves a debug build, and rebuilds and restarts it when a source file, a template or a style changes.
dev:
	@scripts/dev

# Fetches the tools that the tests need, and runs all tests.
test:
	@scripts/test

# Kills the app, the worker and Redis repeatedly under load. Takes SEED, KILLS and PEOPLE.
chaos:
	@scripts/chaos

# Fills the site with demo people. See also ./seed --help.
seed:
	@./seed

# Measures the speed in a few minutes. Takes PEOPLE, SECONDS, ROUNDS, PARTS=talking,pages for these
# parts only, QUICK=1 for a rough result, and BINARY=path for the talking network of another build.
bench:
	@BENCH_PEOPLE=$(PEOPLE) BENCH_SECONDS=$(SECONDS) BENCH_ROUNDS=$(ROUNDS) BENCH_PARTS=$(PARTS) BENCH_QUICK=$(QUICK) BENCH_BINARY=$(BINARY) scripts/bench

# Checks formatting, and runs clippy with warnings denied.
lint:
	@scripts/lint
