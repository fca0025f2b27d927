// Quasi-random numbers of a digital sequence in base 2 (Niederreiter 1992): the exclusive or of the
// direction numbers of the index's one bits, from constant memory. Sizes and launches are those of
// the CUDA sample quasirandomGenerator. The direction numbers belong to no particular sequence.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kDigitDimensions = 3, kDigits = 31;

struct DigitTable {
  unsigned of[kDigitDimensions][kDigits];
};

constexpr DigitTable make_digits() {
  DigitTable table{};
  unsigned state = 1992;
  for (int dimension = 0; dimension < kDigitDimensions; ++dimension) {
    for (int digit = 0; digit < kDigits; ++digit) {
      state = state * 1664525u + 1013904223u;
      table.of[dimension][digit] = state >> 1;
    }
  }
  return table;
}

__constant__ DigitTable digit_table = make_digits();

extern "C" __global__ void digital_sequence(float* to, unsigned seed, unsigned count) {
  const unsigned* const digits = digit_table.of[threadIdx.y];
  const unsigned threads = blockDim.x * gridDim.x;
  for (unsigned at = blockDim.x * blockIdx.x + threadIdx.x; at < count; at += threads) {
    unsigned value = 0, index = seed + at;
    for (int digit = 0; digit < kDigits; ++digit, index >>= 1) {
      if ((index & 1) != 0) value ^= digits[digit];
    }
    to[threadIdx.y * count + at] = static_cast<float>(value + 1) * 0x1p-31f;
  }
}

inline bool run_niederreiter(Bench& bench) {
  constexpr unsigned kCount = 1 << 20, kLaunches = 2;
  DeviceBuffer<float> numbers(kDigitDimensions * kCount);
  for (unsigned n = 0; n < kLaunches; ++n) {
    bench.launch_at_once("digital_sequence", digital_sequence, 128, dim3(128, kDigitDimensions), 0,
                         numbers.data(), 0u, kCount);
  }
  constexpr DigitTable kTable = make_digits();
  std::vector<float> expected;
  for (const auto& digits : kTable.of) {
    for (unsigned at = 0; at < kCount; ++at) {
      unsigned value = 0;
      for (int digit = 0; digit < kDigits; ++digit) {
        if ((at >> digit & 1) != 0) value ^= digits[digit];
      }
      expected.push_back(static_cast<float>(value + 1) * 0x1p-31f);
    }
  }
  return check_equal("digital_sequence", expected, numbers.download());
}

}  // namespace raddle::workloads::kernels
