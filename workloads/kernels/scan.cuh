// Exclusive prefix sums of arrays of 1,024 numbers, a block for each. A thread sums four numbers.
// The block's threads then scan these sums in shared memory by doubling distances (Hillis & Steele
// 1986). Zeros precede the sums. Sizes and launches are those of the CUDA sample scan.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr unsigned kScanThreads = 256;

extern "C" __global__ void scan_arrays(uint4* to, const uint4* from) {
  __shared__ unsigned sums[2 * kScanThreads];
  volatile unsigned* const shared = sums;
  const unsigned at = blockIdx.x * kScanThreads + threadIdx.x;
  uint4 value = from[at];
  value.y += value.x;
  value.z += value.y;
  value.w += value.z;
  const unsigned mine = kScanThreads + threadIdx.x;
  shared[threadIdx.x] = 0;
  shared[mine] = value.w;
  for (unsigned distance = 1; distance < kScanThreads; distance <<= 1) {
    __syncthreads();
    const unsigned sum = shared[mine] + shared[mine - distance];
    __syncthreads();
    shared[mine] = sum;
  }
  const unsigned before = shared[mine] - value.w;
  to[at] = make_uint4(before, before + value.x, before + value.y, before + value.z);
}

inline bool run_scan(Bench& bench) {
  constexpr unsigned kArrays = 6656, kLength = 4 * kScanThreads, kLaunches = 2;
  std::vector<uint4> values(kArrays * kScanThreads);
  std::vector<unsigned> expected, found;
  for (unsigned i = 0; i < values.size(); ++i) {
    const auto low = static_cast<unsigned>(65536 * number(i));
    values[i] = make_uint4(low, low >> 3, low & 255, low ^ 77);
  }
  DeviceBuffer<uint4> from(values), to(values.size());
  for (unsigned n = 0; n < kLaunches; ++n) {
    bench.launch_at_once("scan_arrays", scan_arrays, kArrays, kScanThreads, 0, to.data(),
                         from.data());
  }
  const std::vector<uint4> all = to.download();
  unsigned sum = 0;
  for (unsigned i = 0; i < values.size(); ++i) {
    if (i % (kLength / 4) == 0) sum = 0;
    for (const unsigned part : {values[i].x, values[i].y, values[i].z, values[i].w}) {
      expected.push_back(sum);
      sum += part;
    }
    found.insert(found.end(), {all[i].x, all[i].y, all[i].z, all[i].w});
  }
  return check_equal("scan", expected, found);
}

}  // namespace raddle::workloads::kernels
