#!/bin/sh
# Who may include whom: each folder of src/ only those above it in the list of HACKING.md, and the
# hardware units of src/machine nobody who, in the end, includes them.
cd "$1" || exit 2
wrong=$(mktemp) edges=$(mktemp)
trap 'rm -f "$wrong" "$edges"' EXIT

above=
for folder in $(sed -nE 's/^\| `src\/([a-z]+)\/`.*/\1/p' HACKING.md); do
  above="$above|$folder"
  grep -rnE '#include "[a-z_]+/' "src/$folder" --include='*.h' --include='*.cpp' |
    grep -vE "#include \"(${above#|})/" >>"$wrong"
done
for folder in src/*/; do
  grep -q "^| \`$folder\`" HACKING.md || echo "$folder is not in HACKING.md" >>"$wrong"
done

# What the whole machine knows of a grid is in dispatch/grid.h; settings are data, read by others too.
for unit in src/machine/*/; do
  name=$(basename "$unit")
  grep -rhoE '#include "machine/[a-z0-9_]+/[a-z0-9_]+' "$unit" | grep -vE '/dispatch/grid$|/config$' |
    sed -E 's|.*"machine/([a-z0-9_]+)/.*|\1|' | sort -u | grep -vx "$name" | sed "s/^/$name /"
done >"$edges"
tsort <"$edges" 2>&1 >/dev/null | sed 's/^tsort: /units that include each other: /' >>"$wrong"

[ -s "$wrong" ] || exit 0
cat "$wrong"
exit 1
