#!/usr/bin/env bash
# Starts the PostgreSQL and the Redis that the tests use, on 127.0.0.1, and prints their settings as shell exports. PgBouncer
# only has to be there.
# As root on Debian it installs what is missing; elsewhere it names the package. A server that already answers is used as it is.
#   eval "$(tools/services.sh)" && npm test
set -euo pipefail

say() { echo "$*" >&2; }

need() { # need COMMAND PACKAGE
  command -v "$1" >/dev/null 2>&1 && return
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    say "$1 is missing. Install the package that provides it (Debian: $2), then run this script again."
    exit 1
  fi
  [ -n "${updated:-}" ] || { apt-get update >/dev/null && updated=yes; }
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$2" >/dev/null
}

answers() { psql -X -q -h 127.0.0.1 -p 5432 -U "$1" -d postgres -Atc 'select 1' >/dev/null 2>&1; }

# A client without a server also brings psql: pg_ctlcluster comes only with the server.
if ! (command -v psql >/dev/null 2>&1 && answers postgres); then
  need pg_ctlcluster postgresql
  version="$(ls /etc/postgresql | sort -n | tail -1)"
  pg_isready -q -h 127.0.0.1 -p 5432 || pg_ctlcluster --skip-systemctl-redirect "$version" main start >&2
  # The cluster belongs to the tests: loopback connections need no password.
  hba="/etc/postgresql/$version/main/pg_hba.conf"
  if ! grep -q '^# countersign: trust on loopback' "$hba"; then
    printf '# countersign: trust on loopback\nhost all all 127.0.0.1/32 trust\nhost all all ::1/128 trust\n' | cat - "$hba" >"$hba.new"
    chown postgres: "$hba.new" && mv "$hba.new" "$hba"
    pg_ctlcluster --skip-systemctl-redirect "$version" main reload
  fi
  for try in $(seq 50); do answers postgres && break || sleep 0.2; done
  psql -X -q -h 127.0.0.1 -U postgres -d postgres -Atc "select 1 from pg_roles where rolname = 'root' and rolsuper" | grep -q 1 ||
    psql -X -q -h 127.0.0.1 -U postgres -d postgres -c 'create role root superuser login'
fi

# Tests start poolers of their own.
PATH="$PATH:/usr/sbin" need pgbouncer pgbouncer
need redis-server redis-server
if ! redis-cli -h 127.0.0.1 -p 6379 ping >/dev/null 2>&1; then
  redis-server --daemonize yes --bind 127.0.0.1 --port 6379 --save '' --appendonly no >/dev/null
fi

server="$(psql -X -h 127.0.0.1 -U postgres -d postgres -Atc 'show server_version_num')"
say "PostgreSQL $((server / 10000)) and Redis answer on 127.0.0.1."
echo "export TEST_DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres"
echo "export TEST_POSTGRES_MAJOR=$((server / 10000))"
echo "export TEST_REDIS_URL=redis://127.0.0.1:6379"
