#!/bin/sh
# A systemd user manager of its own for one test, in a mount namespace (systemd asks whether /run/systemd/system is there)
# and in control groups of its own. Lives until its input closes. $1: a name for the control groups.
set -eu
mkdir -p -m 700 "$XDG_RUNTIME_DIR"
mount -t tmpfs none /run
mkdir -p /run/systemd/system
groups=$(awk '$3 == "cgroup2" || ($3 == "cgroup" && $4 ~ /name=systemd/) { print $2 }' /proc/mounts)
for root in $groups; do
  mkdir "$root/$1"
  echo $$ > "$root/$1/cgroup.procs"
done
leave() {
  systemctl --user exit 2>/dev/null || true
  wait "$manager" 2>/dev/null || true
  for root in $groups; do
    echo $$ > "$root/cgroup.procs"
    find "$root/$1" -depth -type d -exec rmdir {} \; 2>/dev/null || true
  done
}
/lib/systemd/systemd --user --log-target=console --log-level=warning </dev/null >&2 &
manager=$!
trap 'leave "$1"' EXIT
until [ -S "$XDG_RUNTIME_DIR/systemd/private" ]; do kill -0 "$manager"; sleep 0.05; done
echo ready
cat >/dev/null
