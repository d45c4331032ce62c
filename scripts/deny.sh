#!/usr/bin/env bash
# Asks cargo-deny about bans, licenses and sources. `make test` checks the same rules with a test of ours, because
# cargo-deny takes longer to build than it is worth for every newcomer; install it with `cargo install cargo-deny`.
source "$(dirname "$0")/env.sh"

cargo deny --version >/dev/null 2>&1 || stop 'cargo-deny is not installed: cargo install --locked cargo-deny'
cargo deny check bans licenses sources
