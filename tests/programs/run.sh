#!/bin/sh
# run.sh RADDLE clang|nvcc PROGRAM.cu FOLDER: compiles the program into FOLDER and runs it on the
# simulated GPU, by value alone and timed. Exit code 77: this compiler is not on this machine.
# A line "// gpu: NAME" in the program chooses the GPU; "// cc: OPTIONS" adds compiler options,
# "// nvcc: OPTIONS" those of nvcc alone; "// run: OPTIONS" adds options of `raddle run`;
# "// with: NAMES" adds runs with these mechanisms switched on; "// runs: timed" or "functional" is one
# of the two ways alone; "// cuda: N" is for programs that older toolkits do not compile;
# "// compiler: NAME" for those that the other compiler has no syntax for; "// varies: WHY" for those
# whose counts by value alone differ from run to run; "// needs: HEADER" for those with a library that
# may be missing; "// links: NAME" for those that link lib<NAME>; "// stays: WHY" for those whose blocks
# must not be preempted. RADDLE_NVCC names the nvcc of another toolkit.
set -eu
raddle=$1
compiler=$2
source=$3
program=$4/$(basename "$source" .cu).$compiler

gpu=$(sed -n 's|^// gpu: ||p' "$source")
options=$(sed -n 's|^// cc: ||p' "$source")
settings=$(sed -n 's|^// run: ||p' "$source")
only_nvcc=$(sed -n 's|^// nvcc: ||p' "$source")
with=$(sed -n 's|^// with: ||p' "$source")
only=$(sed -n "s|^// compiler: ||p" "$source")
if [ -n "$only" ] && [ "$only" != "$compiler" ]; then
  echo "skipped: this program is for $only"
  exit 77
fi
needs=$(sed -n "s|^// needs: ||p" "$source")
if [ "$compiler" = clang ] && [ -n "$needs" ] && [ ! -e "/usr/include/$needs" ]; then
  echo "skipped: there is no <$needs> on this machine"
  exit 77
fi
links=$(sed -n "s|^// links: ||p" "$source")
options=$options${links:+ -l$links}
if [ "$compiler" = clang ]; then
  # shellcheck disable=SC2086 # options are words
  "$raddle" cc -std=c++17 $options "$source" -o "$program"
  # Faults and profiles name lines of the program, none of the headers that come with raddle.
  if grep -a "\.file.*\"$RADDLE_ROOT/cuda/" "$program"; then
    echo "device code has lines of the library's headers"
    exit 1
  fi
else
  nvcc=${RADDLE_NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)}
  if [ -z "$nvcc" ]; then
    echo "skipped: there is no nvcc on this machine"
    exit 77
  fi
  if [ -n "$links" ] && [ ! -e "$(dirname "$nvcc")/../lib64/lib$links.so" ]; then
    echo "skipped: there is no lib$links beside $nvcc"
    exit 77
  fi
  release=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\).*/\1/p')
  least=$(sed -n 's|^// cuda: ||p' "$source")
  if [ "${release:-99}" -lt "${least:-0}" ]; then
    echo "skipped: this program needs CUDA $least, and $nvcc is of $release"
    exit 77
  fi
  # shellcheck disable=SC2086
  "$nvcc" -std=c++17 -cudart shared -gencode arch=compute_75,code=compute_75 \
    -Wno-deprecated-gpu-targets -I "$RADDLE_ROOT/include" $options $only_nvcc "$source" -o "$program"
fi
varies=$(sed -n 's|^// varies: ||p' "$source")
runs=$(sed -n 's|^// runs: ||p' "$source")
# nvcc's oldest target is later than some of the GPUs.
lenient=
[ "$compiler" = clang ] || lenient=--lenient
run() {
  # shellcheck disable=SC2086
  "$raddle" run ${gpu:+--gpu "$gpu"} $lenient $settings "$@"
}
# Results do not depend on the number of host threads; only "host" is about this machine.
same() {
  for run in 1 2; do sed '/^ "host": {/,$d' "$program.$run.json" > "$program.$run.units"; done
  cmp "$program.1.units" "$program.2.units"
}
if [ "$runs" != timed ]; then
  run --functional --stats "$program.1.json" -- "$program"
  run --functional --threads 3 --stats "$program.2.json" -- "$program"
  [ -n "$varies" ] || same
fi
[ "$runs" = functional ] || run -- "$program"
# Blocks that are preempted at random compute the same: once for each program, since the machine does
# not know who compiled it.
if [ "$runs" != functional ] && [ "$compiler" = clang ] && ! grep -q '^// stays: ' "$source"; then
  run --set gpu.preempt_every=1000 -- "$program"
fi
if [ -n "$with" ]; then
  run --functional --with "$with" -- "$program"
  run --with "$with" --stats "$program.1.json" -- "$program"
  run --with "$with" --threads 2 --stats "$program.2.json" -- "$program"
  same
fi
