#!/bin/sh
# One more setting or statistic, or policy, makes few objects be compiled again: none of the headers
# that they are declared in, or listed in, may be included by more than MOST. The numbers come from
# what the compiler has told ninja.
cd "$1" || exit 2
build=$2 most=$3
ninja -C "$build" -t deps >/dev/null 2>&1 || exit 77  # not built by ninja

declared=$(grep -rlE --include='*.h' \
  '^ +(Field<.*>|TextField|Counter|Peak|Mean|Formula|Histogram<.*>|Log2Histogram<.*>) [a-z0-9_]+[{,;]' \
  src/machine src/mechanisms)
[ "$(echo "$declared" | wc -l)" -gt 20 ] || { echo "no settings and statistics found"; exit 2; }
listed=$(find src/machine -name kinds.h)

# "OBJECT: #deps N, ..." and, indented, what it includes; objects of targets that are no more are not
# counted.
ninja -C "$build" -t targets all | sed -n 's/\.o: .*/.o/p' >"$build/objects.$$"
ninja -C "$build" -t deps | awk -v objects="$build/objects.$$" -v headers="$declared $listed" -v most="$most" '
  BEGIN {
    while ((getline object < objects) > 0) built[object] = 1
    n = split(headers, header, /[ \n]+/)
    for (i = 1; i <= n; ++i) counted[header[i]] = 1
  }
  /^[^ ]/ { sub(/:.*/, ""); object = $0 in built ? $0 : ""; next }
  object != "" {
    sub(/^.*\/src\//, "src/")
    if ($0 in counted) {
      ++count[$0]
      who[$0] = who[$0] "\n  " object
    }
  }
  END {
    for (name in count)
      if (count[name] > most) {
        printf "%s: %d objects include it, %d may%s\n", name, count[name], most, who[name]
        wrong = 1
      }
    exit wrong
  }'
result=$?
rm -f "$build/objects.$$"
exit $result
