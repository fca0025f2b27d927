// The host's side: memory, kernels that push seeds, and the number of blocks of a launch.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "types.h"

namespace raddle::worklist::detail {

inline void require(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  throw Error(std::string("worklist: ") + call + ": " + cudaGetErrorName(error) + ": " +
              cudaGetErrorString(error));
}

inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// Owns `count` values in the GPU's memory, initially undefined.
template <class T>
class Memory {
 public:
  explicit Memory(std::size_t count) : bytes_(count * sizeof(T)) {
    require(cudaMalloc(reinterpret_cast<void**>(&data_), bytes_), "cudaMalloc");
  }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  T* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void clear() { require(cudaMemset(data_, 0, bytes_), "cudaMemset"); }
  T get(std::size_t index) const {
    T value;
    require(cudaMemcpy(&value, data_ + index, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return value;
  }
  void set(const std::vector<T>& values) {
    require(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

template <class List>
__global__ void push_all(List list, const std::uint32_t* ids, std::uint32_t first,
                         std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    list.push(ids != nullptr ? ids[i] : first + i);
  }
}

/// Pushes `ids`, and pushes all work ids that can be pulled once more, for the next step.
template <class List>
__global__ void push_with_pulled(List list, const std::uint32_t* ids, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    list.push(ids[i]);
  }
  list.for_each([](std::uint32_t id, auto& out) { out.push(id); });
}

/// How many blocks of a kernel the GPU holds at a time. Asks CUDA once for each kernel and block
/// size.
class Occupancy {
 public:
  unsigned blocks(const void* kernel, unsigned threads) {
    unsigned& known = known_[{kernel, threads}];
    if (known == 0) {
      int resident = 0;
      require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel,
                                                            static_cast<int>(threads), 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
      known =
          static_cast<unsigned>(std::max(1, resident) * attribute(cudaDevAttrMultiProcessorCount));
    }
    return known;
  }

 private:
  std::map<std::pair<const void*, unsigned>, unsigned> known_;
};

}  // namespace raddle::worklist::detail
