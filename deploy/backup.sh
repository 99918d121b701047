#!/bin/sh
# Writes a backup of a lab's database, from which it can be restored, and looks whether it can be read:
#   PGPASSWORD=… deploy/backup.sh postgres://fieldbench@host/fieldbench /backups
# The key of the secrets is not in it: keep lab.key elsewhere, since the one without the other opens nothing.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: backup.sh postgres://user@host/database FOLDER" >&2
  exit 2
fi
store=$1
folder=$2
name="$folder/fieldbench-$(date -u +%Y%m%dT%H%M%SZ).dump"

umask 077
mkdir -p "$folder"
# One moment of all tables, while the services go on. Blocks are packed already: little is gained by packing them more.
pg_dump --format=custom --compress=1 --no-owner --file="$name.part" "$store"
pg_restore --list "$name.part" >/dev/null
sync "$name.part"
mv "$name.part" "$name"
sync "$folder"
echo "$name"
