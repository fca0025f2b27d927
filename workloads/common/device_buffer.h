#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace raddle::workloads {

/// Throws std::runtime_error with place, call and CUDA's message unless `status` is success.
inline void check_cuda(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                           cudaGetErrorName(status) + ": " + cudaGetErrorString(status));
}

/// Wrap every CUDA call in it. After a kernel launch: CHECK_CUDA(cudaGetLastError()).
#define CHECK_CUDA(call) ::raddle::workloads::check_cuda((call), #call, __FILE__, __LINE__)

/// Owns `size()` elements of device memory.
template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    // A launch over nothing still needs a valid pointer.
    CHECK_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), (size > 0 ? size : 1) * sizeof(T)));
  }
  explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size()) {
    upload(values);
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Copies `values` to the front of the buffer. They must fit.
  void upload(const std::vector<T>& values) {
    CHECK_CUDA(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  /// Sets every byte.
  void fill_bytes(int byte) { CHECK_CUDA(cudaMemset(data_, byte, size_ * sizeof(T))); }
  void set(std::size_t index, T value) {
    CHECK_CUDA(cudaMemcpy(data_ + index, &value, sizeof(T), cudaMemcpyHostToDevice));
  }
  T get(std::size_t index) const {
    T value;
    CHECK_CUDA(cudaMemcpy(&value, data_ + index, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    CHECK_CUDA(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  void swap(DeviceBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Blocks of `block_size` threads that cover `items`, at least one.
inline unsigned blocks_for(std::size_t items, unsigned block_size) {
  const std::size_t blocks = (items + block_size - 1) / block_size;
  return static_cast<unsigned>(blocks > 0 ? blocks : 1);
}

}  // namespace raddle::workloads
