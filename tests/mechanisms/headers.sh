#!/bin/sh
# Mechanisms include headers of the machine that HACKING.md lists for them, and no others.
cd "$1" || exit 2
listed=$(sed -n '/^Mechanisms include these headers/,/^###/p' HACKING.md | grep -oE '`[a-z0-9_/]+\.h`' |
  tr -d '`' | tr '\n' '|')
wrong=$(grep -rnE '#include "(base|memory|ptx|isa|machine|report|cuda)/' src/mechanisms tests/hacking \
  --include='*.h' --include='*.cpp' | grep -v '_test.cpp:' | grep -vE "\"(${listed%|})\"")
[ -n "$listed" ] && [ -z "$wrong" ] && exit 0
echo "not listed in HACKING.md: $wrong"
exit 1
