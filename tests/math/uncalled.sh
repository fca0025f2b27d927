#!/bin/sh
# uncalled.sh RADDLE TESTS: fails if a function of functions.txt, the CUDA Math API, is called by no
# test program in the folder TESTS. Tables of functions are preprocessed, which makes their names.
set -eu
raddle=$1
tests=$2
list=$(mktemp -d)
trap 'rm -r "$list"' EXIT
for table in math/evaluate.cu programs/simd_intrinsics.cu programs/conversions.cu \
  programs/narrow_functions.cu; do
  "$raddle" cc -std=c++17 -E "$tests/$table" |
    awk -v tests="$tests/" '/^# [0-9]+ "/ { keep = index($3, tests); next } keep' >"$list/$(basename $table)"
done
find "$tests" -name '*.cu' -exec cat {} + >"$list/programs"
cat "$list"/* | grep -oE '[A-Za-z_][A-Za-z_0-9]* *\(' | tr -d ' (' | LC_ALL=C sort -u >"$list/called"
LC_ALL=C sort -u "$tests/math/functions.txt" >"$list/wanted"
uncalled=$(LC_ALL=C comm -23 "$list/wanted" "$list/called")
[ -z "$uncalled" ] && exit 0
echo "functions of the CUDA Math API that no test calls:" $uncalled
exit 1
