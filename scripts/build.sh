#!/usr/bin/env bash
# Builds the web pages and the release binary that carries them.
source "$(dirname "$0")/env.sh"

for tool in cargo node npm; do
  command -v "$tool" >/dev/null || stop "$tool is missing: Quarry is built with Rust (rustup.rs) and Node.js 20.19 or newer."
done

step 'web packages'
npm_packages web
step 'web build'
npm --prefix web run build
step 'release binary'
cargo build "${selection[@]}" --bin quarry
