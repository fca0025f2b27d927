#pragma once

#include <cuda_runtime.h>

#include "worklist_sp/sums.cuh"

namespace raddle::workloads::sp {

constexpr signed char kUnassigned = -1;
constexpr unsigned kBlockSize = 128;

/// Results of kernels for the host.
struct Findings {
  unsigned changed;        // 1: another round is needed
  unsigned contradiction;  // 1: a clause has no literal left
};

/// A group holds kTogether edges of a clause. It has one place more, since accesses have 16 bytes.
constexpr unsigned kTogether = 3, kPlaces = 4;

/// The formula as variables see it. edges.cuh has the data of edges. The nth edge of group g has
/// number kPlaces * g + n. The index of a clause's first group identifies the clause.
struct FactorGraph {
  unsigned num_variables, num_clauses, num_groups;
  const unsigned* clause_groups;
  unsigned num_quads;           // of variables' edges
  const uint2* variable_quads;  // of each variable: its first quad, the first after
  const uint4* quad_edges;      // twice the edge, and one more if the variable is negated
  const uint4* quad_clauses;    // of those edges
  const unsigned* quad_variables;
  Sums* sums;               // of each variable
  int* values;              // of each variable: 0, 1, kUnassigned
  unsigned* open_literals;  // of each clause that is not satisfied: literals left
  Findings* findings;
  float tolerance;  // a smaller change of a survey is ignored
  float damping;    // share of the previous survey that an update keeps

  /// The number of an extra edge after all others. It is not open.
  __device__ unsigned no_edge() const { return kPlaces * num_groups; }
};

/// A quad holds four edges of a variable. They are loaded together, so that no load waits for
/// another. A variable's last quad is filled up with no_edge().
constexpr unsigned kQuad = 4;

/// Returns the nth of the arguments. They stay in registers, unlike elements of an indexed array.
__device__ inline unsigned choose(unsigned, unsigned last) { return last; }
template <class... Rest>
__device__ inline unsigned choose(unsigned n, unsigned first, Rest... rest) {
  return n == 0 ? first : choose(n - 1, rest...);
}

/// Loads of variables, and of scattered clauses, bypass the L1 cache (__ldcg) and fetch 32 bytes.
/// The rest of a line would be evicted before it is used.
struct Quad {
  unsigned at[kQuad];

  __device__ explicit Quad(const uint4* quad) {
    const uint4 all = __ldcg(quad);
    at[0] = all.x, at[1] = all.y, at[2] = all.z, at[3] = all.w;
  }
};

/// The survey of an edge that is not open: its variable is assigned, or its clause is satisfied.
constexpr float kClosed = -1;

/// An edge's literal. kNone fills up a clause's last group.
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
