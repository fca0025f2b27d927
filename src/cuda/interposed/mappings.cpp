// Functions of the C library by which a program unmaps memory, which it may have registered.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "cuda/runtime/registered_memory.h"

namespace {

void taken_away(void* memory, std::size_t bytes) {
  raddle::cuda::host_unmaps(reinterpret_cast<raddle::Address>(memory), bytes);
}

}  // namespace

extern "C" {

int munmap(void* memory, std::size_t bytes) noexcept {
  taken_away(memory, bytes);
  return static_cast<int>(syscall(SYS_munmap, memory, bytes));
}

void* mremap(void* memory, std::size_t bytes, std::size_t new_bytes, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* const target = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void*) : nullptr;
  va_end(list);
  const long result = syscall(SYS_mremap, memory, bytes, new_bytes, flags, target);
  auto* const now = reinterpret_cast<void*>(result);
  if (now == MAP_FAILED) return now;
  if (now != memory) taken_away(memory, bytes);
  if (now == memory && new_bytes < bytes) {
    taken_away(static_cast<char*>(memory) + new_bytes, bytes - new_bytes);
  }
  return now;
}

}  // extern "C"
