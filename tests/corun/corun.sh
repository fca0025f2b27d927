#!/bin/bash
# corun.sh CASE RADDLE SOURCE FOLDER: what programs on one GPU do to one another. SOURCE: the root of the
# source tree; FOLDER: for what is compiled. Exit code 77: what the case needs is not on this machine.
set -eu
case=$1 raddle=$2 source=$3 folder=$4
mkdir -p "$folder/$case"
cd "$folder/$case"

fail() { echo "$case: $*"; for file in out err; do echo "--- $file"; cat $file; done; exit 1; }
# Compiles a program of this folder, or of tests/programs.
cc() {
  local file=$source/tests/corun/programs/$1.cu
  [ -e "$file" ] || file=$source/tests/programs/$1.cu
  # shellcheck disable=SC2046
  "$raddle" cc -std=c++17 $(sed -n 's|^// cc: ||p' "$file") "$file" -o "$1"
}
# corun CODE WORDS...: the exit code must be this.
corun() {
  local expected=$1 code=0
  shift
  "$raddle" corun "$@" > out 2> err || code=$?
  [ "$code" = "$expected" ] || fail "exit code $code, not $expected: raddle corun $*"
}
has() { grep -qE -- "$1" "$2" || fail "'$1' is not in $2"; }
lacks() { ! grep -qE -- "$1" "$2" || fail "'$1' is in $2"; }
# of FILE N MEMBER: of the n-th program.
of() { awk -v n="$2" -v member="\"$3\":" '$1 == "\"program\":" { ++at } at == n && $1 == member { gsub(",", "", $2); print $2; exit }' "$1"; }

