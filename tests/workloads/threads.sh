#!/bin/sh
# threads.sh RADDLE WORKLOAD [arguments...]: what the program prints and every statistic are the same
# with one, two and three host threads, and when no idle cycle is skipped. RADDLE_GPU chooses the GPU,
# RADDLE_WITH mechanisms.
set -eu
raddle=$1
shift
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for threads in 1 2 3; do
  skip_idle=true
  if [ "$threads" = 2 ]; then skip_idle=false; fi
  # shellcheck disable=SC2086
  "$raddle" run -q --gpu "${RADDLE_GPU:-v100}" ${RADDLE_WITH:+--with "$RADDLE_WITH"} --threads $threads \
    --set gpu.skip_idle=$skip_idle --stats "$folder/statistics" -- "$@" >"$folder/output.$threads"
  # All but the last section: the host's time and memory; and the setting that differs.
  sed -e '/^ "host"/,$d' -e '/"gpu.skip_idle"/d' "$folder/statistics" >"$folder/statistics.$threads"
done
grep -q '"warp_instructions"' "$folder/statistics.1"
for threads in 2 3; do
  cmp "$folder/output.1" "$folder/output.$threads"
  cmp "$folder/statistics.1" "$folder/statistics.$threads"
done
