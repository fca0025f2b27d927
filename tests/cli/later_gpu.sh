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

# A program whose managed variables get no memory ends, and says why.
cat > "$program.cu" <<'END'
#include <cstdio>
__device__ __managed__ int value = 3;
__global__ void add() { value = value + 1; }
int main() {
  std::printf("main begins\n");
  add<<<1, 1>>>();
  cudaDeviceSynchronize();
  return value == 4 ? 0 : 1;
}
END
ends() {
  if "$raddle" run -q --gpu "$1" "$program" > "$program.log" 2>&1; then
    echo "a $1 ran it"
    exit 1
  fi
  expect "the program ends here: .*__managed__ variables"
  expect "$2"
}
"$raddle" cc -arch=sm_75 "$program.cu" -o "$program"
ends v100 "raddle run --gpu gtx1650s"

nvcc=${RADDLE_NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)}
[ -n "$nvcc" ] || exit 0
compile() { "$nvcc" -cudart shared -Wno-deprecated-gpu-targets "$@" "$program.cu" -o "$program"; }
compile -gencode arch=compute_75,code=compute_75
ends v100 "raddle run --gpu gtx1650s"
# Machine code for the simulated GPU is of no use: the message says how to get PTX for it.
compile -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90
ends a100 "nvcc -gencode arch=compute_80,code=compute_80"
ends rtx3090 "nvcc -gencode arch=compute_86,code=compute_86"
"$raddle" run -q --gpu h200 "$program" > "$program.log" 2>&1
# Of relocatable code only what the program needs must be for the GPU: NVIDIA's device runtime, which
# nvcc links to it, may be for later ones.
compile -rdc=true -gencode arch=compute_75,code=compute_75
"$raddle" run -q --gpu gtx1650s "$program" > "$program.log" 2>&1
if grep "^raddle" "$program.log"; then exit 1; fi
