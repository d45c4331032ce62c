#!/usr/bin/env bash
# Runs one of the comparisons under benches/ (peers, ingest, latency, load, lists, cluster) with the release binary; ARGS goes to it.
source "$(dirname "$0")/env.sh"

scripts/build.sh
npm_packages tests
# An environment of Python: bench_environment FOLDER REQUIREMENTS
bench_environment() {
  python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
}
mkdir -p benches/.venv benches/.venv-etl
once benches/.venv/installed bench_environment benches/.venv benches/requirements.txt <benches/requirements.txt
if [ "$1" = ingest ]; then
  once benches/.venv-etl/installed bench_environment benches/.venv-etl benches/requirements-etl.txt \
    <benches/requirements-etl.txt
fi
step "$1"
# shellcheck disable=SC2086 # ARGS is a list of words
benches/.venv/bin/python "benches/$1/run.py" ${ARGS:-}
