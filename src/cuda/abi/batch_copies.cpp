// Many copies by one call (CUDA 12.8), whose arguments changed in CUDA 13: the index of the copy that is
// refused went.
#include <fmt/core.h>

#include <cstdint>
#include <vector>

#include "cuda/runtime/call.h"
#include "cuda/runtime/work.h"

using namespace raddle::cuda;

namespace {

constexpr std::size_t kNoCopy = SIZE_MAX;

/// Arrays of `count` elements; of attributes[k] are the copies from firsts[k] on, up to firsts[k + 1].
struct Batch {
  void* const* to;
  const void* const* from;
  const std::size_t* bytes;
  std::size_t count;
  const cudaMemcpyAttributes* attributes;
  const std::size_t* firsts;
  std::size_t attribute_count;
};

void check_attributes(const Batch& batch) {
  const std::size_t attributes = batch.attribute_count;
  if (batch.to == nullptr || batch.from == nullptr || batch.bytes == nullptr ||
      batch.attributes == nullptr || batch.firsts == nullptr) {
    refuse(cudaErrorInvalidValue, "an array of a batch of copies is null");
  }
  if (attributes == 0 || attributes > batch.count) {
    refuse(cudaErrorInvalidValue,
           fmt::format("{} attributes for {} copies", attributes, batch.count));
  }
  for (std::size_t i = 0; i < attributes; ++i) {
    const std::size_t first = batch.firsts[i];
    if (i == 0 ? first != 0 : first <= batch.firsts[i - 1] || first >= batch.count) {
      refuse(cudaErrorInvalidValue,
             fmt::format("attributes {} are of copies from {} on", i, first));
    }
    const cudaMemcpySrcAccessOrder order = batch.attributes[i].srcAccessOrder;
    if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny) {
      refuse(cudaErrorInvalidValue,
             fmt::format("attributes {} have no order of access to the source: {}", i,
                         static_cast<int>(order)));
    }
  }
}

/// Copies of a batch may run in any order: here one after the other. A source that has to be read
/// during the call is read by it, or waited for.
cudaError_t batch_call(const Batch& batch, std::size_t* failed, cudaStream_t handle) {
  std::size_t refused = kNoCopy;
  const cudaError_t status = call(Cost::copy, [&](Runtime& runtime) {
    if (handle == nullptr || handle == cudaStreamLegacy) {
      refuse(cudaErrorInvalidValue, "a batch of copies in the legacy default stream");
    }
    check_attributes(batch);
    Stream& stream = runtime.stream(handle);
    if (stream.capture != nullptr) {
      refuse(cudaErrorStreamCaptureUnsupported, "a batch of copies in a stream that is captured");
    }
    std::vector<CopyWork> works;
    works.reserve(batch.count);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::size_t bytes = batch.bytes[i];
      works.push_back({{batch.to[i], bytes, 1},
                       {const_cast<void*>(batch.from[i]), bytes, 1},
                       bytes,
                       1,
                       1,
                       cudaMemcpyDefault});
      refused = i;
      check(runtime, works.back());
    }
    refused = kNoCopy;
    bool during_call = false;
    for (const CopyWork& work : works) copy(runtime, stream, work, true);
    for (std::size_t i = 0; i < batch.attribute_count; ++i) {
      during_call |= batch.attributes[i].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
    }
    return during_call ? synchronize(runtime, stream) : cudaSuccess;
  });
  if (failed != nullptr && status != cudaSuccess) *failed = refused;
  return status;
}

/// Of programs compiled with --default-stream per-thread.
cudaStream_t stream_of_caller(cudaStream_t stream) {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

}  // namespace

#if RADDLE_CUDART == 13
extern "C" {
cudaError_t cudaMemcpyBatchAsync_13(void* const* to, const void* const* from,
                                    const std::size_t* bytes, std::size_t count,
                                    cudaMemcpyAttributes* attributes, std::size_t* firsts,
                                    std::size_t attribute_count,
                                    cudaStream_t stream) __asm__("cudaMemcpyBatchAsync");
cudaError_t cudaMemcpyBatchAsync_13(void* const* to, const void* const* from,
                                    const std::size_t* bytes, std::size_t count,
                                    cudaMemcpyAttributes* attributes, std::size_t* firsts,
                                    std::size_t attribute_count, cudaStream_t stream) {
  return batch_call({to, from, bytes, count, attributes, firsts, attribute_count}, nullptr, stream);
}
cudaError_t cudaMemcpyBatchAsync_ptsz(void* const* to, const void* const* from,
                                      const std::size_t* bytes, std::size_t count,
                                      cudaMemcpyAttributes* attributes, std::size_t* firsts,
                                      std::size_t attribute_count, cudaStream_t stream) {
  return batch_call({to, from, bytes, count, attributes, firsts, attribute_count}, nullptr,
                    stream_of_caller(stream));
}
}
#else
cudaError_t cudaMemcpyBatchAsync(void** to, void** from, std::size_t* bytes, std::size_t count,
                                 cudaMemcpyAttributes* attributes, std::size_t* firsts,
                                 std::size_t attribute_count, std::size_t* failed,
                                 cudaStream_t stream) {
  return batch_call({to, from, bytes, count, attributes, firsts, attribute_count}, failed, stream);
}
extern "C" cudaError_t cudaMemcpyBatchAsync_ptsz(void** to, void** from, std::size_t* bytes,
                                                 std::size_t count,
                                                 cudaMemcpyAttributes* attributes,
                                                 std::size_t* firsts, std::size_t attribute_count,
                                                 std::size_t* failed, cudaStream_t stream) {
  return batch_call({to, from, bytes, count, attributes, firsts, attribute_count}, failed,
                    stream_of_caller(stream));
}
#endif
