#!/bin/sh
# later_gpu.sh RADDLE FOLDER: code for a later GPU than the simulated one: a GPU that was named refuses
# it, the default one runs it and says so; code for any GPU runs on the oldest.
set -eu
raddle=$1
program=$2/later_gpu
"$raddle" cc -arch=sm_75 "$RADDLE_ROOT/examples/saxpy.cu" -o "$program"
expect() { grep -q -- "$1" "$program.log" || { cat "$program.log"; echo "no: $1"; exit 1; }; }
if "$raddle" run -q --gpu v100 "$program" > "$program.log" 2>&1; then
  echo "a V100 ran code for sm_75"
  exit 1
fi
expect "Tesla V100.*compute capability 7.0"
expect "raddle run --gpu gtx1650s"
"$raddle" run -q --gpu v100 --lenient "$program" > "$program.log" 2>&1
expect "saxpy of 100000 elements is right"
"$raddle" run -q "$program" > "$program.log" 2>&1
expect "the default one, Tesla K20c (compute capability 3.5, Kepler of 2012)"
"$raddle" run -q --gpu gtx1650s "$program" > "$program.log" 2>&1
if grep "^raddle" "$program.log"; then exit 1; fi
"$raddle" cc "$RADDLE_ROOT/examples/saxpy.cu" -o "$program"
"$raddle" run -q --gpu fermi-c2075 "$program" > "$program.log" 2>&1
expect "saxpy of 100000 elements is right"
