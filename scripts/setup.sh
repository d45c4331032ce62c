#!/usr/bin/env bash
# Installs what the tests need beside Rust and Node.js: Chromium, PostgreSQL, cargo-nextest, npm packages, a Python environment.
source "$(dirname "$0")/env.sh"

step 'system packages'
missing=()
command -v chromium >/dev/null || missing+=(chromium)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
fc-list 2>/dev/null | grep -qi 'wqy\|noto.*cjk' || missing+=(fontconfig fonts-wqy-microhei)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || stop "Please install these yourself, this system has no apt-get: ${missing[*]}"
  as_root apt-get update -q
  # The tests start a PostgreSQL of their own: Debian's must not make and start a cluster.
  as_root mkdir -p /etc/postgresql-common/createcluster.d
  printf 'create_main_cluster = false\nstart_conf = manual\n' |
    as_root tee /etc/postgresql-common/createcluster.d/quarry-tests.conf >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

step 'cargo-nextest'
if ! cargo nextest --version >/dev/null 2>&1; then
  cargo install --locked --root "$QUARRY_CACHE/tools" cargo-nextest --version 0.9.143
fi

step 'npm packages'
npm_packages web
npm_packages tests

step 'Python environment'
python_environment() {
  python3 -m venv tests/.venv
  tests/.venv/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
}
mkdir -p tests/.venv
once tests/.venv/installed python_environment <tests/requirements.txt
