#!/usr/bin/env bash
# The tests that kill Quarry while it writes, KILLS times per path (300 when not given; `make test` does it 20 times).
source "$(dirname "$0")/env.sh"

scripts/setup.sh
for_tests
step "killed ${KILLS:-300} times per path"
QUARRY_TEST_KILLS="${KILLS:-300}" cargo nextest run "${selection[@]}" --profile soak \
  -E 'test(/^lake::tests::crash::/) + test(/^killed::/)'
step 'all passed'
