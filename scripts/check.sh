#!/usr/bin/env bash
# Compiles all crates as the tests do, with their lints but without the tests: the quickest answer after an edit.
source "$(dirname "$0")/env.sh"

for_tests
exec cargo build "${selection[@]}" --lib "$@"
