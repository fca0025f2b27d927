#!/bin/sh
# run.sh RADDLE PROGRAM OUTPUT JUDGE [LABEL...]: runs the evaluation and judges it, but for those
# labels. "nvcc" for PROGRAM compiles it with nvcc first. Exit code 77: there is no nvcc.
set -eu
raddle=$1
program=$2
output=$3
judge=$4
shift 4
if [ "$program" = nvcc ]; then
  nvcc=${RADDLE_NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)}
  if [ -z "$nvcc" ]; then
    echo "skipped: there is no nvcc on this machine"
    exit 77
  fi
  program=$output.program
  "$nvcc" -std=c++17 -cudart shared -gencode arch=compute_75,code=compute_75 \
    -Wno-deprecated-gpu-targets "$(dirname "$0")/evaluate.cu" -o "$program"
fi
"$raddle" run --functional -- "$program" "$output.records"
"$judge" "$output.records" but "$@"
rm "$output.records"
