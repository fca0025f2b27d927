// Advice and prefetches of managed memory (CUDA runtime API, "Memory Management": cudaMemAdvise,
// cudaMemPrefetchAsync). Managed memory has one place in the simulator, so that no page moves.
// Advice is checked, kept, and returned to programs that ask (cudaMemRangeGetAttribute).
#pragma once

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// The place behind a device number of CUDA 12 and earlier: a device, or cudaCpuDeviceId.
cudaMemLocation location_of(int device);

// They refuse memory that is not all managed, and unknown advice, with cudaErrorInvalidValue, and
// places that do not exist with cudaErrorInvalidDevice. Ranges are widened to whole pages.
void advise(Runtime& runtime, const void* address, std::size_t bytes, int advice,
            cudaMemLocation where);
/// Prefetches in the stream's order.
void prefetch(Runtime& runtime, Stream& stream, const void* address, std::size_t bytes,
              cudaMemLocation where, unsigned flags);
/// `data`: 4 bytes; for cudaMemRangeAttributeAccessedBy as many device numbers as fit into
/// `data_bytes`.
void range_attribute(Runtime& runtime, void* data, std::size_t data_bytes, int attribute,
                     const void* address, std::size_t bytes);

/// Called when the memory is freed: a later allocation there has no advice.
void forget_advice(Address base, std::size_t bytes);

}  // namespace raddle::cuda
