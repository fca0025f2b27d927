// Atomics: latency by the number of lanes that share an address, and throughput of the whole GPU.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/device.h"
#include "micro/shared_memory.cuh"

namespace raddle::workloads::micro {

/// Each group of `contention` lanes adds `zero` to a word of its own. The word holds its own
/// address, so the next atomic cannot issue before the last has returned. The words of groups lie
/// in different banks. Writes to `out` which word each lane reached.
__global__ void __launch_bounds__(1024)
    add_to_shared(unsigned contention, unsigned zero, unsigned* out) {
  __shared__ unsigned words[32];
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(words));
  words[threadIdx.x] = base + 4 * threadIdx.x;
  __syncthreads();
  const unsigned end = time_steps(base + threadIdx.x / contention * 4, out, [zero](unsigned at) {
    unsigned next;
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(next) : "r"(at), "r"(zero) : "memory");
    return next;
  });
  out[3 + threadIdx.x] = (end - base) / 4;
}

/// Each group of `contention` lanes adds 1 to a word of its own. The summand depends on the old
/// value, masked by `none`, so the next atomic cannot issue before the last has returned. Writes
/// the sums to `out`.
__global__ void __launch_bounds__(1024)
    add_to_global(unsigned contention, unsigned none, unsigned* words, unsigned* out) {
  unsigned* const at = words + threadIdx.x / contention;
  const unsigned one = none + 1;
  time_steps(0, out, [=](unsigned last) {
    asm volatile(
        "{ .reg .b32 t; and.b32 t, %0, %2; or.b32 t, t, %3; atom.global.add.u32 %0, [%1], t; }"
        : "+r"(last)
        : "l"(at), "r"(none), "r"(one)
        : "memory");
    return last;
  });
  __syncthreads();
  out[3 + threadIdx.x] = atomicAdd(words + threadIdx.x, 0);
}

inline void measure_global_atomic(Report& report, const std::string& name, unsigned threads,
                                  unsigned contention) {
  DeviceBuffer<unsigned> out(3 + 32), words(32);
  words.fill_bytes(0);
  add_to_global<<<1, threads>>>(contention, 0, words.data(), out.data());
  CHECK_CUDA(cudaGetLastError());
  const std::vector<unsigned> found = out.download();
  for (unsigned word = 0; word < threads; ++word) {
    const unsigned expected = word * contention < threads ? contention * kRunSteps : 0;
    report.check(name, found[3 + word] == expected, "a sum is wrong");
  }
  report.add(name, cycles_a_step(found), "cycles");
}

inline void measure_atomic_latencies(Report& report) {
  measure_global_atomic(report, "atomic.global_alone", 1, 1);
  for (const unsigned contention : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const std::string lanes = std::to_string(contention);
    DeviceBuffer<unsigned> out(3 + 32);
    add_to_shared<<<1, 32>>>(contention, 0, out.data());
    CHECK_CUDA(cudaGetLastError());
    const std::vector<unsigned> found = out.download();
    for (unsigned lane = 0; lane < 32; ++lane) {
      report.check("atomic.shared_" + lanes, found[3 + lane] == lane / contention,
                   "a lane ended at another word");
    }
    report.add("atomic.shared_" + lanes, cycles_a_step(found), "cycles");
    measure_global_atomic(report, "atomic.global_" + lanes, 32, contention);
  }
}

constexpr unsigned kAddsAThread = 16;

/// Every thread adds to the same word, or to a word of its own (`spread` = 1), without a result.
__global__ void __launch_bounds__(1024)
    add_from_all(unsigned* words, unsigned spread, Span* spans) {
  unsigned* const at = words + (blockIdx.x * blockDim.x + threadIdx.x) * spread;
  const unsigned start = clock_now();
#pragma unroll 1
  for (unsigned i = 0; i < kAddsAThread; ++i) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1u) : "memory");
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, clock_now()};
}

inline void measure_atomic_throughput(Report& report, const std::string& name, unsigned spread) {
  constexpr unsigned kThreads = 1024;
  const unsigned blocks = device_properties().multiProcessorCount;
  const unsigned threads = blocks * kThreads;
  DeviceBuffer<unsigned> words(threads);
  DeviceBuffer<Span> spans(blocks);
  words.fill_bytes(0);
  add_from_all<<<blocks, kThreads>>>(words.data(), spread, spans.data());
  CHECK_CUDA(cudaGetLastError());
  const double adds = double(threads) * kAddsAThread;
  report.check(name, words.get(0) == (spread == 0 ? threads : 1) * kAddsAThread, "a sum is wrong");
  report.add(name, adds / longest(spans.download()), "adds/cycle");
}

inline void measure_atomics(Report& report) {
  measure_atomic_latencies(report);
  measure_atomic_throughput(report, "atomic.throughput_same", 0);
  measure_atomic_throughput(report, "atomic.throughput_spread", 1);
}

}  // namespace raddle::workloads::micro
