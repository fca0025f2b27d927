#!/bin/sh
# outlives_exit.sh LIBRARY...: programs call CUDA in the destructors of static objects, when objects
# that the libraries have made since main began would be destroyed already, and those that are
# thread_local are. So no function of the libraries has a static or thread_local object with a
# destructor: `static auto* one = new ...`, and cuda/runtime/per_thread.h. Objects of files are made
# before the program's and destroyed after them. Exit code 77: there is no objdump.
command -v objdump >/dev/null || exit 77
status=0
for library; do
  found=$(objdump -dC --no-show-raw-insn "$library" | awk '
    /^[0-9a-f]+ </ { name = $0; sub(/^[0-9a-f]+ /, "", name) }
    /call.*<__cxa_(thread_)?atexit@/ && name !~ /static_initialization|_GLOBAL__sub_I/ { print name }' |
    sort -u)
  [ -z "$found" ] && continue
  echo "$(basename "$library"): objects of these functions are destroyed before the program ends:"
  echo "$found"
  status=1
done
exit $status
