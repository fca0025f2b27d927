// Sobol' sequences in Gray-code order (Bratley & Fox, ACM TOMS 14(1), 1988, algorithm 659). Sizes
// and launches, and strides that are powers of two, are those of the CUDA sample SobolQRNG.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kDirections = 32, kSobolThreads = 64;

/// out[dimension * vectors + i] is coordinate `dimension` of vector i. A block computes one
/// dimension. A thread computes every stride-th vector. The stride is a power of two.
extern "C" __global__ void sobol_vectors(unsigned vectors, const unsigned* directions, float* out) {
  __shared__ unsigned v[kDirections];
  directions += kDirections * blockIdx.y;
  out += vectors * blockIdx.y;
  if (threadIdx.x < kDirections) v[threadIdx.x] = directions[threadIdx.x];
  __syncthreads();
  const int first = threadIdx.x + blockIdx.x * blockDim.x;
  const int stride = gridDim.x * blockDim.x;
  // The first vector follows from its Gray code.
  unsigned gray = first ^ (first >> 1), x = 0;
#pragma unroll 4
  for (unsigned k = 0; k < __ffs(stride) - 1; ++k) {
    x ^= -(gray & 1) & v[k];
    gray >>= 1;
  }
  if (first < vectors) out[first] = static_cast<float>(x) * 0x1p-32f;
  // Gray codes a stride apart differ in two bits: that of the stride, and one above it.
  const unsigned of_stride = v[__ffs(stride) - 2];
  const unsigned below = stride - 1;
  for (unsigned i = first + stride; i < vectors; i += stride) {
    x ^= of_stride ^ v[__ffs(~((i - stride) | below)) - 1];
    out[i] = static_cast<float>(x) * 0x1p-32f;
  }
}

/// Whether the polynomial over GF(2) with the bits `polynomial` and degree `degree` is primitive:
/// the powers of x modulo the polynomial take all 2^degree - 1 values.
inline bool is_primitive(unsigned polynomial, unsigned degree) {
  const unsigned order = (1u << degree) - 1;
  unsigned power = 1;
  for (unsigned i = 1; i <= order; ++i) {
    power <<= 1;
    if ((power >> degree & 1) != 0) power ^= polynomial;
    if (power == 1) return i == order;
  }
  return false;
}

/// Direction numbers. Dimension 0 is the van der Corput sequence. Every other one has a primitive
/// polynomial of its own, and arbitrary odd initial values below 2^i.
inline std::vector<unsigned> sobol_directions(int dimensions) {
  std::vector<unsigned> all;
  for (int i = 0; i < kDirections; ++i) all.push_back(0x80000000u >> i);
  for (unsigned polynomial = 3, degree = 1; all.size() < std::size_t(dimensions) * kDirections;
       polynomial += 2) {
    if (polynomial >> (degree + 1) != 0) ++degree;
    if (!is_primitive(polynomial, degree)) continue;
    const std::size_t at = all.size();
    for (unsigned i = 0; i < kDirections; ++i) {
      if (i < degree) {
        const auto odd =
            static_cast<unsigned>(number(at + i) * static_cast<float>(1u << i)) << 1 | 1;
        all.push_back(odd << (31 - i));
        continue;
      }
      unsigned v = all[at + i - degree] ^ all[at + i - degree] >> degree;
      for (unsigned k = 1; k < degree; ++k) {
        if ((polynomial >> (degree - k) & 1) != 0) v ^= all[at + i - k];
      }
      all.push_back(v);
    }
  }
  return all;
}

/// Computes 100,000 vectors of 100 dimensions. As the sample, divides the vectors so that even one
/// dimension has four blocks a multiprocessor.
inline bool run_sobol(Bench& bench) {
  constexpr unsigned kVectors = 100000, kDimensions = 100;
  int sms = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  unsigned parts = 1;
  while (parts < static_cast<unsigned>(4 * sms)) parts *= 2;
  const std::vector<unsigned> directions = sobol_directions(kDimensions);
  DeviceBuffer<unsigned> device_directions(directions);
  DeviceBuffer<float> out(kVectors * kDimensions);
  bench.launch("sobol_vectors", sobol_vectors, dim3(parts, kDimensions), kSobolThreads, 0, kVectors,
               device_directions.data(), out.data());
  std::vector<float> expected(kVectors * kDimensions);
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    unsigned x = 0;
    for (unsigned i = 0; i < kVectors; ++i) {
      expected[dimension * kVectors + i] = static_cast<float>(x) * 0x1p-32f;
      x ^= directions[dimension * kDirections + __builtin_ctz(~i)];
    }
  }
  return check_equal("sobol", expected, out.download());
}

}  // namespace raddle::workloads::kernels
