// Latency of each level of memory: one thread follows pointers through a ring of nodes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/clock.cuh"
#include "micro/device.h"
#include "micro/report.h"

namespace raddle::workloads::micro {

/// An instruction that reads the 8-byte pointer stored at `at`.
#define MICRO_LOAD(NAME, PTX)                                \
  struct NAME {                                              \
    __device__ static std::uint64_t load(std::uint64_t at) { \
      std::uint64_t next;                                    \
      asm volatile(PTX : "=l"(next) : "l"(at) : "memory");   \
      return next;                                           \
    }                                                        \
  };
MICRO_LOAD(LoadCached, "ld.global.ca.u64 %0, [%1];")
MICRO_LOAD(LoadUncached, "ld.global.cg.u64 %0, [%1];")
MICRO_LOAD(LoadReadOnly, "ld.global.nc.u64 %0, [%1];")
MICRO_LOAD(LoadConstant, "ld.const.u64 %0, [%1];")
MICRO_LOAD(LoadShared, "ld.shared.u64 %0, [%1];")
MICRO_LOAD(LoadLocal, "ld.local.u64 %0, [%1];")

constexpr int kShortChase = 8, kLongChase = 72, kChaseRounds = 2;
/// The number of nodes that time_chase() visits after the first ones.
constexpr int kChaseSteps = kChaseRounds * (kShortChase + kLongChase);

template <class Load, int steps>
__device__ std::uint64_t chase(std::uint64_t at) {
#pragma unroll
  for (int i = 0; i < steps; ++i) at = Load::load(at);
  return at;
}

/// Follows the pointers from `at`: `first` steps, then a short and a long chase, kChaseRounds
/// times. In the second round, instructions are in their caches. Writes the cycles of the last
/// short and long chase, and the last pointer.
template <class Load>
__device__ void time_chase(std::uint64_t at, int first, std::uint64_t* out) {
#pragma unroll 1
  for (int i = 0; i < first; ++i) at = Load::load(at);
  unsigned short_time = 0, long_time = 0;
#pragma unroll 1
  for (int round = 0; round < kChaseRounds; ++round) {
    unsigned start = clock_now();
    at = chase<Load, kShortChase>(at);
    wait_for(at, out + 3);
    short_time = clock_now() - start;
    start = clock_now();
    at = chase<Load, kLongChase>(at);
    wait_for(at, out + 3);
    long_time = clock_now() - start;
  }
  out[0] = short_time;
  out[1] = long_time;
  out[2] = at;
}

template <class Load>
__global__ void chase_global(std::uint64_t at, int first, std::uint64_t* out) {
  time_chase<Load>(at, first, out);
}

constexpr int kConstantNodes = 8192;  // 64 KB, all constant memory
__constant__ std::uint64_t micro_constants[kConstantNodes];

__global__ void constant_base(std::uint64_t* out) {
  *out = __cvta_generic_to_constant(micro_constants);
}

/// Makes a ring in memory that only the kernel can write: `nodes` pointers, `stride` bytes apart.
__device__ inline void make_ring(std::uint64_t* ring, std::uint64_t base, int nodes, int stride) {
  for (int i = 0; i < nodes; ++i) {
    ring[i * stride / 8] = base + static_cast<std::uint64_t>((i + 1) % nodes * stride);
  }
}
constexpr int kSmallRing = 16;

__global__ void chase_shared(std::uint64_t* out) {
  __shared__ std::uint64_t ring[kSmallRing];
  const std::uint64_t base = __cvta_generic_to_shared(ring);
  make_ring(ring, base, kSmallRing, 8);
  time_chase<LoadShared>(base, 2 * kSmallRing, out);
  out[2] -= base;
}

__global__ void chase_local(std::uint64_t* out) {
  volatile std::uint64_t ring[kSmallRing];
  auto* const nodes = const_cast<std::uint64_t*>(ring);
  const std::uint64_t base = __cvta_generic_to_local(nodes);
  make_ring(nodes, base, kSmallRing, 8);
  asm volatile("" ::"l"(nodes) : "memory");
  time_chase<LoadLocal>(base, 2 * kSmallRing, out);
  out[2] -= base;
}

/// A ring of `nodes` pointers `stride` bytes apart, the first at `base`. Its order has no locality:
/// each step skips kStep nodes, which has no common factor with `nodes`.
struct Ring {
  Ring(std::uint64_t base, std::uint64_t nodes, std::uint64_t stride)
      : base(base), nodes(nodes), stride(stride) {}
  std::uint64_t at(std::uint64_t step) const { return step * kStep % nodes * stride; }
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> ring(nodes * stride / 8);
    for (std::uint64_t i = 0; i < nodes; ++i) ring[at(i) / 8] = base + at(i + 1);
    return ring;
  }
  static constexpr std::uint64_t kStep = 1543;  // a prime
  std::uint64_t base, nodes, stride;
};

