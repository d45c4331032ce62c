#!/usr/bin/env bash
# What takes too long for `make test`: what writes the lake is killed KILLS times per path (300), a server under load is
# killed SERVER_KILLS times (500) with its platform database in SQLite and as often with one in PostgreSQL, which is killed with it
# once in three times; workers are killed or stopped WORKER_KILLS times (400); both protocols are fuzzed with FUZZ cases each
# (20,000), random queries are compared with DuckDB and PostgreSQL for QUERY_MINUTES (20), and a server works for MINUTES (120)
# whose memory must not grow. SEED repeats a run; every other run has a seed of its own.
source "$(dirname "$0")/env.sh"

scripts/setup.sh
for_tests
seed="${SEED:-$(date +%s)}"
soak() {
  QUARRY_TEST_SEED="$seed" cargo nextest run "${selection[@]}" --profile soak --run-ignored all -E "$1"
}

step "killed ${KILLS:-300} times per path"
QUARRY_TEST_KILLS="${KILLS:-300}" soak '(package(quarry-lake) & test(/^tests::crash::/)) + test(/^killed::/)'
step "${FUZZ:-20000} cases of each protocol, with seeds from $seed on"
QUARRY_TEST_FUZZ="${FUZZ:-20000}" soak 'test(/^(wire|websocket)_fuzz::/)'
step "random queries for ${QUERY_MINUTES:-20} minutes, with the seed $seed"
QUARRY_TEST_SEED="$seed" QUARRY_TEST_QUERY_MINUTES="${QUERY_MINUTES:-20}" scripts/with-postgres.sh \
  cargo nextest run "${selection[@]}" --profile soak --run-ignored all -E 'test(=differential::random_queries_for_long)'
step "a server killed ${SERVER_KILLS:-500} times with each platform database, with the seed $seed"
QUARRY_TEST_SERVER_KILLS="${SERVER_KILLS:-500}" soak 'test(/^killed_server::/)'
step "workers killed or stopped ${WORKER_KILLS:-400} times, with the seed $seed"
QUARRY_TEST_WORKER_KILLS="${WORKER_KILLS:-400}" soak 'test(/^workers::a_lost_worker/)'
step "a server at work for ${MINUTES:-120} minutes, with the seed $seed"
QUARRY_TEST_LOAD_MINUTES="${MINUTES:-120}" soak 'test(/^long_load::/)'
step 'all passed'
