// Data-driven. In one kernel of a round, clauses compute their surveys and push variables; in the
// other, variables push their clauses. A variable is pushed when a survey to it differs by more than
// the tolerance from one that it has been since the variable was pushed last. As long as it is not,
// whatever its clauses have seen of its surveys, while others changed them, differs from what they are
// by no more than the tolerance. It is not enough to look at the survey when the variable was pushed: a
// clause may see a survey that is above it by the tolerance, and then is below.
#pragma once

#include <cstdint>

#include "worklist_sp/removal.cuh"
#include "worklist_sp/updates.cuh"

namespace raddle::workloads::sp {

/// 16 bytes, so that one access gets it.
struct alignas(16) Pushed {
  unsigned step;  // in which the variable was pushed last
  uint2 quads;    // of the variable

  __device__ static Pushed load(const Pushed* pushed) {
    const uint4 words = __ldcg(reinterpret_cast<const uint4*>(pushed));
    return {words.x, {words.z, words.w}};
  }
};

struct ListedGraph : FactorGraph {
  EdgeRecords edges;
  Pushed* pushed_variables;
  unsigned* pushed_clauses;  // of each clause: the step in which it was pushed last, or kNever
};
/// A clause that is satisfied is not pushed any more.
constexpr unsigned kNever = 0xffffffff;

/// Work ids are those of quads, of clauses, and of quads that are to be removed.
struct WorkIds {
  unsigned num_quads, num_edges;

  __host__ __device__ explicit WorkIds(const FactorGraph& graph)
      : num_quads(graph.num_quads), num_edges(graph.num_edges) {}
  __host__ __device__ unsigned clause(unsigned clause) const { return num_quads + clause; }
  __host__ __device__ unsigned removal(unsigned quad) const { return num_quads + num_edges + quad; }
  __device__ bool is_quad(unsigned id) const { return id < num_quads; }
  __device__ bool is_removal(unsigned id) const { return id >= num_quads + num_edges; }
};

/// A variable is pushed as its quads, which threads work on side by side.
template <class Out>
__device__ void push_quads(uint2 quads, Out& out, unsigned first = 0) {
  for (unsigned quad = quads.x; quad < quads.y; ++quad) out.push(first + quad);
}
template <class Out>
__device__ void push_variable(const ListedGraph& graph, unsigned variable, unsigned step,
                              Out& out) {
  Pushed& pushed = graph.pushed_variables[variable];
  if (atomicExch(&pushed.step, step) != step) push_quads(pushed.quads, out);
}
template <class Out>
__device__ void push_clause(const ListedGraph& graph, unsigned clause, unsigned step, Out& out) {
  if (atomicMax(&graph.pushed_clauses[clause], step) >= step) return;
  out.push(WorkIds(graph).clause(clause));
}

/// Those of a quad.
template <class Out>
__device__ void push_clauses(const ListedGraph& graph, unsigned quad, unsigned step, Out& out) {
  const Quad clauses(&graph.quad_clauses[quad]);
  unsigned before[kQuad];
#pragma unroll
  for (unsigned n = 0; n < kQuad; ++n) {
    before[n] = step;
    if (clauses.at[n] == graph.num_edges) continue;
    before[n] = atomicMax(&graph.pushed_clauses[clauses.at[n]], step);
  }
#pragma unroll
  for (unsigned n = 0; n < kQuad; ++n) {
    if (before[n] < step) out.push(WorkIds(graph).clause(clauses.at[n]));
  }
}

/// Stores what a clause sends to a variable, which was pushed in the step `pushed`. Returns whether
/// it is to be pushed now.
__device__ inline bool send(const ListedGraph& graph, unsigned edge, EdgeRecord record,
                            float survey, unsigned pushed, unsigned step) {
  const float before = record.survey;
  record.survey = survey;
  // Pushed by the update before this one, of which this one is a result.
  if (pushed + 2 == step) record.low = record.high = before;
  record.low = fminf(record.low, survey);
  record.high = fmaxf(record.high, survey);
  const bool push = record.high - record.low > graph.tolerance;
  if (push || pushed == step) record.low = record.high = survey;
  graph.edges.store(edge, record);
  exchange(graph, record.term, before, survey);
  return push && pushed != step;
}

/// To the clauses that are to be updated: those of the quads, and those that are listed.
template <class List>
__global__ void spread_listed(List list, ListedGraph graph, unsigned step) {
  const WorkIds ids(graph);
  list.for_each([&](std::uint32_t id, auto& out) {
    if (ids.is_quad(id)) {
      push_clauses(graph, id, step, out);
    } else {
      push_clause(graph, id - ids.clause(0), step, out);
    }
  });
}
/// Inlined, since the graph, a parameter of the kernel, would be copied to local memory for a call.
template <class Out>
__device__ __forceinline__ void update_clause(const ListedGraph& graph, unsigned clause,
                                              unsigned step, Out& out) {
  ClauseUpdate<EdgeRecords> update(graph, graph.edges, clause);
  update([&](unsigned first, const EdgeGroup& group, const float(&surveys)[kTogether]) {
    unsigned before[kTogether];
    Pushed pushed[kTogether];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (group.open(n)) {
        pushed[n] = Pushed::load(&graph.pushed_variables[group.term[n].variable()]);
      }
    }
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      before[n] = step;
      if (!group.open(n)) continue;
      const EdgeRecord record = {group.survey[n], group.low[n], group.high[n], group.term[n]};
      if (!send(graph, first + n, record, surveys[n], pushed[n].step, step)) continue;
      before[n] = atomicExch(&graph.pushed_variables[record.term.variable()].step, step);
    }
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (before[n] != step) push_quads(pushed[n].quads, out);
    }
  });
}
/// To the quads of variables.
template <class List>
__global__ void update_listed(List list, ListedGraph graph, unsigned step) {
  const unsigned first = WorkIds(graph).clause(0);
  list.for_each([&](std::uint32_t id, auto& out) { update_clause(graph, id - first, step, out); });
}

/// To what is to be removed next, and what is to be updated then. `step` is the same for all that is
/// removed together. findings->changed: there is more to be removed.
template <class List>
__global__ void remove_listed(List list, ListedGraph graph, unsigned step) {
  const WorkIds ids(graph);
  list.for_each([&](std::uint32_t id, auto& out) {
    if (!ids.is_removal(id)) {
      out.push(id);
      return;
    }
    Removal<EdgeRecords> remove(graph, graph.edges);
    remove(
        id - ids.removal(0),
        [&](unsigned forced) {
          push_quads(graph.variable_quads[forced], out, ids.removal(0));
          graph.findings->changed = 1;
        },
        [&](unsigned clause) { graph.pushed_clauses[clause] = kNever; },
        [&](unsigned variable) { push_variable(graph, variable, step, out); },
        [&](unsigned clause) { push_clause(graph, clause, step, out); });
  });
}

// Kernels of each list's own: a GPU without the worklist in hardware refuses all kernels of the file
// that uses it.
template <class List>
__global__ void begin_listed(List, ListedGraph graph) {
  add_survey(graph, graph.edges);
}
template <class List>
__global__ void biases_listed(List, ListedGraph graph, float* biases) {
  compute_bias(graph, graph.edges, biases);
}

}  // namespace raddle::workloads::sp
