#!/usr/bin/env bash
# Everything that is checked without running the product: format, lints, types, texts, generated files.
source "$(dirname "$0")/env.sh"

npm_packages web
step 'web: lint, types, texts, unit tests'
npm --prefix web run check
step 'web: the API client fits api/openapi.json'
npm --prefix web run api:check
step 'web: build and its weight'
npm --prefix web run build
npm --prefix web run weights
step 'Rust: format'
cargo fmt --all --check
step 'Rust: clippy, which builds what tests run'
for_tests
cargo build "${selection[@]}" --all-targets