/// Reports and returns the cycles of a load.
inline double report_chase(Report& report, const std::string& name,
                           DeviceBuffer<std::uint64_t>& out, std::uint64_t expected_end) {
  const std::vector<std::uint64_t> found = out.download();
  report.check(name, found[2] == expected_end, "the chase ended at another node");
  const double cycles = (double(found[1]) - double(found[0])) / (kLongChase - kShortChase);
  report.add(name, cycles, "cycles");
  return cycles;
}

/// Latency of loads from a ring of `bytes`. All of it has been visited before (`warm`), or nothing.
template <class Load>
void measure_global(Report& report, const std::string& name, std::uint64_t bytes,
                    std::uint64_t stride, bool warm) {
  const std::uint64_t nodes = bytes / stride;  // not a multiple of Ring::kStep
  DeviceBuffer<std::uint64_t> ring(bytes / 8), out(4);
  const Ring order(reinterpret_cast<std::uint64_t>(ring.data()), nodes, stride);
  ring.upload(order.values());
  if (!warm) {
    // On hardware the copy may be in the L2 cache: evict it.
    DeviceBuffer<char> other(std::size_t{2} * device_properties().l2CacheSize);
    other.fill_bytes(0);
  }
  const int first = warm ? static_cast<int>(nodes) : 1;
  chase_global<Load><<<1, 1>>>(order.base, first, out.data());
  CHECK_CUDA(cudaGetLastError());
  report_chase(report, name, out, order.base + order.at(first + kChaseSteps));
}

/// Loads seven eighths of the L2 cache, which fit into it. In some GPUs it has two halves, and each
/// keeps the loads of its own multiprocessors. Then the data does not fit into the half of the
/// multiprocessor that loads.
inline void measure_l2_large(Report& report) {
  constexpr std::uint64_t kLine = 128;
  std::uint64_t lines = std::uint64_t(device_properties().l2CacheSize) / kLine * 7 / 8;
  if (lines % Ring::kStep == 0) --lines;
  measure_global<LoadUncached>(report, "memory.l2_large", lines * kLine, kLine, true);
}

/// Latency of constants from a ring of `bytes`.
inline void measure_constant(Report& report, const std::string& name, std::uint64_t bytes) {
  constexpr std::uint64_t kStride = 64;
  DeviceBuffer<std::uint64_t> out(4);
  constant_base<<<1, 1>>>(out.data());
  const Ring order(out.get(0), bytes / kStride, kStride);
  CHECK_CUDA(cudaMemcpyToSymbol(micro_constants, order.values().data(), bytes));
  const int first = static_cast<int>(order.nodes);
  chase_global<LoadConstant><<<1, 1>>>(order.base, first, out.data());
  CHECK_CUDA(cudaGetLastError());
  report_chase(report, name, out, order.base + order.at(first + kChaseSteps));
}

inline void measure_memory_latencies(Report& report) {
  constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;
  constexpr std::uint64_t kSmall = kKiB * 4, kMiddle = kKiB * 128, kLarge = kMiB * 16;
  measure_global<LoadCached>(report, "memory.global_cached", kSmall, 128, true);
  measure_global<LoadReadOnly>(report, "memory.read_only", kSmall, 128, true);
  measure_global<LoadUncached>(report, "memory.l2", kMiddle, 128, true);
  measure_l2_large(report);
  measure_global<LoadUncached>(report, "memory.dram", kLarge, 4096, false);
  measure_constant(report, "memory.constant", kKiB);
  measure_constant(report, "memory.constant_l15", kKiB * 16);
  DeviceBuffer<std::uint64_t> out(4);
  constexpr std::uint64_t kEnd = (2 * kSmallRing + kChaseSteps) % kSmallRing * 8;
  chase_shared<<<1, 1>>>(out.data());
  report_chase(report, "memory.shared", out, kEnd);
  chase_local<<<1, 1>>>(out.data());
  report_chase(report, "memory.local", out, kEnd);
}

}  // namespace raddle::workloads::micro
