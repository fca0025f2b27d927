#!/bin/sh
# What HACKING.md quotes is what is compiled: each ```cpp block stands behind a line
# `<!-- tests/hacking/NAME.cpp -->`, and is that file without what comes before its first #include.
cd "$1" || exit 2
quoted=$(mktemp) file=$(mktemp)
trap 'rm -f "$quoted" "$file"' EXIT
status=0 count=0
for name in $(sed -nE 's/^<!-- (tests\/hacking\/[a-z_]+\.(cpp|h)) -->$/\1/p' HACKING.md); do
  count=$((count + 1))
  awk -v mark="<!-- $name -->" '$0 == mark {near = 1; next}
    near && /^```cpp$/ {on = 1; near = 0; next} /^```/ {on = 0} on' HACKING.md >"$quoted"
  awk '/^#include/ {on = 1} on' "$name" >"$file"
  diff "$file" "$quoted" >&2 || { echo "$name is not what HACKING.md quotes"; status=1; }
done
blocks=$(grep -c '^```cpp$' HACKING.md)
[ "$blocks" = "$count" ] || { echo "$blocks blocks of C++, $count of them from files"; status=1; }
for file_name in tests/hacking/*.cpp; do
  case $file_name in *_test.cpp) continue ;; esac
  grep -qx "<!-- $file_name -->" HACKING.md || { echo "HACKING.md does not quote $file_name"; status=1; }
done
exit $status
