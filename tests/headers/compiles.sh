#!/bin/sh
# compiles.sh RADDLE SOURCE OBJECT: the source, which uses headers of include/raddle/, compiles without
# a warning: with `raddle cc` for several architectures, and with nvcc, where there is one, for each that
# it has between compute capability 7.0 and 10.0.
set -eu
raddle=$1
source=$2
object=$3
include=$RADDLE_ROOT/workloads  # for what is one of them
quiet() {
  said=$("$@" 2>&1) || { echo "$*: fails: $said"; exit 1; }
  if [ -n "$said" ]; then
    echo "$*: $said"
    exit 1
  fi
}
for version in 70 80 90; do
  quiet "$raddle" cc -std=c++17 -arch=sm_$version -Wall -Wextra -Wshadow -I "$include" -c "$source" -o "$object"
done
quiet "$raddle" cc -std=c++17 -Wall -Wextra -Wshadow -I "$include" -c "$source" -o "$object"
nvcc=${RADDLE_NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)}
[ -n "$nvcc" ] || exit 0
known=$("$nvcc" --list-gpu-arch)
targets=
for version in 70 75 80 86 89 90 100; do
  case " $(echo "$known" | tr '\n' ' ') " in
    *" compute_$version "*) targets="$targets -gencode arch=compute_$version,code=sm_$version" ;;
  esac
done
# shellcheck disable=SC2086 # options are words
quiet "$nvcc" -std=c++17 -Wno-deprecated-gpu-targets -Xcompiler -Wall,-Wextra $targets \
  -I "$RADDLE_ROOT/include" -I "$include" -c "$source" -o "$object"
