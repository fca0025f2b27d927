#include "cuda/runtime/registered_memory.h"

#include <atomic>
#include <mutex>

#include "base/print_error.h"
#include "cuda/runtime/forks.h"
#include "cuda/runtime/runtime.h"
#include "memory/place.h"

namespace raddle::cuda {
namespace {

// All memory that was ever registered lies within this range.
std::atomic<Address> g_begin{~Address{0}}, g_end{0};

bool may_be_registered(Address from, std::uint64_t bytes) {
  return from < g_end.load() && from + bytes > g_begin.load() && !is_forked_child();
}

}  // namespace

void note_registered(Address from, std::uint64_t bytes) {
  if (from < g_begin.load()) g_begin = from;
  if (from + bytes > g_end.load()) g_end = from + bytes;
}

void host_unmaps(Address from, std::uint64_t bytes) {
  if (!may_be_registered(from, bytes)) return;
  const std::lock_guard lock(Runtime::mutex());
  Runtime::existing()->space().host_unmapped(from, bytes);
}

void tell_if_registered(const siginfo_t& info) {
  if (info.si_signo != SIGSEGV && info.si_signo != SIGBUS) return;
  const auto at = reinterpret_cast<Address>(info.si_addr);
  if (!may_be_registered(at, 1)) return;
  const memory::Allocation* allocation = Runtime::existing()->space().find(at);
  if (allocation == nullptr || !allocation->registered()) return;
  print_error(
      "raddle: access to {:#x}, where there is no memory: byte {} of {}, which the program has "
      "taken "
      "away without cudaHostUnregister\n",
      at, at - allocation->base, memory::allocation_text(*allocation));
}

}  // namespace raddle::cuda
