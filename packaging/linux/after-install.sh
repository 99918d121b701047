#!/bin/sh
# Runs as root when a .deb or an .rpm has been unpacked. It touches no user's files and stops no running app: that goes on
# with the files that it has open, and its next start is the new version.
set -e

profile=/opt/fieldbench/resources/apparmor-profile
installed=/etc/apparmor.d/fieldbench

# An AppArmor older than 4 does not know the profile, nor forbids what it allows.
if command -v apparmor_parser >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --skip-cache "$profile" >/dev/null 2>&1; then
  mkdir -p "$(dirname "$installed")"
  cp "$profile" "$installed"
  # Not in a chroot, as where an image is made: the kernel is not that system's own.
  if [ -d /sys/kernel/security/apparmor ] && ! { command -v ischroot >/dev/null 2>&1 && ischroot; }; then
    apparmor_parser --replace --write-cache --skip-read-cache "$installed" ||
      echo "fieldbench: AppArmor did not take the profile $installed; the app may have no sandbox to start in." >&2
  fi
fi

# Systems whose packages tell their own indexes do it by themselves.
if command -v update-desktop-database >/dev/null 2>&1; then
  update-desktop-database -q /usr/share/applications || true
fi
if command -v gtk-update-icon-cache >/dev/null 2>&1; then
  gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true
fi
