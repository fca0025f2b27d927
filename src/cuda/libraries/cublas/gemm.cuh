// C = alpha * op(A) * op(B) + beta * C in tiles. A block of 256 threads makes kSide x kSide
// elements of C, each thread the same number of them, from strips of A and B in shared memory.
// Registers receive the next strip while the block uses the present one.
#pragma once

#include "device.cuh"

namespace raddle::cublas {

/// Elements of a strip along k.
constexpr int kStrip = 16;

/// Loads a strip of op(A) or op(B) from memory: kSide x kStrip elements, with zeros outside of the
/// matrix. `outer` is a row of op(A) or a column of op(B). `along_k`: neighbours in memory are
/// neighbours along k, and neighbouring lanes load them.
template <class T, int kSide, class In>
__device__ void fetch(T (*shared)[kSide + 1], const In* matrix, long long leading, bool along_k,
                      int outer, int outer_end, int k, int k_end) {
  constexpr int kMine = kSide * kStrip / kThreads;
  constexpr int kOuterStep = kThreads / kStrip, kInnerStep = kThreads / kSide;
  const int o = along_k ? thread() / kStrip : thread() % kSide;
  const int l = along_k ? thread() % kStrip : thread() / kSide;
  const int o_step = along_k ? kOuterStep : 0, l_step = along_k ? 0 : kInnerStep;
  const In* from =
      matrix + (along_k ? k + l + (outer + o) * leading : outer + o + (k + l) * leading);
  const long long step = (along_k ? kOuterStep : kInnerStep) * leading;
  T values[kMine];
  for (int i = 0; i < kMine; ++i) {
    const bool inside = outer + o + i * o_step < outer_end && k + l + i * l_step < k_end;
    values[i] = inside ? widened(from[i * step]) : T(0);
  }
  for (int i = 0; i < kMine; ++i) shared[l + i * l_step][o + i * o_step] = values[i];
}

/// The threads of a block form a square of 16 x 16; each makes every 16th row and column.
constexpr int kSquare = 16;

template <class T, int kSide, class G, class In>
__device__ void multiply(const G& of, const In* a, const In* b, int row, int column,
                         T (*sums)[kSide / kSquare]) {
  constexpr int kMine = kSide / kSquare;
  __shared__ T shared_a[kStrip][kSide + 1], shared_b[kStrip][kSide + 1];
  const int x = thread() % kSquare, y = thread() / kSquare;
  for (int k = 0; k < of.k; k += kStrip) {
    barrier();
    fetch<T, kSide>(shared_a, a, of.a.leading, of.transpose_a != 0, row, of.m, k, of.k);
    fetch<T, kSide>(shared_b, b, of.b.leading, of.transpose_b == 0, column, of.n, k, of.k);
    barrier();
#pragma unroll 4
    for (int l = 0; l < kStrip; ++l) {
      T from_a[kMine], from_b[kMine];
      for (int i = 0; i < kMine; ++i) from_a[i] = shared_a[l][x + i * kSquare];
      for (int j = 0; j < kMine; ++j) from_b[j] = shared_b[l][y + j * kSquare];
      for (int j = 0; j < kMine; ++j) {
        for (int i = 0; i < kMine; ++i) sums[j][i] += from_a[i] * from_b[j];
      }
    }
  }
}

template <int kSide, class In, class S, class Out>
__device__ void gemm(const Gemm<In, S, Out>& of) {
  using T = decltype(widened(In{}));
  constexpr int kMine = kSide / kSquare;
  const T alpha = widened(value(of.alpha)), beta = widened(value(of.beta));
  const int tiles_down = (of.m + kSide - 1) / kSide;
  const long long tile = of.first_tile + block();
  const int row = static_cast<int>(tile % tiles_down) * kSide;
  const int column = static_cast<int>(tile / tiles_down) * kSide;
  const int batch = of.first_member + first_member();
  T sums[kMine][kMine] = {};
  if (alpha != 0) {
    multiply<T, kSide>(of, member(of.a, batch), member(of.b, batch), row, column, sums);
  }
  const int at_row = row + thread() % kSquare, at_column = column + thread() / kSquare;
  Out* const c = member(of.c, batch) + at_row + at_column * of.c.leading;
  for (int j = 0; j < kMine; ++j) {
    for (int i = 0; i < kMine; ++i) {
      if (at_row + i * kSquare >= of.m || at_column + j * kSquare >= of.n) continue;
      store_scaled(c + i * kSquare + j * kSquare * of.c.leading, alpha * sums[j][i], beta);
    }
  }
}

}  // namespace raddle::cublas
