#pragma once

#include <cstdint>
#include <raddle/dynamic.cuh>
#include <string>

#include "common/device_buffer.h"
#include "common/options.h"

namespace raddle::workloads {

/// Blocks of the kernels whose threads find pockets, and how many of them a multiprocessor is to hold
/// (which limits their registers): they fill the 2048 places for threads of a Kepler GPU, by which the
/// aggregated group table is indexed (section 4.2).
constexpr unsigned parent_block = 256;
constexpr unsigned parent_blocks_per_sm = 8;

/// What a kernel is told about pockets of parallelism (dynamic-thread-block-launch, section 3.1):
/// it launches one of `threshold` items or more, in blocks of `block` threads. Every launch uses
/// the same block size, so that aggregated groups find a kernel to join (section 4.2).
struct DynamicLaunch {
  raddle::dynamic::Launch how;
  unsigned threshold;
  unsigned block;

  /// Launches `kernel` over `items` items. False when the pocket is too small or the launch was
  /// refused (too many are pending): then the calling thread does the work itself.
  template <class... P, class... A>
  __device__ bool operator()(void (*kernel)(P...), unsigned items, A... arguments) const {
    if (items < threshold) return false;
    return raddle::dynamic::launch(how, kernel, (items + block - 1) / block, block, 0,
                                   arguments...) == cudaSuccess;
  }
};

/// The options by which workloads choose between doing pockets of parallelism in the thread that
/// finds them (flat), in device kernels (cdp) and in aggregated groups (dtbl).
struct DynamicOptions {
  std::int64_t threshold = 32;  // a warp's worth
  std::int64_t block = 64;
  std::int64_t pending = 1 << 17;  // fine launches soon exceed CUDA's 2048

  void add_to(Options& options) {
    options.add("--threshold", &threshold, 1, 1 << 20, "least items that cdp and dtbl launch");
    options.add("--child-block", &block, 1, 1024, "threads a block of what cdp and dtbl launch");
    options.add("--pending-launches", &pending, 0, 1 << 24,
                "kernels that can wait or run at one time (cudaLimitDevRuntimePendingLaunchCount); "
                "0: the GPU's own limit");
  }
  /// Sets the device's limit of pending launches; what the kernels are to be told.
  DynamicLaunch prepare_device(const std::string& variant) const {
    if (pending != 0) {
      const cudaError_t set = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount,
                                                 static_cast<std::size_t>(pending));
      // Where kernels cannot launch there is no limit; the refused launch says why.
      if (set != cudaErrorUnsupportedLimit) CHECK_CUDA(set);
    }
    return {variant == "dtbl" ? raddle::dynamic::Launch::aggregated_group
                              : raddle::dynamic::Launch::device_kernel,
            static_cast<unsigned>(threshold), static_cast<unsigned>(block)};
  }
};

inline bool is_dynamic(const std::string& variant) { return variant == "cdp" || variant == "dtbl"; }

}  // namespace raddle::workloads
