// Memory of runtimes that are gone. cudaFree waits for all that runs on the GPU, and would wait for
// ever for the MasterKernel of another runtime: memory goes with the last of them.
#pragma once

#include <cuda_runtime.h>

#include <mutex>
#include <vector>

namespace raddle::tasks::detail {

class Remains {
 public:
  /// Of all runtimes of the process.
  static Remains& all() {
    static Remains one;
    return one;
  }

  void runtime_begins() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++runtimes_;
  }
  /// Its MasterKernel has ended. `device`: of cudaMalloc; `pinned`: of cudaHostAlloc.
  void runtime_ends(const std::vector<void*>& device, const std::vector<void*>& pinned) {
    const std::lock_guard<std::mutex> lock(mutex_);
    device_.insert(device_.end(), device.begin(), device.end());
    pinned_.insert(pinned_.end(), pinned.begin(), pinned.end());
    if (--runtimes_ != 0) return;
    for (void* memory : device_) cudaFree(memory);
    for (void* memory : pinned_) cudaFreeHost(memory);
    device_.clear();
    pinned_.clear();
  }

 private:
  std::mutex mutex_;
  unsigned runtimes_ = 0;
  std::vector<void*> device_, pinned_;
};

}  // namespace raddle::tasks::detail
