# Read by the other scripts: strict shell, the repository as folder, where things are kept between runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Builds and tools stay outside the clone, so that a fresh clone on the same machine doesn't start from nothing.
export QUARRY_CACHE="${QUARRY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/quarry}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$QUARRY_CACHE/target}"
export PATH="$QUARRY_CACHE/tools/bin:$PATH"

# One selection and one profile for every cargo call: another one would build DataFusion a second time.
selection=(--workspace --release --locked)

# From here on cargo compiles our own crates for tests: without optimisation, and by clippy, which lints what it compiles.
# Dependencies stay as they are. One pass in place of three (docs/decisions/0003).
for_tests() {
  local crate
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=0
  for crate in $(sed -n 's/^\[profile\.release\.package\.\(quarry.*\)\]$/\1/p' Cargo.toml); do
    selection+=(--config "profile.release.package.$crate.opt-level=0")
  done
  export RUSTC_WORKSPACE_WRAPPER=clippy-driver
  # As `cargo clippy -- -D warnings` hands its arguments on.
  export CLIPPY_ARGS='-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__'
}

# Says what comes next, and how many seconds have passed.
step() {
  printf '\n== %s (at %d s)\n' "$1" "$SECONDS"
}

# Says what is missing and stops.
stop() {
  printf '%s\n' "$1" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs a command unless it already ran for these inputs: once STAMP COMMAND... < inputs
once() {
  local stamp="$1" sum
  shift
  sum="$(sha256sum | cut -d' ' -f1)"
  if [ "$(cat "$stamp" 2>/dev/null)" != "$sum" ]; then
    "$@" </dev/null
    printf '%s\n' "$sum" >"$stamp"
  fi
}

npm_packages() {
  once "$1/node_modules/.installed" npm --prefix "$1" ci --no-audit --no-fund <"$1/package-lock.json"
}
