// Managed memory while kernels run, on GPUs that do not allow the host to touch it then: those below
// compute capability 6.0, where cudaDevAttrConcurrentManagedAccess is 0 (CUDA C++ Programming Guide,
// "Unified Memory Programming", "GPU Exclusive Access To Managed Memory"). A program that touches it
// gets a segmentation fault, as on such a GPU, and is told which allocation it was and which kernel.
//
// From a launch until a call has waited for it, the pages are out of the host's reach; within calls,
// where the simulator works on them, they are not. Elsewhere all of this does nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/address_space.h"

namespace raddle::cuda {

class Runtime;
struct Stream;

/// Whether the GPU allows it: from compute capability 6.0 on.
bool concurrent_managed_access(const Runtime& runtime);

/// Memory of cudaMallocManaged is there, or goes. `for_host`: cudaMemAttachHost.
void note_managed(Runtime& runtime, Address base, std::uint64_t bytes, bool for_host);
void forget_managed(Address base);
/// Variables that the host itself has at [begin, end): where they do not have their pages for
/// themselves, the host can always touch them.
void note_managed_section(Runtime& runtime, const std::byte* begin, const std::byte* end);
/// cudaStreamAttachMemAsync: with cudaMemAttachSingle only kernels of `stream` count, with
/// cudaMemAttachHost none do.
void attach_managed(Address base, const Stream& stream, unsigned flags);

/// Where the simulator is about to work, and where the program goes on. With Runtime::mutex() held.
void open_managed(Runtime& runtime);
void close_managed(Runtime& runtime);

/// Open for as long as it lives.
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
