#!/usr/bin/env bash
# Everything: installs what is missing, checks, builds, and runs all tests. The closing summary is cargo-nextest's.
source "$(dirname "$0")/env.sh"

scripts/setup.sh
scripts/lint.sh
step 'browser tests'
npm --prefix tests run browser
step 'Rust tests: unit, architecture, end to end'
scripts/rust-tests.sh
step 'all passed'
