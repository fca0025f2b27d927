// The bus to the host, copies over it, and copies and fills of device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/core_clock.cuh"
#include "micro/host_timer.cuh"
#include "micro/memory_latency.cuh"
#include "micro/report.h"
#include "micro/shared_memory.cuh"

namespace raddle::workloads::micro {

MICRO_LOAD(LoadVolatile, "ld.volatile.global.u64 %0, [%1];")

/// Loads of pinned memory by a kernel. Each load reads a line of its own, at the address that the
/// previous load returned.
inline void measure_host_loads(Report& report) {
  constexpr std::uint64_t kNodes = 256, kStride = 512;
  PinnedBuffer<std::uint64_t> ring(kNodes * kStride / 8);
  DeviceBuffer<std::uint64_t> out(4);
  const Ring order(reinterpret_cast<std::uint64_t>(ring.data()), kNodes, kStride);
  const std::vector<std::uint64_t> values = order.values();
  std::memcpy(ring.data(), values.data(), values.size() * 8);
  chase_global<LoadVolatile><<<1, 1>>>(order.base, 1, out.data());
  CHECK_CUDA(cudaGetLastError());
  const double cycles =
      report_chase(report, "bus.load", out, order.base + order.at(1 + kChaseSteps));
  report.add("bus.load_time", cycles / core_mhz(), "us");
}

/// Stores to pinned memory. Each store is complete before the next one.
__global__ void __launch_bounds__(1024) store_to_host(volatile unsigned* word, unsigned* out) {
  const unsigned stored = time_steps(0, out, [=](unsigned last) {
    *word = last + 1;
    __threadfence_system();
    return last + 1;
  });
  out[3] = stored;
}

inline void measure_host_stores(Report& report) {
  PinnedBuffer<unsigned> word(1);
  DeviceBuffer<unsigned> out(4);
  store_to_host<<<1, 1>>>(word.data(), out.data());
  CHECK_CUDA(cudaGetLastError());
  const std::vector<unsigned> found = out.download();
  report.check("bus.store", word[0] == kRunSteps && found[3] == kRunSteps, "a store is missing");
  report.add("bus.store", cycles_a_step(found), "cycles");
}

/// Every thread copies words of 16 bytes that are a whole grid apart.
__global__ void __launch_bounds__(1024) copy_words(const uint4* from, uint4* to, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

/// Gigabytes a second that kernels read from the host's memory, and write to it.
inline void measure_kernel_copies(Report& report) {
  constexpr unsigned kBytes = 4 << 20, kCount = kBytes / sizeof(uint4), kThreads = 512;
  const unsigned blocks = device_properties().multiProcessorCount * 2;
  PinnedBuffer<uint4> host(kCount);
  DeviceBuffer<uint4> device(kCount);
  Stream stream;
  for (unsigned i = 0; i < kCount; ++i) host[i] = make_uint4(i, 1, 2, 3);
  const auto rate = [&](const uint4* from, uint4* to) {
    const double took = time_in_stream(
        stream, 3, [&] { copy_words<<<blocks, kThreads, 0, stream>>>(from, to, kCount); });
    return kBytes * 1e-3 / took;
  };
  report.add("bus.kernel_reads", rate(host.data(), device.data()), "GB/s");
  std::memset(host.data(), 0, kBytes);
  report.add("bus.kernel_writes", rate(device.data(), host.data()), "GB/s");
  bool right = true;
  for (unsigned i = 0; i < kCount; ++i) right &= host[i].x == i && host[i].w == 3;
  report.check("bus.kernel_writes", right, "what comes back is not what was written");
}

/// Copies and fills of a word: the GPU's time, and the time since the call.
inline void measure_small_copies(Report& report) {
  constexpr int kTries = 9;
  Stream stream;
  DeviceBuffer<unsigned> device(2);
  PinnedBuffer<unsigned> host(1);
  const auto measure = [&](const std::string& name, auto work) {
    work();  // CUDA initializes parts at the first use
    report.add("bus." + name, time_in_stream(stream, kTries, work), "us");
    Stopwatch watch;
    const double from_call = median_of(kTries, [&] {
      watch.start(stream);
      work();
      watch.stop(stream);
      return watch.microseconds();
    });
    report.add("bus." + name + "_from_call", from_call, "us");
  };
  const auto copy = [&](void* to, const void* from) {
    CHECK_CUDA(cudaMemcpyAsync(to, from, 4, cudaMemcpyDefault, stream));
  };
  // Copies that wait only for the previous one: how long each occupies the copy engine.
  const auto measure_row = [&](const std::string& name, void* to, const void* from) {
    constexpr int kCopies = 64;
    const double took = time_in_stream(stream, kTries, [&] {
      for (int i = 0; i < kCopies; ++i) copy(to, from);
    });
    report.add("bus." + name + "_in_a_row", took / kCopies, "us");
  };
  measure("word_to_device", [&] { copy(device.data(), host.data()); });
  measure_row("word_to_device", device.data(), host.data());
  measure("word_to_host", [&] { copy(host.data(), device.data()); });
  measure_row("word_to_host", host.data(), device.data());
  measure("word_on_device", [&] { copy(device.data() + 1, device.data()); });
  measure("word_fill", [&] { CHECK_CUDA(cudaMemsetAsync(device.data(), 0, 4, stream)); });
}

inline void copy_async(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
}

/// Gigabytes a second of pinned copies, each way and both ways at once.
inline void measure_large_copies(Report& report) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  constexpr int kTries = 3;
  constexpr double kGigabytes = kBytes * 1e-3;  // if microseconds divide it
  DeviceBuffer<char> device(kBytes), other(kBytes);
  PinnedBuffer<char> host(kBytes), other_host(kBytes);
  std::memset(host.data(), 1, kBytes);
  std::memset(other_host.data(), 2, kBytes);
  other.fill_bytes(3);
  Stream stream, beside;
  const auto down = [&] { copy_async(device.data(), host.data(), kBytes, stream); };
  const auto up = [&](cudaStream_t in) { copy_async(other_host.data(), other.data(), kBytes, in); };
  report.add("bus.to_device", kGigabytes / time_in_stream(stream, kTries, down), "GB/s");
  report.add("bus.to_host", kGigabytes / time_in_stream(stream, kTries, [&] { up(stream); }),
             "GB/s");
  Stopwatch fork, join;
  const double both = time_in_stream(stream, kTries, [&] {
    fork.start(stream);
    CHECK_CUDA(cudaStreamWaitEvent(beside, fork.began(), 0));
    up(beside);
    join.start(beside);
    down();
    CHECK_CUDA(cudaStreamWaitEvent(stream, join.began(), 0));
  });
  report.add("bus.both_ways", 2 * kGigabytes / both, "GB/s");
  report.check("bus.to_host", other_host[kBytes - 1] == 3, "the last byte was not copied");
}

/// Gigabytes a second of copies within device memory, and of fills.
inline void measure_device_copies(Report& report) {
  constexpr std::size_t kBytes = std::size_t{128} << 20;  // more than an L2 cache
  constexpr int kTries = 3;
  constexpr double kGigabytes = kBytes * 1e-3;
  DeviceBuffer<char> from(kBytes), to(kBytes);
  Stream stream;
  const double copied =
      time_in_stream(stream, kTries, [&] { copy_async(to.data(), from.data(), kBytes, stream); });
  const double filled = time_in_stream(
      stream, kTries, [&] { CHECK_CUDA(cudaMemsetAsync(to.data(), 1, kBytes, stream)); });
  report.add("bus.on_device", kGigabytes / copied, "GB/s");
  report.add("bus.fill", kGigabytes / filled, "GB/s");
}

inline void measure_bus(Report& report) {
  measure_host_loads(report);
  measure_host_stores(report);
  measure_kernel_copies(report);
  measure_small_copies(report);
  measure_large_copies(report);
  measure_device_copies(report);
}

}  // namespace raddle::workloads::micro
