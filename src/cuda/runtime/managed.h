// What programs say about managed memory (CUDA runtime API, "Memory Management": cudaMemAdvise,
// cudaMemPrefetchAsync). Managed memory has one place here, so that nothing moves: what was said is
// checked, and told to programs that ask (cudaMemRangeGetAttribute).
#pragma once

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// The place that a number of CUDA 12 and earlier means: a device, or cudaCpuDeviceId.
cudaMemLocation location_of(int device);

// They refuse what is not all managed memory, and unknown advice, with cudaErrorInvalidValue, and
// places that do not exist with cudaErrorInvalidDevice. Ranges are widened to whole pages.
void advise(Runtime& runtime, const void* address, std::size_t bytes, int advice,
            cudaMemLocation where);
/// In the stream's order.
void prefetch(Runtime& runtime, Stream& stream, const void* address, std::size_t bytes,
              cudaMemLocation where, unsigned flags);
/// `data`: 4 bytes, but as many device numbers as it has room for with
/// cudaMemRangeAttributeAccessedBy.
void range_attribute(Runtime& runtime, void* data, std::size_t data_bytes, int attribute,
                     const void* address, std::size_t bytes);

/// The memory is freed: what is allocated there next has no advice.
void forget_advice(Address base, std::size_t bytes);

}  // namespace raddle::cuda
