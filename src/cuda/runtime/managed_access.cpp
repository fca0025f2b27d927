#include "cuda/runtime/managed_access.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <map>

#include "cuda/runtime/attributes.h"
#include "cuda/runtime/endings.h"
#include "cuda/runtime/runtime.h"
#include "cuda/runtime/signal_actions.h"
#include "isa/kernel_name.h"
#include "machine/chip_config.h"

namespace raddle::cuda {
namespace {

struct Managed {
  std::uint64_t bytes = 0;
  unsigned attached = cudaMemAttachGlobal;
  std::uint32_t stream = 0;  // cudaMemAttachSingle
  bool closed = false;
};

/// By address. Empty on a GPU that allows the access.
std::map<Address, Managed>& managed_memory() {
  static auto* all = forgotten_at_reset(new std::map<Address, Managed>);
  return *all;
}

bool g_any_closed = false;
struct sigaction g_before = {};  // the action before tell_access() was installed
/// Depth of calls: a stream's host function can make calls within a call.
unsigned g_open = 0;

void protect(Address base, const Managed& one, int how) {
  mprotect(reinterpret_cast<void*>(base), one.bytes, how);
}

/// Reports that the program accesses closed memory. Then restores the previous action, which
/// handles the access.
void tell_access(int, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<Address>(info->si_addr);
  const std::lock_guard lock(Runtime::mutex());
  const auto after = managed_memory().upper_bound(at);
  const auto found = after == managed_memory().begin() ? managed_memory().end() : std::prev(after);
  Runtime* runtime = Runtime::existing();
  const bool ours = runtime != nullptr && found != managed_memory().end() && found->second.closed &&
                    at - found->first < found->second.bytes;
  system_sigaction(SIGSEGV, &g_before, nullptr);
  if (!ours) return;
  const memory::Allocation* allocation = runtime->space().find(at);  // nullptr between variables
  const Address base = allocation == nullptr ? found->first : allocation->base;
  const isa::Function* kernel = runtime->device().latest_kernel();
  runtime->tell(fmt::format(
      "the host accesses byte {} of managed memory '{}' ({} bytes at {:#x}) while kernel {} runs, "
      "or "
      "has not been waited for: on a GPU of compute capability {}.{} that is a segmentation fault "
      "(cudaDevAttrConcurrentManagedAccess is 0). Call cudaDeviceSynchronize before, or use a GPU "
      "of "
      "6.0 or later",
      at - base, allocation == nullptr ? "" : allocation->name,
      allocation == nullptr ? found->second.bytes : allocation->size, base,
      kernel == nullptr ? "" : isa::kernel_name(kernel->name),
      runtime->config().gpu.compute_major.value(), runtime->config().gpu.compute_minor.value()));
}

/// Leaves a handler of the program's own alone.
void catch_accesses() {
  struct sigaction now = {};
  if (system_sigaction(SIGSEGV, nullptr, &now) != 0) return;
  const bool none = (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
  if (!none && !is_of_endings(now)) return;
  g_before = now;
  struct sigaction ours = {};
  ours.sa_sigaction = tell_access;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  system_sigaction(SIGSEGV, &ours, nullptr);
}

bool in_use(Runtime& runtime, const Managed& one) {
  if (one.attached == cudaMemAttachHost) return false;
  if (one.attached == cudaMemAttachGlobal) return runtime.device().unawaited_kernels();
  return runtime.device().unawaited_kernels_of(one.stream);
}

}  // namespace

bool concurrent_managed_access(const Runtime& runtime) {
  return attribute(runtime.config(), cudaDevAttrConcurrentManagedAccess).value_or(0) != 0;
}

void note_managed(Runtime& runtime, Address base, std::uint64_t bytes, bool for_host) {
  if (base == 0 || concurrent_managed_access(runtime)) return;
  Managed one;
  one.bytes = bytes;
  one.attached = for_host ? cudaMemAttachHost : cudaMemAttachGlobal;
  managed_memory()[base] = one;
}

void note_managed_section(Runtime& runtime, const std::byte* begin, const std::byte* end) {
  const auto page = static_cast<Address>(sysconf(_SC_PAGESIZE));
  const auto from = reinterpret_cast<Address>(begin), to = reinterpret_cast<Address>(end);
  if (from % page == 0 && to % page == 0) note_managed(runtime, from, to - from, false);
}

void forget_managed(Address base) { managed_memory().erase(base); }

void attach_managed(Address base, const Stream& stream, unsigned flags) {
  const auto found = managed_memory().find(base);
  if (found == managed_memory().end()) return;
  found->second.attached = flags;
  found->second.stream = stream.id;
}

void open_managed(Runtime&) {
  if (g_open++ != 0 || !g_any_closed) return;
  g_any_closed = false;
  for (auto& [base, one] : managed_memory()) {
    if (std::exchange(one.closed, false)) protect(base, one, PROT_READ | PROT_WRITE);
  }
}

void close_managed(Runtime& runtime) {
  if (--g_open != 0 || !runtime.device().unawaited_kernels()) return;
  for (auto& [base, one] : managed_memory()) {
    if (!in_use(runtime, one)) continue;
    protect(base, one, PROT_NONE);
    g_any_closed = one.closed = true;
  }
  if (g_any_closed) catch_accesses();
}

}  // namespace raddle::cuda
