#!/bin/bash
# Installs, starts, updates and removes a .deb in a Debian of its own, as whoever does it there: root for the package, a plain
# user for the app. Run in a mount namespace of its own (unshare --mount), so that nothing of it is left:
#   in-debian.sh PROJECT BASE OLDER.deb NEWER.deb
# BASE is a folder with a bare Debian (debootstrap), which is not changed. Each step says its name; the first that fails ends it.
set -eu
project=$1 base=$2 older=$3 newer=$4

layer=$(mktemp -d)
mount -t tmpfs none "$layer"
mkdir "$layer"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=$base,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
cd "$layer/root"
mkdir -p old project
cp "$older" tmp/older.deb
cp "$newer" tmp/newer.deb
cp /etc/resolv.conf etc/resolv.conf
mount -t proc proc proc
mount --rbind /dev dev
mount --bind "$project" project
mount -o remount,bind,ro project
# Not chroot: a process in one gets no user namespaces, and Chromium no sandbox.
pivot_root . old
umount -l /old
cd /

export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
step() { echo "== $*"; }
fail() {
  echo "failed: $*" >&2
  exit 1
}
apt() { apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >/tmp/apt.log 2>&1 || { tail -40 /tmp/apt.log >&2 && fail "apt-get install $*"; }; }
# The plain user's command line; the stand-in takes Electron's place (runtime.ts).
tech() {
  setpriv --reuid=tech --regid=tech --clear-groups env -i HOME=/home/tech PATH=/usr/bin:/bin LC_ALL=C.UTF-8 \
    FIELDBENCH_STAND_IN_FOLDER=/project/test/electron-stand-in FIELDBENCH_STAND_IN_NODE=/project/node_modules/node/bin/node "$@"
}
ports=(--port 0 --http-port 0 --mqtt-port 0)
start() {
  rm -f /home/tech/ready.json
  tech fieldbench --ready-file /home/tech/ready.json "${ports[@]}" >/tmp/app.log 2>&1 &
  app=$!
  for _ in $(seq 600); do
    [ -s /home/tech/ready.json ] && return
    kill -0 $app 2>/dev/null || { cat /tmp/app.log >&2 && fail "the app ended"; }
    sleep 0.1
  done
  fail "the app was not ready within a minute"
}
stop() {
  tech fieldbench stop >/dev/null || fail "fieldbench stop"
  wait $app || { cat /tmp/app.log >&2 && fail "the app ended with $?"; }
}
# Names of the projects after making one of the name that is given, if any.
projects() {
  /project/node_modules/node/bin/node --input-type=module - "$@" <<'JS'
import { readFileSync } from 'node:fs';
const { http_url, api_key } = JSON.parse(readFileSync('/home/tech/ready.json', 'utf8'));
const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
const [name] = process.argv.slice(2);
const url = `${http_url}/_local/v1/projects`;
if (name !== undefined) await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name }) });
const { data } = await (await fetch(`${http_url}/v2/projects`, { headers })).json();
console.log(data.map((project) => project.name).join(' '));
JS
}

step prepare
useradd --create-home tech
apt-get update -qq
# What a desktop has, and the browser that is the stand-in's window.
apt apparmor chromium-headless-shell

step install
! dpkg -s libsecret-1-0 >/dev/null 2>&1 || fail "libsecret-1-0 was there before"
apt /tmp/older.deb
dpkg -s libsecret-1-0 >/dev/null || fail "libsecret-1-0 did not come along"
dpkg -s libasound2t64 >/dev/null || fail "another library of sounds came along, or none"
[ "$(stat -c %a:%U /opt/fieldbench/chrome-sandbox)" = 4755:root ] || fail "Chromium's helper is not root's"
# AppArmor's own compiler has taken it.
cmp /etc/apparmor.d/fieldbench /opt/fieldbench/resources/apparmor-profile
[ -z "$(find /opt/fieldbench ! -user root -o -perm /022 ! -type l)" ] || fail "others may write to the program"

step start
start
grep -q 'this system has no keychain that answers' /tmp/app.log || fail "nobody was told where secrets are"
tech fieldbench status | grep -q 'vault *file'
[ "$(projects Rig)" = Rig ]
[ -d "/home/tech/.config/Fieldbench Desktop" ]

step update
apt /tmp/newer.deb
# The running app goes on, and is asked to end by the new one's own command.
[ "$(projects)" = Rig ]
[ "$(dpkg-query -W -f '${Version}' fieldbench)" != "$(dpkg-deb -f /tmp/older.deb Version)" ]
[ -f /etc/apparmor.d/fieldbench ] || fail "the update took the profile away"
stop
start
[ "$(projects)" = Rig ] || fail "the data did not outlive the update"
stop

step remove
apt-get purge -y -qq fieldbench >/tmp/apt.log 2>&1 || fail "apt-get purge"
for gone in /opt/fieldbench /usr/bin/fieldbench /etc/apparmor.d/fieldbench /usr/share/applications/fieldbench.desktop; do
  [ ! -e "$gone" ] || fail "$gone was left"
done
[ -f /home/tech/.local/share/Fieldbench/metadata.json ] || fail "data went with the program"
step done
