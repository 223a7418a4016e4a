# One verb each; scripts/ says how.
.PHONY: run test chaos seed lint

# Builds Redwing and serves it on http://127.0.0.1:8080.
run:
	@scripts/run

# Gets what the tests need and runs them.
test:
	@scripts/test

# Kills everything again and again under many people. Takes SEED, KILLS and PEOPLE.
chaos:
	@scripts/chaos

# Fills the site with demo people. ./seed --help tells more.
seed:
	@./seed

# Formatting and clippy, warnings denied.
lint:
	@scripts/lint
