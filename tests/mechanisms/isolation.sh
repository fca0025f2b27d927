#!/bin/sh
# No file outside src/mechanisms and tests/mechanisms includes a mechanism's header, and within
# src/mechanisms only those whose registration says that they need it.
cd "$1" || exit 2
wrong=$(grep -rnE '#include "mechanisms/' --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
  src cli tests bench fuzz workloads include | grep -vE '^(src|tests)/mechanisms/')
for folder in src/mechanisms/*/; do
  name=$(basename "$folder")
  needs=$(sed -nE "s/^raddle_mechanism\\($name DEPENDS (.*)\\)/\\1/p" src/mechanisms/CMakeLists.txt)
  allowed=$(echo "$name $needs" | tr ' ' '|')
  wrong="$wrong$(grep -rnE '#include "mechanisms/' "$folder" | grep -vE "mechanisms/($allowed)/[^/]*\.h")"
done
[ -z "$wrong" ] && exit 0
echo "$wrong"
exit 1
