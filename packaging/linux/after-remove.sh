#!/bin/sh
# Runs as root when the package is gone, not when another version took its place. Data of users stays (docs/install.md).
set -e

# Debian says what it does; of rpm it is how many versions are left.
case "$1" in remove | purge | abort-install | 0) ;; *) exit 0 ;; esac

installed=/etc/apparmor.d/fieldbench

if [ -f "$installed" ]; then
  if [ -d /sys/kernel/security/apparmor ] && command -v apparmor_parser >/dev/null 2>&1 &&
    ! { command -v ischroot >/dev/null 2>&1 && ischroot; }; then
    apparmor_parser --remove "$installed" || true
  fi
  rm -f "$installed"
fi
