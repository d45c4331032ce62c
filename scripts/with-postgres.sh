#!/usr/bin/env bash
# Runs a command with an empty PostgreSQL of its own, reached over a socket in a temporary folder and named by
# QUARRY_TEST_POSTGRES_URL; the server and its data are gone afterwards. Usage: scripts/with-postgres.sh COMMAND...
source "$(dirname "$0")/env.sh"

bin="$(dirname "$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -1)")"
[ -x "$bin/initdb" ] || stop 'PostgreSQL is missing: run make setup'
folder="$(mktemp -d)"

# PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

clean_up() {
  as_postgres "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap clean_up EXIT

if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
chmod 755 "$folder"
as_postgres "$bin/initdb" -D "$folder/data" -U quarry -A trust -E UTF8 --no-sync >"$folder.log" 2>&1 ||
  { cat "$folder.log" >&2; stop 'initdb failed'; }
rm -f "$folder.log"
as_postgres "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" \
  -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off -c max_connections=200" start >/dev/null
as_postgres "$bin/createdb" -h "$folder" -U quarry quarry

# Not exec: the trap has to run.
QUARRY_TEST_POSTGRES_URL="postgres://quarry@localhost/quarry?host=$folder" "$@"
