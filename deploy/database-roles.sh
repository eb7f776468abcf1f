#!/bin/sh
# Makes the two roles and the database that docs/operations.md recommends. The image of PostgreSQL runs it once, on an empty volume.
set -eu
# Read by psql from its environment, so that no password stands in a list of processes.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
\getenv owner_password COUNTERSIGN_OWNER_PASSWORD
\getenv app_password COUNTERSIGN_APP_PASSWORD
CREATE ROLE countersign_owner LOGIN BYPASSRLS PASSWORD :'owner_password';
CREATE ROLE countersign_app LOGIN PASSWORD :'app_password';
CREATE DATABASE countersign OWNER countersign_owner;
SQL
