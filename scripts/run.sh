#!/usr/bin/env bash
# Builds what has changed and serves it; with an empty home it writes the sample chain first. Flags go to `quarry serve`.
source "$(dirname "$0")/env.sh"

scripts/build.sh
step 'serve'
exec "$CARGO_TARGET_DIR/release/quarry" serve --listen "${LISTEN:-127.0.0.1:8080}" "$@"
