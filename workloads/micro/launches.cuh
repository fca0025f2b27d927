// Barriers, kernel launches, and the number of blocks that a multiprocessor holds.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/bandwidth.cuh"
#include "micro/clock.cuh"
#include "micro/device.h"
#include "micro/host_timer.cuh"
#include "micro/report.h"

namespace raddle::workloads::micro {

constexpr unsigned kBarriers = 64;

/// Between two barriers each thread passes its number on. The sums show a barrier that does not
/// hold.
__global__ void pass_barriers(Span* span, unsigned* found) {
  __shared__ unsigned words[1024];
  unsigned start = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    start = clock_now();
#pragma unroll
    for (unsigned i = 0; i < kBarriers; ++i) __syncthreads();
    if (threadIdx.x == 0) *span = {start, clock_now()};
    found[threadIdx.x] = words[(threadIdx.x + 32) % blockDim.x];
    __syncthreads();
  }
}

inline void measure_barriers(Report& report) {
  for (const unsigned threads : {32u, 128u, 256u, 512u, 1024u}) {
    const std::string name = "barrier.threads_" + std::to_string(threads);
    DeviceBuffer<Span> span(1);
    DeviceBuffer<unsigned> found(threads);
    pass_barriers<<<1, threads>>>(span.data(), found.data());
    CHECK_CUDA(cudaGetLastError());
    const std::vector<unsigned> seen = found.download();
    for (unsigned i = 0; i < threads; ++i) {
      report.check(name, seen[i] == (i + 32) % threads, "a thread was ahead of the barrier");
    }
    report.add(name, longest(span.download()) / kBarriers, "cycles");
  }
}

__global__ void nothing() {}

inline void measure_launches(Report& report) {
  constexpr int kTries = 9, kMany = 64;
  Stream stream;
  Stopwatch watch;
  const auto launch = [&](int kernels) {
    for (int i = 0; i < kernels; ++i) nothing<<<1, 32, 0, stream>>>();
    CHECK_CUDA(cudaGetLastError());
  };
  const auto from_call = [&](int kernels) {
    return median_of(kTries, [&] {
      watch.start(stream);
      launch(kernels);
      watch.stop(stream);
      return watch.microseconds();
    });
  };
  const auto queued = [&](int kernels) {
    return time_in_stream(stream, kTries, [&] { launch(kernels); });
  };
  from_call(4);  // loads the code to the GPU
  const double alone = from_call(1);
  report.add("launch.alone", alone, "us");
  report.add("launch.in_a_row", (from_call(kMany) - alone) / (kMany - 1), "us");
  report.add("launch.queued", (queued(kMany) - queued(1)) / (kMany - 1), "us");
}

/// Counts how many of its blocks are on one multiprocessor at the same time.
__global__ void count_residents(unsigned* resident, unsigned* most, unsigned stay) {
  if (threadIdx.x == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    atomicMax(&most[sm], atomicAdd(&resident[sm], 1u) + 1);
    const unsigned start = clock_now();
    while (clock_now() - start < stay) asm volatile("nanosleep.u32 1000;");
    atomicSub(&resident[sm], 1u);
  }
  __syncthreads();
}

/// Counts the blocks on a multiprocessor, and checks that they are not more than the runtime says.
inline void measure_occupancy(Report& report) {
  constexpr unsigned kStay = 20000;  // cycles; long enough for all blocks that fit to start
  const cudaDeviceProp properties = device_properties();
  const int sms = properties.multiProcessorCount;
  for (const int threads : {32, 256, 1024}) {
    for (const int shared : {0, 12 * 1024}) {
      const std::string name =
          "occupancy.threads_" + std::to_string(threads) + "_shared_" + std::to_string(shared);
      int said = 0;
      CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&said, count_residents, threads,
                                                               std::size_t(shared)));
      DeviceBuffer<unsigned> resident(sms), most(sms);
      resident.fill_bytes(0);
      most.fill_bytes(0);
      count_residents<<<2 * said * sms, threads, shared>>>(resident.data(), most.data(), kStay);
      CHECK_CUDA(cudaGetLastError());
      const std::vector<unsigned> counted = most.download();
      const unsigned blocks = *std::max_element(counted.begin(), counted.end());
      report.check(name, blocks <= unsigned(said), "the runtime says that fewer fit");
      report.add(name, blocks, "blocks/SM");
    }
  }
}

}  // namespace raddle::workloads::micro
