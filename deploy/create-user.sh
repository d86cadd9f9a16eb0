#!/bin/sh
# Creates a database for n8n, and a user that owns this database and can't do anything else on the server.
# PostgreSQL runs this script once, when it creates its data folder.
set -eu
psql -X -q -v ON_ERROR_STOP=1 -v password="$(cat "${N8N_PASSWORD_FILE:-/run/secrets/postgres_password}")" <<'SQL'
CREATE ROLE n8n LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE n8n OWNER n8n;
REVOKE ALL ON DATABASE n8n FROM PUBLIC;
SQL
