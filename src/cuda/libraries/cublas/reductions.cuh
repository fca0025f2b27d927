// Reductions of vectors to a number: each thread gathers elements into a part, a block joins its
// threads' parts, and a second kernel joins the blocks' parts.
#pragma once

#include "device.cuh"

namespace raddle::cublas {

template <class T>
__device__ T magnitude(T x) {
  return x < 0 ? -x : x;
}

template <class T>
struct Dot {
  T sum;
  __device__ void clear() { sum = 0; }
  __device__ void add(const Reduction<T>& of, long long i) {
    sum += of.x[i * of.step_x] * of.y[i * of.step_y];
  }
  __device__ void join(const Dot& other) { sum += other.sum; }
  __device__ void finish(const Reduction<T>& of) const { *static_cast<T*>(of.result) = sum; }
};

template <class T>
struct Asum {
  T sum;
  __device__ void clear() { sum = 0; }
  __device__ void add(const Reduction<T>& of, long long i) {
    sum += magnitude(of.x[i * of.step_x]);
  }
  __device__ void join(const Asum& other) { sum += other.sum; }
  __device__ void finish(const Reduction<T>& of) const { *static_cast<T*>(of.result) = sum; }
};

/// A sum of squares that neither overflows nor vanishes: large, small and other numbers have
/// separate sums; the sums of large and small ones are scaled by powers of two (J. Blue, ACM TOMS
/// 4(1), 1978).
template <class T>
struct Nrm2 {
  T large, middle, small;
  static constexpr bool kSingle = sizeof(T) == 4;
  // Squares of numbers between these bounds are normal numbers, and so is any sum of them.
  static constexpr T kLarge = kSingle ? T(0x1p52) : T(0x1p486);
  static constexpr T kSmall = kSingle ? T(0x1p-51) : T(0x1p-459);
  static constexpr T kShrink = kSingle ? T(0x1p-76) : T(0x1p-538);
  static constexpr T kGrow = kSingle ? T(0x1p75) : T(0x1p537);

  __device__ void clear() { large = middle = small = 0; }
  __device__ void add(const Reduction<T>& of, long long i) {
    const T x = of.x[i * of.step_x], size = magnitude(x);
    if (size > kLarge) {
      large += (x * kShrink) * (x * kShrink);
    } else if (size < kSmall) {
      small += (x * kGrow) * (x * kGrow);
    } else {
      middle += x * x;  // a NaN too
    }
  }
  __device__ void join(const Nrm2& other) {
    large += other.large;
    middle += other.middle;
    small += other.small;
  }
  __device__ void finish(const Reduction<T>& of) const {
    T norm;
    if (large > 0) {
      norm = root(large + middle * kShrink * kShrink) / kShrink;
    } else if (middle > 0 || middle != middle) {
      norm = root(middle + small / kGrow / kGrow);
    } else {
      norm = root(small) / kGrow;
    }
    *static_cast<T*>(of.result) = large != large ? large : norm;
  }
};

/// The lowest index, from 1, of the element with the largest (kSign 1) or smallest (-1) magnitude.
template <class T, int kSign>
struct Extreme {
  T size;
  long long index;  // 0: none yet
  __device__ void clear() {
    size = 0;
    index = 0;
  }
  __device__ void join(const Extreme& other) {
    if (other.index == 0) return;
    const bool beyond = kSign > 0 ? other.size > size : other.size < size;
    if (index == 0 || beyond || (other.size == size && other.index < index)) *this = other;
  }
  __device__ void add(const Reduction<T>& of, long long i) {
    Extreme one;
    one.size = magnitude(of.x[i * of.step_x]);
    one.index = i + 1;
    join(one);
  }
  __device__ void finish(const Reduction<T>& of) const {
    if (of.wide != 0) {
      *static_cast<long long*>(of.result) = index;
    } else {
      *static_cast<int*>(of.result) = static_cast<int>(index);
    }
  }
};

/// Joins all parts of the block; the result is valid in the first thread.
template <class Part>
__device__ Part joined(Part mine) {
  static_assert(sizeof(Part) <= kPartBytes, "a block's part fits its place");
  __shared__ Part parts[kThreads];
  parts[thread()] = mine;
  for (int half = kThreads / 2; half != 0; half /= 2) {
    barrier();
    if (thread() >= half) continue;
    mine.join(parts[thread() + half]);
    parts[thread()] = mine;
  }
  return mine;
}

template <class Part, class T>
__device__ void reduce(const Reduction<T>& of) {
  Part mine;
  mine.clear();
  for (long long i = first_index(); i < of.n; i += index_step()) mine.add(of, i);
  mine = joined(mine);
  if (thread() != 0) return;
  if (blocks() == 1) {
    mine.finish(of);
  } else {
    static_cast<Part*>(of.parts)[block()] = mine;
  }
}

template <class Part, class T>
__device__ void reduce_parts(const Reduction<T>& of) {
  Part mine;
  mine.clear();
  if (thread() < of.blocks) mine = static_cast<Part*>(of.parts)[thread()];
  mine = joined(mine);
  if (thread() == 0) mine.finish(of);
}

}  // namespace raddle::cublas
