// Shared by the kernels on the host: a generator of inputs, and checks of results.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"

namespace raddle::workloads::kernels {

/// A number in [0, 1) that depends only on its index: a bijective mix of the index's bits.
inline float number(std::uint32_t index) {
  index = (index ^ index >> 16) * 0x7feb352du;
  index = (index ^ index >> 15) * 0x846ca68bu;
  return static_cast<float>((index ^ index >> 16) >> 8) * 0x1p-24f;
}

/// `count` numbers in [low, high).
inline std::vector<float> numbers(std::size_t count, float low, float high) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = low + (high - low) * number(static_cast<std::uint32_t>(i));
  }
  return values;
}

/// Prints the verdict. Returns true when every value is within `tolerance` of the expected one,
/// relative to the larger of 1 and its magnitude. Host and device may round doubles differently.
inline bool check_near(const char* what, const std::vector<float>& expected,
                       const std::vector<float>& found, double tolerance) {
  return check_values(what, expected, found, [&](float a, float b, std::size_t) {
    return std::abs(double{a} - double{b}) <= tolerance * std::max(1.0, std::abs(double{a}));
  });
}

/// The kernels' code: the program's own, or that of a PTX file that another compiler made from the
/// same source.
class Code {
 public:
  explicit Code(const std::string& ptx_file) {
    if (ptx_file.empty()) return;
    CHECK_CUDA(cudaLibraryLoadFromFile(&library_, ptx_file.c_str(), nullptr, nullptr, 0, nullptr,
                                       nullptr, 0));
  }

  /// kernel<<<blocks, threads, shared_bytes>>>(arguments...)
  template <class... Parameters>
  void launch(const char* name, void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
              std::size_t shared_bytes, std::common_type_t<Parameters>... arguments) {
    void* pointers[] = {&arguments...};
    const void* function = reinterpret_cast<const void*>(kernel);
    if (library_ != nullptr) {
      cudaKernel_t& found = found_[name];  // looked up once, since the call takes time
      if (found == nullptr) CHECK_CUDA(cudaLibraryGetKernel(&found, library_, name));
      function = found;
    }
    constexpr std::size_t kWithoutOptingIn = 48 * 1024;
    if (shared_bytes > kWithoutOptingIn) {
      CHECK_CUDA(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared_bytes)));
    }
    CHECK_CUDA(cudaLaunchKernel(function, blocks, threads, pointers, shared_bytes, nullptr));
  }

 private:
  cudaLibrary_t library_ = nullptr;
  std::map<std::string, cudaKernel_t> found_;
};

/// Reads every 32-byte sector of `count` vectors, so that these fill the caches.
extern "C" __global__ void read_all(const uint4* values, unsigned count, unsigned* sum) {
  unsigned mine = 0;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 value = values[i];
    mine |= value.x | value.y | value.z | value.w;
  }
  if (mine != 0) *sum = mine;
}

/// Launches kernels on cold caches, because profilers empty the caches before they measure a
/// kernel.
class Bench {
 public:
  explicit Bench(const std::string& ptx_file)
      : code_(ptx_file), other_(2 * l2_bytes() / sizeof(uint4)), sum_(1) {
    other_.fill_bytes(0);
  }

  template <class... Arguments>
  void launch(Arguments&&... arguments) {
    code_.launch("read_all", read_all, 160, 1024, 0, other_.data(),
                 static_cast<unsigned>(other_.size()), sum_.data());
    code_.launch(std::forward<Arguments>(arguments)...);
  }

  /// Launches a kernel without emptying the caches.
  template <class... Arguments>
  void launch_at_once(Arguments&&... arguments) {
    code_.launch(std::forward<Arguments>(arguments)...);
  }

 private:
  static std::size_t l2_bytes() {
    int bytes = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
    return static_cast<std::size_t>(bytes);
  }
  Code code_;
  DeviceBuffer<uint4> other_;  // fills the L2 cache with clean lines
  DeviceBuffer<unsigned> sum_;
};

}  // namespace raddle::workloads::kernels
