// Makes work from the arguments of a launch call.
#pragma once

#include "cuda/runtime/work.h"

namespace raddle::cuda {

/// Gathers a kernel's parameters: `arguments[i]` points at the value of parameter i.
std::vector<std::byte> gather(const Kernel& kernel, void** arguments);
/// From a buffer with the layout of the parameters (cuLaunchKernel's `extra`). Refuses a buffer
/// that ends before the last parameter.
std::vector<std::byte> gather(const Kernel& kernel, const void* buffer, std::size_t bytes);

struct LaunchShape {
  Dim3 grid, block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
};
/// Refuses more shared memory than a launch can ask for.
KernelWork kernel_work(Kernel& kernel, const LaunchShape& shape, std::vector<std::byte> parameters);
/// Puts the work into the stream, and records its events behind it.
void launch(Runtime& runtime, Stream& stream, KernelWork work);

/// Blocks of the kernel that one SM can hold at once.
unsigned blocks_per_sm(Runtime& runtime, const Kernel& kernel, unsigned threads,
                       std::size_t shared_bytes);

/// Most dynamic shared memory with which `blocks` blocks fit on an SM.
std::size_t shared_for_blocks(Runtime& runtime, const Kernel& kernel, unsigned blocks,
                              unsigned threads);

/// Most dynamic shared memory that a launch may ask for: with the kernel's present attributes, and
/// the largest amount that the program can allow.
std::uint32_t dynamic_shared_limit(Runtime& runtime, const Kernel& kernel);
std::uint32_t largest_dynamic_shared(Runtime& runtime, const Kernel& kernel);
/// The answer of cudaFuncGetAttributes.
cudaFuncAttributes attributes_of(Runtime& runtime, const Kernel& kernel);
/// Largest block with which the kernel can be launched.
unsigned largest_block(Runtime& runtime, const Kernel& kernel);

}  // namespace raddle::cuda
