#!/bin/sh
# Adds the rule of keep-events.sql to n8n's database, removes it, or checks it:
#
#   docker compose run --rm keep-events apply
#   docker compose run --rm keep-events remove
#   docker compose run --rm keep-events check
#
# Outside of these containers, set psql's own variables for the database (PGHOST, PGUSER, PGDATABASE …).
set -eu
cd "$(dirname "$0")"
[ -z "${PGPASSWORD_FILE:-}" ] || { PGPASSWORD=$(cat "$PGPASSWORD_FILE"); export PGPASSWORD; }
run() { psql -X -q -v ON_ERROR_STOP=1 -f "$1"; }
case "${1:-}" in
apply)
	run keep-events.sql
	run keep-events-check.sql
	echo 'The rule is in place. An interrupted execution keeps its event.'
	;;
check)
	run keep-events-check.sql
	echo 'The rule is in place and works.'
	;;
remove)
	run keep-events-remove.sql
	echo 'The rule has been removed. An interrupted execution loses its event.'
	;;
*)
	echo 'Usage: keep-events.sh apply|check|remove' >&2
	exit 2
	;;
esac
