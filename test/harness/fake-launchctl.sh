#!/bin/sh
# Stands in for macOS's `launchctl` and for launchd behind it: `bootstrap` starts what the property list says, with that
# environment and no other; `bootout` asks it to end and returns before it has. $LAUNCHD_FOLDER holds what is loaded.
set -u
echo "$*" >> "$LAUNCHD_FOLDER/calls"
verb=$1
target=$2
domain="gui/$(id -u)"
label=${target#"$domain/"}
job="$LAUNCHD_FOLDER/$label.job"

fail() { echo "$2" >&2; exit "$1"; }
runs() { kill -0 "$(cat "$job")" 2>/dev/null; }
loaded() {
  [ -e "$job" ] || return 1
  runs || [ ! -e "$job.leaving" ] || { rm -f "$job" "$job.leaving"; return 1; }
}

case $verb in
  print)
    [ "$target" != "$domain" ] || exit 0
    loaded || fail 113 "Could not find service \"$label\" in domain for user gui: $(id -u)"
    if runs; then state="running
	pid = $(cat "$job")"; else state="not running
	last exit code = 0"; fi
    printf '%s = {\n\tactive count = 1\n\tstate = %s\n}\n' "$target" "$state" ;;
  enable) ;;
  bootstrap)
    [ "$target" = "$domain" ] || fail 125 'Bootstrap failed: 125: Domain does not support specified action'
    label=$(basename "$3" .plist)
    job="$LAUNCHD_FOLDER/$label.job"
    ! loaded || fail 5 'Bootstrap failed: 5: Input/output error'
    cp "$3" "$job.plist"
    exec "$NODE" "$START" "$job" ;;
  bootout)
    loaded || fail 3 'Boot-out failed: 3: No such process'
    : > "$job.leaving"
    ! runs || kill -TERM "$(cat "$job")" ;;
  kickstart)
    loaded || fail 113 "Could not find service \"$label\""
    runs || exec "$NODE" "$START" "$job" ;;
  *) fail 64 "unknown subcommand $verb" ;;
esac
