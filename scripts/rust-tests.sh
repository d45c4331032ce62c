#!/usr/bin/env bash
# The tests of Rust with a PostgreSQL of their own, or some of them: scripts/rust-tests.sh -E 'binary(end_to_end)'
source "$(dirname "$0")/env.sh"

for_tests
exec scripts/with-postgres.sh cargo nextest run "${selection[@]}" "$@"
