#pragma once

#include "worklist_sp/updates.cuh"

namespace raddle::workloads::sp {

/// Takes the edges of a quad of an assigned variable out of the factor graph.
template <bool kInOrder>
class Removal {
 public:
  __device__ Removal(const FactorGraph& graph, const Edges<kInOrder>& edges)
      : graph_(graph), edges_(edges) {}

  /// Calls `satisfied(clause)` for each clause that the assignment satisfies. A variable that is
  /// the only one left to satisfy a clause is assigned to do so; `forced(variable)` is called for
  /// it.
  template <class Forced, class Satisfied>
  __device__ __forceinline__ void operator()(unsigned quad, Forced forced, Satisfied satisfied) {
    const unsigned variable = graph_.quad_variables[quad];
    const Quad edges(&graph_.quad_edges[quad]), clauses(&graph_.quad_clauses[quad]);
    const auto value = static_cast<unsigned>(graph_.values[variable]);
#pragma unroll 1  // the code for an edge is long
    for (unsigned n = 0; n < kQuad; ++n) {
      const unsigned literal = choose(n, edges.at[0], edges.at[1], edges.at[2], edges.at[3]);
      const unsigned clause = choose(n, clauses.at[0], clauses.at[1], clauses.at[2], clauses.at[3]);
      if (literal / 2 == graph_.no_edge()) break;
      const unsigned negated = literal % 2;
      if (negated != value) {  // a true literal
        satisfied(clause);
        satisfy(clause);
      } else {
        edges_.close(literal / 2);
        shorten(clause, forced);
      }
    }
  }

 private:
  __device__ __forceinline__ void satisfy(unsigned clause) {
    EdgeGroup group;
    for (unsigned at = clause;; ++at) {
      group = edges_.load(at);
      float before[kTogether];
#pragma unroll
      for (unsigned n = 0; n < kTogether; ++n) {
        before[n] = kClosed;
        if (group.open(n)) before[n] = edges_.close(kPlaces * at + n);
      }
#pragma unroll
      for (unsigned n = 0; n < kTogether; ++n) {
        if (before[n] >= 0) exchange(graph_, group.term[n], before[n], 0);
      }
      if (group.last) break;
    }
  }

  template <class Forced>
  __device__ __forceinline__ void shorten(unsigned clause, Forced forced) {
    const unsigned left = atomicSub(&graph_.open_literals[clause], 1u) - 1;
    if (left > 1) return;
    bool satisfied = false;
    unsigned last = 0;  // the last open literal plus 1; 0: none
    EdgeGroup group;
    for (unsigned at = clause;; ++at) {
      group = edges_.load(at);
#pragma unroll
      for (unsigned n = 0; n < kTogether; ++n) {
        if (!group.term[n].exists()) continue;
        const unsigned literal = group.term[n].literal;
        const int known = *static_cast<volatile int*>(&graph_.values[literal / 2]);
        satisfied |= known >= 0 && static_cast<unsigned>(known) != literal % 2;
        if (known < 0) last = literal + 1;
      }
      if (group.last) break;
    }
    if (satisfied) return;
    if (left == 0) graph_.findings->contradiction = 1;
    // If another clause has just assigned the opposite, the variable's removal finds `left == 0`
    // here.
    if (last == 0) return;
    const unsigned variable = (last - 1) / 2;
    const int wanted = (last - 1) % 2 == 0;
    if (atomicCAS(&graph_.values[variable], static_cast<int>(kUnassigned), wanted) < 0) {
      forced(variable);
    }
  }

  const FactorGraph& graph_;
  const Edges<kInOrder>& edges_;
};

}  // namespace raddle::workloads::sp
