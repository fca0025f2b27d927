#!/bin/sh
# shared_rows.sh RADDLE: where a graph has a row of a warp's worth of arcs, worklists share long rows out
# by default, the one in hardware as that in software; elsewhere a thread has its vertex's row.
set -eu
raddle=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# kernel PROGRAM IMPLEMENTATION ARGUMENTS...: the kernel that relaxes arcs.
kernel() {
  program=$1 implementation=$2
  shift 2
  with=
  if [ "$implementation" = hardware ]; then with="--with hwwl"; fi
  # shellcheck disable=SC2086
  "$raddle" run -q --functional --gpu fermi-4core $with --stats "$folder/stats.json" \
    -- "$program" --implementation "$implementation" "$@" > /dev/null
  grep -o 'relax_by_[a-z]*' "$folder/stats.json" | sort -u
}

for program in worklist_bfs worklist_sssp; do
  for implementation in software hardware; do
    test "$(kernel $program $implementation --input rmat --scale 8)" = relax_by_block
    test "$(kernel $program $implementation --input road --scale 8)" = relax_by_thread
    test "$(kernel $program $implementation --input rmat --scale 8 --rows thread)" = relax_by_thread
    test "$(kernel $program $implementation --input road --scale 8 --rows shared)" = relax_by_block
  done
done
