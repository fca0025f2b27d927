#include "cuda/runtime/launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "cuda/runtime/unsupported.h"
#include "machine/occupancy.h"
#include "machine/sm/config.h"

namespace raddle::cuda {

std::vector<std::byte> gather(const Kernel& kernel, void** arguments) {
  const isa::Function& function = *kernel.function;
  std::vector<std::byte> bytes(function.parameter_bytes);
  require(arguments != nullptr || function.parameters.empty(), cudaErrorInvalidValue,
          "the kernel has parameters, and there are no arguments");
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const isa::Parameter& parameter = function.parameters[i];
    require(arguments[i] != nullptr, cudaErrorInvalidValue,
            fmt::format("the pointer to argument {} is null", i));
    std::memcpy(bytes.data() + parameter.offset, arguments[i], parameter.size);
  }
  return bytes;
}

std::vector<std::byte> gather(const Kernel& kernel, const void* buffer, std::size_t size) {
  const isa::Function& function = *kernel.function;
  std::vector<std::byte> bytes(function.parameter_bytes);
  if (!function.parameters.empty()) {
    const isa::Parameter& last = function.parameters.back();
    require(size >= last.offset + last.size, cudaErrorInvalidValue,
            fmt::format("the buffer of parameters has {} bytes, and the kernel's end at byte {}",
                        size, last.offset + last.size));
  }
  if (size != 0) std::memcpy(bytes.data(), buffer, std::min(size, bytes.size()));
  return bytes;
}

KernelWork kernel_work(Kernel& kernel, const LaunchShape& shape,
                       std::vector<std::byte> parameters) {
  require(shape.shared_bytes <= 0xffffffffu, cudaErrorInvalidValue);
  KernelWork work;
  work.kernel = &kernel;
  work.grid = shape.grid;
  work.block = shape.block;
  work.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
  work.parameters = std::move(parameters);
  work.cooperative = shape.cooperative;
  return work;
}

void launch(Runtime& runtime, Stream& stream, KernelWork work) {
  // The output of earlier kernels is printed at the latest when the next kernel is launched.
  if (stream.capture == nullptr) runtime.device().flush_printed();
  const std::vector<Event*> events = std::exchange(work.events, {});
  issue(runtime, stream, std::move(work));
  for (Event* event : events) issue(runtime, stream, RecordWork{event});
}

unsigned blocks_per_sm(Runtime& runtime, const Kernel& kernel, unsigned threads,
                       std::size_t shared_bytes) {
  require(threads != 0, cudaErrorInvalidValue);
  require_supported(runtime, kernel);
  if (threads > largest_block(runtime, kernel)) return 0;
  if (shared_bytes > runtime.config().sm.shared_per_block_optin) return 0;
  return runtime.device()
      .gpu()
      .occupancy(kernel.module->program_loaded(), *kernel.function, threads,
                 static_cast<std::uint32_t>(shared_bytes))
      .blocks_per_sm;
}

std::size_t shared_for_blocks(Runtime& runtime, const Kernel& kernel, unsigned blocks,
                              unsigned threads) {
  std::size_t low = 0, high = largest_dynamic_shared(runtime, kernel);
  require(blocks_per_sm(runtime, kernel, threads, 0) >= blocks, cudaErrorInvalidValue,
          "so many blocks do not fit a multiprocessor");
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (blocks_per_sm(runtime, kernel, threads, middle) >= blocks) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

std::uint32_t dynamic_shared_limit(Runtime& runtime, const Kernel& kernel) {
  const isa::Function& function = *kernel.function;
  if (function.max_dynamic_shared != 0) return function.max_dynamic_shared;
  return runtime.config().sm.shared_per_block - function.static_shared_bytes;
}

std::uint32_t largest_dynamic_shared(Runtime& runtime, const Kernel& kernel) {
  const std::uint32_t fixed = kernel.function->static_shared_bytes;
  const std::uint32_t limit = runtime.config().sm.shared_per_block_optin;
  return limit > fixed ? limit - fixed : 0;
}

cudaFuncAttributes attributes_of(Runtime& runtime, const Kernel& kernel) {
  require_supported(runtime, kernel);
  cudaFuncAttributes attributes = {};
  const isa::Function& function = *kernel.function;
  attributes.sharedSizeBytes = function.static_shared_bytes;
  attributes.localSizeBytes = function.local_bytes_per_thread;
  attributes.maxThreadsPerBlock = static_cast<int>(largest_block(runtime, kernel));
  attributes.numRegs =
      static_cast<int>(machine::registers_of_thread(runtime.config().sm, function));
  attributes.ptxVersion = static_cast<int>(kernel.module->target());
  attributes.binaryVersion = static_cast<int>(runtime.sm_version());
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(runtime, kernel));
  attributes.preferredShmemCarveout = kernel.carveout;
  return attributes;
}

unsigned largest_block(Runtime& runtime, const Kernel& kernel) {
  unsigned threads =
      std::min<unsigned>(kernel.function->max_threads, runtime.config().sm.threads_per_block);
  const auto& gpu = runtime.device().gpu();
  while (
      threads > kWarpSize &&
      gpu.occupancy(kernel.module->program_loaded(), *kernel.function, threads, 0).blocks_per_sm ==
          0) {
    threads -= kWarpSize;
  }
  return threads;
}

}  // namespace raddle::cuda
