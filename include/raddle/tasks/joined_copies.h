// Copies that are asked for together: as few calls of CUDA as their memory and CUDA's version allow.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "table.cuh"

namespace raddle::tasks::detail {

/// Whether `one` begins where `before` ends, on both sides.
inline bool follows(const Transfer& one, const Transfer& before) {
  return before.bytes != 0 && static_cast<char*>(before.to) + before.bytes == one.to &&
         static_cast<const char*>(before.from) + before.bytes == one.from;
}

/// What follows another on both sides is one copy with it. What is left is one cudaMemcpyBatchAsync from CUDA
/// 12.8 on, else a cudaMemcpyAsync for each.
class JoinedCopies {
 public:
  void add(const Transfer& one) {
    if (one.bytes == 0) return;
    if (!all_.empty() && follows(one, all_.back())) {
      all_.back().bytes += one.bytes;
    } else {
      all_.push_back(one);
    }
  }
  bool empty() const { return all_.empty(); }

  /// In a stream that is not the legacy default one. None is left afterwards, whatever the answer.
  cudaError_t issue(cudaMemcpyKind kind, cudaStream_t stream) {
    cudaError_t status = cudaErrorNotSupported;
    if (all_.size() > 1) status = issue_batch(stream);
    if (status == cudaErrorNotSupported || status == cudaErrorCallRequiresNewerDriver) {
      if (all_.size() > 1) (void)cudaGetLastError();  // an older driver: one by one
      status = cudaSuccess;
      for (const Transfer& one : all_) {
        if (status != cudaSuccess) break;
        status = cudaMemcpyAsync(one.to, one.from, one.bytes, kind, stream);
      }
    }
    all_.clear();
    return status;
  }

 private:
  cudaError_t issue_batch([[maybe_unused]] cudaStream_t stream) {
#if CUDART_VERSION >= 12080
    to_.clear();
    from_.clear();
    bytes_.clear();
    for (const Transfer& one : all_) {
      to_.push_back(one.to);
      from_.push_back(const_cast<void*>(one.from));
      bytes_.push_back(one.bytes);
    }
    cudaMemcpyAttributes attributes = {};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::size_t first = 0;
#if CUDART_VERSION >= 13000
    return cudaMemcpyBatchAsync(to_.data(), from_.data(), bytes_.data(), to_.size(), &attributes,
                                &first, 1, stream);
#else
    std::size_t failed = 0;
    return cudaMemcpyBatchAsync(to_.data(), from_.data(), bytes_.data(), to_.size(), &attributes,
                                &first, 1, &failed, stream);
#endif
#else
    return cudaErrorNotSupported;
#endif
  }

  std::vector<Transfer> all_;
  std::vector<void*> to_, from_;
  std::vector<std::size_t> bytes_;
};

}  // namespace raddle::tasks::detail
