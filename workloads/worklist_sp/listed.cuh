// Data-driven. The worklist first holds all clauses. A round has two kernels. In the first, clauses
// compute their surveys and push variables. A variable is pushed as its quads, so that several
// threads share its work. In the second, the quads push their clauses. An update pushes a variable
// when it changes one of the variable's surveys by more than the tolerance.
#pragma once

#include <cstdint>

#include "worklist_sp/removal.cuh"
#include "worklist_sp/updates.cuh"

namespace raddle::workloads::sp {

struct ListedGraph : FactorGraph {
  Edges<false> edges;
  unsigned* pushed_variables;  // of each: the step of its last push
  unsigned* pushed_clauses;    // the same, or kNever
};
/// A satisfied clause is never pushed again.
constexpr unsigned kNever = 0xffffffff;

template <class Out>
__device__ void push_quads(uint2 quads, Out& out) {
  for (unsigned quad = quads.x; quad < quads.y; ++quad) out.push(quad);
}
/// Pushes the clauses of a quad.
template <class Out>
__device__ void push_clauses(const ListedGraph& graph, unsigned quad, unsigned step, Out& out) {
  const Quad clauses(&graph.quad_clauses[quad]);
  unsigned before[kQuad];
#pragma unroll
  for (unsigned n = 0; n < kQuad; ++n) {
    before[n] = step;
    if (clauses.at[n] == graph.num_groups) continue;
    before[n] = atomicMax(&graph.pushed_clauses[clauses.at[n]], step);
  }
#pragma unroll
  for (unsigned n = 0; n < kQuad; ++n) {
    if (before[n] < step) out.push(clauses.at[n]);
  }
}

/// Pulls quads and pushes their clauses, which are then updated.
template <class List>
__global__ void spread_listed(List list, ListedGraph graph, unsigned step) {
  list.for_each([&](std::uint32_t quad, auto& out) { push_clauses(graph, quad, step, out); });
}
/// Inlined, because a call would copy the graph, a kernel parameter, to local memory.
template <class Out>
__device__ __forceinline__ void update_clause(const ListedGraph& graph, unsigned clause,
                                              unsigned step, Out& out) {
  ClauseUpdate<false> update(graph, graph.edges, clause);
  update([&](unsigned at, const EdgeGroup& group, const float(&surveys)[kTogether]) {
    unsigned before[kTogether];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      before[n] = step;
      if (!group.open(n) || difference(surveys[n], group.survey[n]) <= graph.tolerance) continue;
      before[n] = atomicExch(&graph.pushed_variables[group.term[n].variable()], step);
    }
    send(graph, graph.edges, at, group, surveys);
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (before[n] == step) continue;
      push_quads(__ldcg(&graph.variable_quads[group.term[n].variable()]), out);
    }
  });
}
/// Pulls and updates clauses, and pushes the quads of variables whose surveys changed.
template <class List>
__global__ void update_listed(List list, ListedGraph graph, unsigned step) {
  list.for_each([&](std::uint32_t id, auto& out) { update_clause(graph, id, step, out); });
}

/// Removes the variables of the listed quads. Pushes the quads of variables that clauses then
/// force, and sets findings->changed if there are any.
template <class List>
__global__ void remove_listed(List list, ListedGraph graph, unsigned) {
  list.for_each([&](std::uint32_t quad, auto& out) {
    Removal<false> remove(graph, graph.edges);
    remove(
        quad,
        [&](unsigned forced) {
          push_quads(graph.variable_quads[forced], out);
          graph.findings->changed = 1;
        },
        [&](unsigned clause) { graph.pushed_clauses[clause] = kNever; });
  });
}

// Each list type has kernels of its own, because a GPU without the hardware worklist refuses all
// kernels of the file that uses it.
template <class List>
__global__ void begin_listed(List, ListedGraph graph) {
  add_surveys(graph, graph.edges);
}
template <class List>
__global__ void biases_listed(List, ListedGraph graph, float* biases) {
  compute_bias(graph, graph.edges, biases);
}

}  // namespace raddle::workloads::sp
