#pragma once

#include <cstdint>
#include <raddle/dynamic.cuh>
#include <string>

#include "common/device_buffer.h"
#include "common/options.h"

namespace raddle::workloads {

/// Block size of the kernels whose threads find pockets, and how many of their blocks a
/// multiprocessor should hold (which limits their registers). Together they fill the 2048 thread
/// slots of a Kepler multiprocessor, which index the aggregated group table (section 4.2).
constexpr unsigned parent_block = 256;
constexpr unsigned parent_blocks_per_sm = 8;

/// A kernel's argument about pockets of parallelism (dynamic-thread-block-launch, section 3.1). A
/// pocket of `threshold` items or more is launched, in blocks of `block` threads. Every launch uses
/// the same block size, so that aggregated groups find a kernel to join (section 4.2).
struct DynamicLaunch {
  raddle::dynamic::Launch how;
  unsigned threshold;
  unsigned block;

  /// Launches `kernel` over `items` items. Returns false when the pocket is too small, or when too
  /// many launches are pending. Then the calling thread does the work itself.
  template <class... P, class... A>
  __device__ bool operator()(void (*kernel)(P...), unsigned items, A... arguments) const {
    if (items < threshold) return false;
    return raddle::dynamic::launch(how, kernel, (items + block - 1) / block, block, 0,
                                   arguments...) == cudaSuccess;
  }
};

/// Options of workloads for how pockets of parallelism are executed: by the thread that finds them
/// (flat), by device kernels (cdp) or by aggregated groups (dtbl).
struct DynamicOptions {
  std::int64_t threshold = 32;  // a warp's worth
  std::int64_t block = 64;
  std::int64_t pending = 1 << 17;  // many small launches soon exceed CUDA's 2048

  void add_to(Options& options) {
    options.add("--threshold", &threshold, 1, 1 << 20, "least items that cdp and dtbl launch");
    options.add("--child-block", &block, 1, 1024, "threads a block of what cdp and dtbl launch");
    options.add("--pending-launches", &pending, 0, 1 << 24,
                "kernels that can wait or run at one time (cudaLimitDevRuntimePendingLaunchCount); "
                "0: the GPU's own limit");
  }
  /// Sets the device's limit of pending launches. Returns the argument for kernels.
  DynamicLaunch prepare_device(const std::string& variant) const {
    if (pending != 0) {
      const cudaError_t set = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount,
                                                 static_cast<std::size_t>(pending));
      // A device whose kernels cannot launch has no such limit. The refused launch reports the
      // reason.
      if (set != cudaErrorUnsupportedLimit) CHECK_CUDA(set);
    }
    return {variant == "dtbl" ? raddle::dynamic::Launch::aggregated_group
                              : raddle::dynamic::Launch::device_kernel,
            static_cast<unsigned>(threshold), static_cast<unsigned>(block)};
  }
};

inline bool is_dynamic(const std::string& variant) { return variant == "cdp" || variant == "dtbl"; }

}  // namespace raddle::workloads
