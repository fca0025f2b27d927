// A program of several rounds of kernels. It runs in a stream of its own, so a host can run several
// programs side by side (workloads/pairs), and repeatedly.
#pragma once

#include <cuda_runtime.h>

#include "common/device_buffer.h"

namespace raddle::workloads {

class Application {
 public:
  virtual ~Application() = default;
  /// Drops earlier results and launches the first round in the stream. No work of this application
  /// may be pending.
  virtual void begin(cudaStream_t stream) = 0;
  /// Launches the next round. Returns false if there is none: then the results are complete. All
  /// earlier work of this application must have ended.
  virtual bool go_on(cudaStream_t stream) = 0;
  /// Compares the results with those of a reference on the CPU, and prints the verdict.
  virtual bool check() = 0;
};

/// A word that kernels set. A round copies it to the host, which reads it after the end of the
/// round.
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

/// Runs the application once, alone on the GPU.
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
