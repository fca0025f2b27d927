// Triangular systems and products with triangular matrices.
#pragma once

#include "device.cuh"

namespace raddle::cublas {

/// The matrix M of M * v for column vectors v: M = op(A). If A is at the right of B, M = op(A)',
/// and the vectors are the rows of B.
template <class T>
struct TriangleSide {
  __device__ TriangleSide(const Triangle<T>& of, const T* a)
      : a(a),
        length(of.right != 0 ? of.n : of.m),
        vectors(of.right != 0 ? of.m : of.n),
        lower((of.lower != 0) != ((of.transpose != 0) != (of.right != 0))) {
    const bool transposed = (of.transpose != 0) != (of.right != 0);
    down = transposed ? of.a.leading : 1;
    across = transposed ? 1 : of.a.leading;
  }
  __device__ T at(int row, int column) const { return a[row * down + column * across]; }

  const T* a;
  int length, vectors;
  bool lower;
  long long down, across;  // elements from row to row of M, from column to column
};

/// The vectors of a matrix: columns, or rows.
template <class T, class Leading>
__device__ T* vector_of(T* matrix, Leading leading, bool right, int number) {
  return right ? matrix + number : matrix + number * leading;
}

/// to = alpha * from, element by element. From here on each thread has its own elements.
template <class T>
__device__ void begin_vector(T* to, long long step_to, const T* from, long long step_from,
                             int length, T alpha) {
  for (int i = thread(); i < length; i += kThreads)
    to[i * step_to] = alpha == 0 ? T(0) : alpha * from[i * step_from];
}

/// Substitution: x[i] is final when all elements before it, in M's order, are subtracted from it.
template <class T>
__device__ void solve_vector(const TriangleSide<T>& m, bool unit, T* x, long long step) {
  for (int done = 0; done < m.length; ++done) {
    const int i = m.lower ? done : m.length - 1 - done;
    if (!unit && i % kThreads == thread()) x[i * step] /= m.at(i, i);
    barrier();
    const T known = x[i * step];
    for (int j = thread(); j < m.length; j += kThreads) {
      if (m.lower ? j > i : j < i) x[j * step] -= m.at(j, i) * known;
    }
  }
}

/// In place: column by column, so that each element keeps its old value until its own column is
/// added.
template <class T>
__device__ void multiply_vector(const TriangleSide<T>& m, bool unit, T* x, long long step) {
  for (int done = 0; done < m.length; ++done) {
    const int i = m.lower ? m.length - 1 - done : done;
    const T old = x[i * step];
    barrier();
    for (int j = thread(); j < m.length; j += kThreads) {
      if (m.lower ? j > i : j < i) x[j * step] += m.at(j, i) * old;
      if (j == i && !unit) x[j * step] = m.at(i, i) * old;
    }
  }
}

/// A block makes one vector at a time.
template <bool kSolves, class T>
__device__ void triangle(const Triangle<T>& of) {
  const T alpha = value(of.alpha);
  const bool right = of.right != 0;
  for (int batch = first_member(); batch < of.batches; batch += member_step()) {
    const TriangleSide<T> m(of, member(of.a, batch));
    const T* const b = member(of.b, batch);
    T* const c = member(of.c, batch);
    const long long step_b = right ? of.b.leading : 1, step_c = right ? of.c.leading : 1;
    for (int number = block(); number < m.vectors; number += blocks()) {
      T* const x = vector_of(c, of.c.leading, right, number);
      begin_vector(x, step_c, vector_of(b, of.b.leading, right, number), step_b, m.length, alpha);
      barrier();
      if (alpha == 0) continue;
      if (kSolves) {
        solve_vector(m, of.unit != 0, x, step_c);
      } else {
        multiply_vector(m, of.unit != 0, x, step_c);
      }
      barrier();
    }
  }
}

}  // namespace raddle::cublas
