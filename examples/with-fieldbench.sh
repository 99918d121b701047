#!/bin/sh
# Runs a command beside a service of its own, in memory, gone when the command ends: sh with-fieldbench.sh pytest
set -eu
folder=$(mktemp -d)
ready=$folder/ready.json
fieldbench serve --in-memory --port 0 --http-port 0 --mqtt-port 0 --ready-file "$ready" >"$folder/log" 2>&1 &
service=$!
trap 'kill $service 2>/dev/null || true; wait $service || true; rm -r "$folder"' EXIT
until [ -s "$ready" ]; do kill -0 $service 2>/dev/null || { cat "$folder/log" >&2; exit 1; }; sleep 0.05; done
FIELDBENCH_URL=$(sed -n 's/.*"http_url": "\(.*\)".*/\1/p' "$ready")
FIELDBENCH_KEY=$(sed -n 's/.*"api_key": "\(.*\)".*/\1/p' "$ready")
export FIELDBENCH_URL FIELDBENCH_KEY
"$@"
