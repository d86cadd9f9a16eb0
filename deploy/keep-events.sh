#!/bin/sh
# Puts the rule of keep-events.sql into n8n's database, takes it out again, or checks it:
#
#   docker compose run --rm keep-events apply
#   docker compose run --rm keep-events remove
#   docker compose run --rm keep-events check
#
# Elsewhere, name the database with psql's own variables (PGHOST, PGUSER, PGDATABASE …).
set -eu
cd "$(dirname "$0")"
[ -z "${PGPASSWORD_FILE:-}" ] || { PGPASSWORD=$(cat "$PGPASSWORD_FILE"); export PGPASSWORD; }
run() { psql -X -q -v ON_ERROR_STOP=1 -f "$1"; }
case "${1:-}" in
apply)
	run keep-events.sql
	run keep-events-check.sql
	echo 'The rule is there: an interrupted execution keeps its event.'
	;;
check)
	run keep-events-check.sql
	echo 'The rule is there, and does what it should.'
	;;
remove)
	run keep-events-remove.sql
	echo 'The rule is gone: an interrupted execution loses its event.'
	;;
*)
	echo 'Say what to do: apply, check or remove.' >&2
	exit 2
	;;
esac