case $case in
  two_workloads)
    corun 0 --stats s.json vecadd -- reduce
    has '^\[1\] vecadd: right' out
    has '^\[2\] reduce: right' out
    has '^\[2\] reduce +0 ' err
    [ "$(of s.json 1 kernels)" = 1 ] && [ "$(of s.json 2 kernels)" = 2 ] || fail "kernels"
    ;;
  three_at_once)
    corun 0 -q matmul --size 64 -- reduce -- vecadd
    for n in 1 2 3; do has "^\[$n\] .*right" out; done
    ;;
  one_faults)
    cc fault
    corun 3 ./fault -- matmul --size 256
    has '^\[1\] fault: cudaErrorIllegalAddress' out
    has '^\[1\] .*in kernel store_far at .*fault.cu:10' err
    has '^\[2\] matmul: right' out
    lacks '^\[2\].*out of bounds' err
    ;;
  one_kills_itself)
    cc killed
    corun 137 ./killed now -- matmul --size 256
    has '^\[2\] matmul: right' out
    ;;
  one_is_killed)
    cc killed
    "$raddle" corun ./killed -- matmul --size 512 > out 2> err &
    until grep -q process out; do sleep 0.05; done
    sleep 0.3
    kill -KILL "$(sed -n 's/^\[1\] process //p' out)"
    code=0
    wait $! || code=$?
    [ $code = 137 ] || fail "exit code $code"
    has '^\[2\] matmul: right' out
    ;;
  all_are_stopped)
    # The time of a kernel that has not ended is told. (Its instructions are not: they count at its end.)
    cc killed
    "$raddle" corun --stats s.json matmul --size 1024 -- ./killed > out 2> err &
    until grep -q process out; do sleep 0.05; done
    sleep 2
    kill -TERM $!
    code=0
    wait $! || code=$?
    [ $code = 143 ] || fail "exit code $code"
    [ "$(of s.json 2 cycles)" -gt 0 ] || fail "cycles: $(of s.json 2 cycles)"
    [ "$(of s.json 2 kernels)" = 1 ] || fail "kernels: $(of s.json 2 kernels)"
    ;;
  none_reads_anothers_memory)
    cc peek
    for n in 0 1 2 3; do
      rm -f addresses*
      corun 0 ./peek addresses -- ./peek addresses $n
      has '^\[2\] others: cudaErrorIllegalAddress' out
    done
    ;;
  same_in_every_run)
    for policy in shared partition time_slices client_priority; do
      slices=
      [ $policy != time_slices ] || slices='--set time_slices.cycles=20000'
      for run in 1 2 3; do
        threads=1 pressure=
        [ $run != 2 ] || threads=2
        # The third has to share this machine with something that keeps it busy.
        if [ $run = 3 ]; then
          sh -c 'while :; do :; done' & pressure=$!
        fi
        # shellcheck disable=SC2086
        corun 0 --policy $policy $slices --urgency 0,1 --threads $threads --stats $policy.$run.json \
          matmul --size 160 -- matmul --size 160
        [ -z "$pressure" ] || kill $pressure
        cmp $policy.1.json $policy.$run.json || fail "$policy: run $run differs"
      done
    done
    # That they do meet: else this would say little.
    [ "$(of shared.1.json 1 cycles)" != "$(of time_slices.1.json 1 cycles)" ] || fail "no slices"
    ;;
  slices_of_two_halves)
    # Blocks leave through an L2 cache whose halves keep copies of each other's lines.
    corun 0 --gpu a100 --policy time_slices --set time_slices.cycles=2000 matmul --size 192 -- matmul --size 192
    for n in 1 2; do has "^\[$n\] .*right" out; done
    ;;
  alone_is_as_raddle_run)
    for program in matmul reduce nw; do
      corun 0 -q --stats s.json $program
      "$raddle" run -q --with -cdp --stats own.json $program > /dev/null
      for member in cycles warp_instructions thread_instructions; do
        own=$(sed -n '/^ "totals": {/,$p' own.json | awk -v m="\"$member\":" '$1 == m { gsub(",", "", $2); print $2; exit }')
        [ "$(of s.json 1 $member)" = "$own" ] || fail "$program: $member $(of s.json 1 $member), not $own"
      done
    done
    ;;
  alone_tells_slowdown)
    corun 0 --alone --stats s.json matmul --size 256 -- matmul --size 256
    has 'weighted speedup [01]\.[0-9]+, fairness [01]\.[0-9]+' err
    # Both have the GPU at once, and it is one.
    awk -v a="$(of s.json 1 slowdown)" -v b="$(of s.json 2 slowdown)" 'BEGIN { exit !(a > 1 && b > 1) }' ||
      fail "nobody is slower with the other"
    ;;
  kinds_of_memory)
    for program in managed mapped async_pinned host_functions printf_buffer device_heap memory_pool graph_memory \
                   bindless_textures host_threads symbols grid_sync; do
      cc $program
      corun 0 -q ./$program -- reduce
    done
    ;;
  processes_of_a_program)
    cc twice
    corun 0 -q ./twice -- vecadd
    has '^\[1\] raddle: another process of this program uses the GPU' err
    # One after the other.
    corun 0 -q sh -c "'$raddle' run -q vecadd && '$raddle' run -q reduce" -- matmul --size 64
    has '^\[1\] reduce: right' out
    ;;
  program_without_gpu)
    corun 0 -q sh -c 'exit 0' -- vecadd
    has '^\[2\] vecadd: right' out
    corun 4 -q vecadd -- sh -c 'exit 4'
    ;;
  built_by_nvcc)
    nvcc=${RADDLE_NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null || true)}
    [ -n "$nvcc" ] || { echo "skipped: there is no nvcc on this machine"; exit 77; }
    for program in transpose managed; do
      "$nvcc" -std=c++17 -cudart shared -gencode arch=compute_75,code=compute_75 \
        -Wno-deprecated-gpu-targets -I "$source/include" "$source/tests/programs/$program.cu" -o $program
    done
    corun 0 --gpu gtx1650s ./transpose -- ./managed
    ;;
  *) echo "there is no case $case"; exit 2 ;;
esac
