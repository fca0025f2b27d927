#include "cuda/runtime/limits.h"
#include "isa/print_buffer.h"
#include "machine/chip_config.h"

#include <fmt/core.h>

namespace raddle::cuda {

namespace {

/// Largest local memory of a thread in bytes (programming guide, "Technical Specifications").
constexpr std::size_t kMostStackBytes = 512 << 10;

/// The value before a program sets it: the GPU's, or CUDA's (programming guide,
/// "cudaDeviceSetLimit"); SIZE_MAX for a limit that does not exist.
std::size_t default_limit(Runtime& runtime, int which) {
  switch (which) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return isa::PrintBuffer::kDefaultBytes;
    case cudaLimitMallocHeapSize:
      return runtime.config().gpu.heap_bytes;
    case cudaLimitDevRuntimeSyncDepth:
      return runtime.device().gpu().sync_depth().value_or(SIZE_MAX);
    case cudaLimitDevRuntimePendingLaunchCount:
      return runtime.device().gpu().pending_launches().value_or(SIZE_MAX);
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    case cudaLimitPersistingL2CacheSize:
      return 0;
    default:
      return SIZE_MAX;
  }
}

/// Refuses numbers that are not a limit. A limit that the GPU lacks is unsupported instead (NVIDIA
/// H200, CUDA 13.0).
void require_known(int which) {
  require(which >= cudaLimitStackSize && which <= cudaLimitPersistingL2CacheSize,
          cudaErrorInvalidValue, fmt::format("there is no limit with number {}", which));
}

/// CUDA runtime API, cudaDeviceSetLimit: these limits must not be set after the launch of a kernel
/// that uses the limited resource.
void require_before_use(const Device& device, int which) {
  const bool printed = which == cudaLimitPrintfFifoSize && device.launched_printing();
  const bool allocated = which == cudaLimitMallocHeapSize && device.launched_using_heap();
  require(!printed && !allocated, cudaErrorInvalidValue,
          fmt::format("a kernel that uses {} was launched before: set this limit earlier",
                      printed ? "printf" : "malloc or free"));
}

}  // namespace

std::size_t limit(Runtime& runtime, int which) {
  require_known(which);
  const std::size_t standard = default_limit(runtime, which);
  require(standard != SIZE_MAX, cudaErrorUnsupportedLimit);
  const auto set = runtime.limits().find(which);
  return set == runtime.limits().end() ? standard : set->second;
}

void set_limit(Runtime& runtime, int which, std::size_t value) {
  require_known(which);
  require(default_limit(runtime, which) != SIZE_MAX, cudaErrorUnsupportedLimit,
          fmt::format("this GPU does not have the limit with number {}", which));
  require(which != cudaLimitMallocHeapSize || value <= runtime.space().capacity(),
          cudaErrorMemoryAllocation,
          fmt::format("a heap of {} bytes is larger than the device's memory of {} bytes", value,
                      runtime.space().capacity()));
  require(which != cudaLimitStackSize || value <= kMostStackBytes, cudaErrorInvalidValue,
          fmt::format("a stack of {} bytes is larger than a thread's local memory of {} bytes",
                      value, kMostStackBytes));
  require_before_use(runtime.device(), which);
  runtime.limits()[which] = value;
  machine::Gpu& gpu = runtime.device().gpu();
  if (which == cudaLimitStackSize) gpu.set_stack_bytes(static_cast<std::uint32_t>(value));
  if (which == cudaLimitPrintfFifoSize) {
    runtime.device().flush_printed();  // with the present buffer
    gpu.set_print_bytes(value);
  }
  if (which == cudaLimitMallocHeapSize) gpu.set_heap_bytes(value);
  if (which == cudaLimitDevRuntimePendingLaunchCount) gpu.set_pending_launches(value);
  if (which == cudaLimitDevRuntimeSyncDepth) gpu.set_sync_depth(value);
}

}  // namespace raddle::cuda
