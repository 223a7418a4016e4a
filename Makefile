# One verb each; scripts/ says how.
.PHONY: run dev test chaos seed bench lint

# Builds Redwing and serves it on http://127.0.0.1:8080.
run:
	@scripts/run

# Serves a debug build, and rebuilds and restarts it when a source file, a template or a style changes.
dev:
	@scripts/dev

# Gets what the tests need and runs them.
test:
	@scripts/test

# Kills everything again and again under many people. Takes SEED, KILLS and PEOPLE.
chaos:
	@scripts/chaos

# Fills the site with demo people. ./seed --help tells more.
seed:
	@./seed

# Measures how fast it is, in some minutes. Takes PEOPLE, SECONDS, ROUNDS, PARTS=talking,pages for these
# parts only, QUICK=1 for a rough look, and BINARY=path for the talking network of another build.
bench:
	@BENCH_PEOPLE=$(PEOPLE) BENCH_SECONDS=$(SECONDS) BENCH_ROUNDS=$(ROUNDS) BENCH_PARTS=$(PARTS) BENCH_QUICK=$(QUICK) BENCH_BINARY=$(BINARY) scripts/bench

# Formatting and clippy, warnings denied.
lint:
	@scripts/lint
