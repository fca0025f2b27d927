// Managed memory while kernels run, on GPUs that forbid the host to access it then: GPUs below
// compute capability 6.0, where cudaDevAttrConcurrentManagedAccess is 0 (CUDA C++ Programming
// Guide, "Unified Memory Programming", "GPU Exclusive Access To Managed Memory"). A program that
// accesses it gets a segmentation fault, as on such a GPU, and a message that names the allocation
// and the kernel.
//
// From a launch until a call has waited for it, the pages are protected against the host. Within
// calls they are open, since the simulator works on them. On other GPUs these functions do nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/address_space.h"

namespace raddle::cuda {

class Runtime;
struct Stream;

/// Whether the GPU allows the access: from compute capability 6.0 on.
bool concurrent_managed_access(const Runtime& runtime);

/// Memory of cudaMallocManaged comes (note) or goes (forget). `for_host`: cudaMemAttachHost.
void note_managed(Runtime& runtime, Address base, std::uint64_t bytes, bool for_host);
void forget_managed(Address base);
/// Variables that the host itself has at [begin, end). If they share pages with other data, the
/// host can always access them.
void note_managed_section(Runtime& runtime, const std::byte* begin, const std::byte* end);
/// cudaStreamAttachMemAsync: with cudaMemAttachSingle only kernels of `stream` count, with
/// cudaMemAttachHost none do.
void attach_managed(Address base, const Stream& stream, unsigned flags);

/// Called where the simulator begins to work (open), and where the program continues (close), with
/// Runtime::mutex() held.
void open_managed(Runtime& runtime);
void close_managed(Runtime& runtime);

/// Managed memory is open as long as this object lives.
class ManagedOpen {
 public:
  explicit ManagedOpen(Runtime& runtime) : runtime_(runtime) { open_managed(runtime_); }
  ~ManagedOpen() { close_managed(runtime_); }
  ManagedOpen(const ManagedOpen&) = delete;
  ManagedOpen& operator=(const ManagedOpen&) = delete;

 private:
  Runtime& runtime_;
};

}  // namespace raddle::cuda
