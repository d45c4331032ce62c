#!/usr/bin/env bash
# Runs one of the comparisons under benches/ (peers, ingest, latency, load, lists) with the release binary; ARGS goes to it.
source "$(dirname "$0")/env.sh"

scripts/build.sh
npm_packages tests
bench_environment() {
  python3 -m venv benches/.venv
  benches/.venv/bin/pip install --quiet --disable-pip-version-check -r benches/requirements.txt
}
mkdir -p benches/.venv
once benches/.venv/installed bench_environment <benches/requirements.txt
step "$1"
# shellcheck disable=SC2086 # ARGS is a list of words
benches/.venv/bin/python "benches/$1/run.py" ${ARGS:-}
