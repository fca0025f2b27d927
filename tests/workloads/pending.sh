#!/bin/sh
# pending.sh RADDLE: --pending-launches sets the limit that launches of a workload meet, and 0 leaves
# the GPU's. What is refused a launch is done without, so only the counters show it.
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# refused LIMIT OPTIONS...: launches that a join of 512 rows is refused on a GPU with that limit.
refused() {
  limit=$1
  shift
  "$raddle" run --set cdp.pending_launches="$limit" --stats "$folder/stats.json" \
    -- join --variant cdp --scale 9 --keys gaussian "$@" > /dev/null 2> "$folder/messages"
  sed -n '/^ *"units": {/,/^ *"merged": {/s/.*"refused": \([0-9]*\).*/\1/p' "$folder/stats.json"
}

raddle=$1
test "$(refused 1)" -eq 0
test "$(refused 1 --pending-launches 0)" -gt 0
test "$(refused 1000 --pending-launches 0)" -eq 0
test "$(refused 1000 --pending-launches 1)" -gt 0
