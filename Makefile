# The steps are scripts, so that they can be read and run one by one.
.PHONY: help run build check test soak setup lint fmt bench bench-peers bench-ingest bench-latency bench-load bench-lists bench-cluster deny

help: ## What can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

run: ## Build and serve on http://127.0.0.1:8080 (LISTEN=HOST:PORT for another address)
	@scripts/run.sh

build: ## Build the web pages and the release binary
	@scripts/build.sh

check: ## Compile all crates with their lints, without tests: the quickest answer after an edit
	@scripts/check.sh

test: ## Install what the tests need, then check and test everything
	@scripts/test.sh

soak: ## Kill writers and servers hundreds of times, fuzz SQL and both protocols, watch memory for hours (KILLS, SERVER_KILLS, WORKER_KILLS, FUZZ, QUERY_MINUTES, MINUTES, SEED)
	@scripts/soak.sh

setup: ## Install only what the tests need
	@scripts/setup.sh

lint: ## Format, lints, types, texts and generated files
	@scripts/lint.sh

fmt: ## Format the code
	@cargo fmt --all

bench: ## Criterion benches of the engine
	@scripts/bench.sh

bench-peers: ## Quarry beside DuckDB on the same files
	@scripts/compare.sh peers

bench-ingest: ## Ingest beside the node's own speed, cryo and ethereum-etl
	@scripts/compare.sh ingest

bench-latency: ## First sign of progress, end of a killed query, start
	@scripts/compare.sh latency

bench-load: ## A metric asked by many, and 2,000 websockets with chat
	@scripts/compare.sh load

bench-cluster: ## Queries on one process, and shared out over two workers
	@scripts/compare.sh cluster

bench-lists: ## Every list and search with 100,000 queries and 50,000 users, on SQLite and PostgreSQL
	@scripts/with-postgres.sh scripts/compare.sh lists

deny: ## Ask cargo-deny about licenses, bans and sources
	@scripts/deny.sh
