#!/bin/sh
# preempted.sh RADDLE WORKLOAD [arguments...]: when blocks are preempted at random, the program finds
# its results right; what it prints and every statistic are the same with one thread and with three,
# and when no idle cycle is skipped. RADDLE_GPU chooses the GPU, RADDLE_WITH mechanisms, and
# RADDLE_EVERY how often.
set -eu
raddle=$1
shift
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for way in "1 true" "3 false"; do
  # shellcheck disable=SC2086 # two words
  set -- $way "$@"
  threads=$1
  skip_idle=$2
  shift 2
  # shellcheck disable=SC2086
  "$raddle" run -q --gpu "${RADDLE_GPU:-v100}" ${RADDLE_WITH:+--with "$RADDLE_WITH"} \
    --set gpu.preempt_every="${RADDLE_EVERY:-500}" --set gpu.skip_idle="$skip_idle" \
    --threads "$threads" --stats "$folder/statistics" -- "$@" >"$folder/output.$threads"
  # All but the last section: the host's time and memory; and the setting that differs.
  sed -e '/^ "host"/,$d' -e '/"gpu.skip_idle"/d' "$folder/statistics" >"$folder/statistics.$threads"
done
grep -qE '"preempted_blocks": ([2-9]|[1-9][0-9]+)' "$folder/statistics.1"
cmp "$folder/output.1" "$folder/output.3"
cmp "$folder/statistics.1" "$folder/statistics.3"
