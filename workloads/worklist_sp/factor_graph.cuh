#pragma once

#include <cuda_runtime.h>

#include "worklist_sp/sums.cuh"

namespace raddle::workloads::sp {

constexpr signed char kUnassigned = -1;
constexpr unsigned kBlockSize = 128;

/// What kernels find out, for the host.
struct Findings {
  unsigned changed;        // something: there is more to be done
  unsigned contradiction;  // a clause has no literal left
};

/// Edges of a clause come in groups of so many; they have a place more, since accesses are of 16 bytes.
constexpr unsigned kTogether = 3, kPlaces = 4;

/// The formula as variables see it. What edges carry is kept apart: edges.cuh. The nth edge of group g
/// has number kPlaces * g + n. A clause is known by its first group.
struct FactorGraph {
  unsigned num_variables, num_clauses, num_groups;
  const unsigned* clause_groups;
  unsigned num_quads;           // of variables' edges
  const uint2* variable_quads;  // of each variable: the first of its quads, the first after them
  const uint4* quad_edges;      // twice the edge, and one more if the variable is negated
  const uint4* quad_clauses;    // of those edges
  const unsigned* quad_variables;
  Sums* sums;               // of each variable
  int* values;              // of each variable: 0, 1, kUnassigned
  unsigned* open_literals;  // of each clause that is not satisfied: unassigned
  Findings* findings;
  float tolerance;  // a smaller change of a survey does not matter
  float damping;    // how much of the survey before is kept in an update

  /// After all others, and not open.
  __device__ unsigned no_edge() const { return kPlaces * num_groups; }
};

/// The edges of a quad are looked at together: their loads do not wait for one another. In the
/// place of what a variable's last quad lacks is no_edge().
constexpr unsigned kQuad = 4;

/// The nth of the arguments, which stay in registers.
__device__ inline unsigned choose(unsigned, unsigned last) { return last; }
template <class... Rest>
__device__ inline unsigned choose(unsigned n, unsigned first, Rest... rest) {
  return n == 0 ? first : choose(n - 1, rest...);
}

/// Loads of variables, and of clauses in no order, go past the L1 cache (__ldcg) and fetch 32 bytes:
/// the rest of a line would be lost before it is used.
struct Quad {
  unsigned at[kQuad];

  __device__ explicit Quad(const uint4* quad) {
    const uint4 all = __ldcg(quad);
    at[0] = all.x, at[1] = all.y, at[2] = all.z, at[3] = all.w;
  }
};

/// The survey of an edge that is not open: its variable is assigned, or its clause is satisfied.
constexpr float kClosed = -1;

/// An edge's literal, or none in the place of what a clause's last group lacks.
struct Term {
  unsigned literal;

  __device__ bool exists() const { return literal != kNone; }
  __device__ bool negated() const { return literal % 2 != 0; }
  __device__ unsigned variable() const { return literal / 2; }

  static constexpr unsigned kNone = 0xffffffff;
};

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline float difference(float a, float b) { return a < b ? b - a : a - b; }

}  // namespace raddle::workloads::sp
