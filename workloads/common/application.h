// A program of several rounds of kernels that runs in a stream of its own, so that a host can let
// several run side by side (workloads/pairs), again and again.
#pragma once

#include <cuda_runtime.h>

#include "common/device_buffer.h"

namespace raddle::workloads {

class Application {
 public:
  virtual ~Application() = default;
  /// Begins anew: what was computed before is forgotten, and the first round is put into the stream.
  /// Nothing of this application is under way.
  virtual void begin(cudaStream_t stream) = 0;
  /// What was put into the stream has ended. The next round; false: there is none, the results are
  /// there.
  virtual bool go_on(cudaStream_t stream) = 0;
  /// Compares the results with those of a reference on the CPU, and prints the verdict.
  virtual bool check() = 0;
};

/// A word that kernels set and the host reads when the round that it was read back in has ended.
class Flag {
 public:
  Flag() : device_(1) {
    CHECK_CUDA(cudaMallocHost(reinterpret_cast<void**>(&host_), sizeof(unsigned)));
    *host_ = 0;
  }
  ~Flag() { cudaFreeHost(host_); }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

  unsigned* device() { return device_.data(); }
  void clear(cudaStream_t stream) {
    CHECK_CUDA(cudaMemsetAsync(device_.data(), 0, sizeof(unsigned), stream));
  }
  void read_back(cudaStream_t stream) {
    CHECK_CUDA(
        cudaMemcpyAsync(host_, device_.data(), sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
  }
  bool is_set() const { return *host_ != 0; }

 private:
  DeviceBuffer<unsigned> device_;
  unsigned* host_ = nullptr;
};

/// Sets every byte of the buffer, in the stream.
template <class T>
void fill_bytes(DeviceBuffer<T>& buffer, int byte, cudaStream_t stream) {
  CHECK_CUDA(cudaMemsetAsync(buffer.data(), byte, buffer.size() * sizeof(T), stream));
}

/// Copies one buffer to another of its size, in the stream.
template <class T>
void copy(DeviceBuffer<T>& to, const DeviceBuffer<T>& from, cudaStream_t stream) {
  CHECK_CUDA(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T),
                             cudaMemcpyDeviceToDevice, stream));
}

/// Runs it once, alone.
inline void run_alone(Application& application) {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  application.begin(stream);
  do {
    CHECK_CUDA(cudaStreamSynchronize(stream));
  } while (application.go_on(stream));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

}  // namespace raddle::workloads
