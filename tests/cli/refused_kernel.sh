#!/bin/sh
# refused_kernel.sh RADDLE FOLDER: a program that ignores errors launches a kernel which cannot run: it is
# told by name, how many launches there were at the end, and --error-exit-code makes it fail.
set -eu
raddle=$1
program=$2/refused_kernel
cat > "$program.cu" <<'END'
__global__ void runs(int* out) { *out = 7; }
__global__ void needs_more() { asm volatile("wgmma.fence.sync.aligned;"); }
int main() {
  int *out, found = 0;
  cudaMalloc(&out, sizeof(int));
  needs_more<<<1, 32>>>();
  needs_more<<<1, 32>>>();
  runs<<<1, 1>>>(out);
  cudaMemcpy(&found, out, sizeof(int), cudaMemcpyDeviceToHost);
  return found == 7 ? 0 : 1;
}
END
"$raddle" cc -arch=sm_90a "$program.cu" -o "$program"
expect() { # the exit code, and the options
  code=$1
  shift
  found=0
  "$raddle" run -q --gpu h200 "$@" -- "$program" > "$program.log" 2>&1 || found=$?
  if [ "$found" != "$code" ] || ! grep -q "needs_more" "$program.log" ||
    ! grep -q "2 launches were refused" "$program.log"; then
    cat "$program.log"
    echo "exit code $found, expected $code"
    exit 1
  fi
}
expect 0
expect 9 --error-exit-code 9
expect 9 --error-exit-code 9 --functional
