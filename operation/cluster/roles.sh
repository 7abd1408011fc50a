#!/bin/sh
# Run by the image of PostgreSQL when its volume is empty: the role of the servers, which owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role sallyport login password :'password';
SQL
