#!/usr/bin/env bash
# Criterion benches, in the profile that ships; ARGS is a filter.
source "$(dirname "$0")/env.sh"

# shellcheck disable=SC2086 # ARGS is a list of words
cargo bench --workspace --locked --profile release --benches -- ${ARGS:-}
