#!/bin/sh
# What was built, as one program without a script among its arguments: an installed app for FIELDBENCH_INSTALLED.
root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
export FIELDBENCH_STAND_IN="packaged ${FIELDBENCH_STAND_IN:-}"
exec "$root/node_modules/.bin/node" "$root/test/electron-stand-in/run.ts" "$root/out/main/main.js" "$@"
