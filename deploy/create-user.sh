#!/bin/sh
# Runs once, when PostgreSQL makes its data: gives n8n a database and a user that owns it and may do
# nothing else on the server.
set -eu
psql -X -q -v ON_ERROR_STOP=1 -v password="$(cat "${N8N_PASSWORD_FILE:-/run/secrets/postgres_password}")" <<'SQL'
CREATE ROLE n8n LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE n8n OWNER n8n;
REVOKE ALL ON DATABASE n8n FROM PUBLIC;
SQL
