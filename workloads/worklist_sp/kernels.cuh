// A round of survey propagation is two kernels: one multiplies up the surveys that variables
// receive, one computes those that clauses send. Neither reads what it writes, except for its own.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "worklist_sp/surveys.h"

namespace raddle::workloads::sp {

constexpr signed char kUnassigned = -1;

/// What kernels find out, for the host.
struct Findings {
  unsigned changed;        // something: there is more to be done
  unsigned contradiction;  // a clause has no literal left
};

struct FactorGraph {
  unsigned num_variables, num_clauses;
  const unsigned* clause_begin;
  const unsigned* literals;  // of each edge
  const unsigned* variable_begin;
  const unsigned* variable_edges;    // twice the edge, and one more if the variable is negated
  const unsigned* variable_clauses;  // of those edges
  float* surveys;                    // of each edge; 0 of satisfied clauses
  float* received;  // surveys as their variables know them: topology-driven the same, data-driven
                    // those when the variable was pushed for them last
  Products<float>* products;  // of each variable
  int* values;                // of each variable: 0, 1, kUnassigned
  unsigned* satisfied;        // of each clause
  unsigned* open_literals;    // of each clause that is not satisfied: unassigned
  unsigned* pushed;           // of each work id: the step in which it was pushed last
  Findings* findings;
  float tolerance;  // a smaller change of a survey does not matter
  float damping;    // how much of the survey before is kept in an update

  __device__ bool is_open(unsigned edge) const { return values[literals[edge] / 2] < 0; }
};

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// So many edges are looked at together: their loads do not wait for one another.
constexpr unsigned kTogether = 4;

__device__ inline void multiply(Products<float>& products, unsigned edge, float survey) {
  products.sign[0].multiply(edge % 2 == 0 ? survey : 0);
  products.sign[1].multiply(edge % 2 == 0 ? 0 : survey);
}

__device__ inline Products<float> multiply_up(const FactorGraph& graph, unsigned variable) {
  Products<float> products;
  const unsigned end = graph.variable_begin[variable + 1];
  for (unsigned i = graph.variable_begin[variable]; i < end; i += kTogether) {
    unsigned edges[kTogether];
    float surveys[kTogether];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) edges[n] = graph.variable_edges[min(i + n, end - 1)];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) surveys[n] = graph.surveys[edges[n] / 2];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (i + n < end) multiply(products, edges[n], surveys[n]);
    }
  }
  return products;
}

__device__ inline float difference(float a, float b) { return a < b ? b - a : a - b; }

/// The survey of an edge is the product, over the clause's other open edges, of the probabilities
/// that their variables cannot satisfy it.
class ClauseUpdate {
 public:
  __device__ ClauseUpdate(const FactorGraph& graph, unsigned clause)
      : graph_(graph), begin_(graph.clause_begin[clause]), end_(graph.clause_begin[clause + 1]) {}

  /// Calls `updated(edge, before, survey)` for open edges.
  template <class Updated>
  __device__ void operator()(Updated updated) {
    for (unsigned first = begin_; first < end_; first += kTogether) {
      load(first);
#pragma unroll
      for (unsigned n = 0; n < kTogether; ++n) take(n);
    }
    for (unsigned first = begin_; first < end_; first += kTogether) {
      if (end_ - begin_ > kTogether) load(first);
#pragma unroll
      for (unsigned n = 0; n < kTogether; ++n) {
        if (!open_[n]) continue;
        const float survey = graph_.damping * before_[n] + (1 - graph_.damping) * without(n);
        graph_.surveys[first + n] = survey;
        updated(first + n, before_[n], survey);
      }
    }
  }

 private:
  __device__ void load(unsigned first) {
    unsigned literals[kTogether];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      const unsigned edge = min(first + n, end_ - 1);
      literals[n] = graph_.literals[edge];
      before_[n] = graph_.surveys[edge];
      own_[n] = graph_.received[edge];
    }
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      const unsigned literal = literals[n];
      open_[n] = first + n < end_ && graph_.values[literal / 2] < 0;
      own_[n] = unable<float>(graph_.products[literal / 2], literal % 2, own_[n]);
    }
  }
  __device__ void take(unsigned n) {
    if (open_[n] && own_[n] > 0) all_ *= own_[n];
    if (open_[n] && !(own_[n] > 0)) ++zeros_;
  }
  __device__ float without(unsigned n) const {
    if (own_[n] > 0) return zeros_ == 0 ? all_ / own_[n] : 0;
    return zeros_ == 1 ? all_ : 0;
  }

  const FactorGraph& graph_;
  unsigned begin_, end_;
  float all_ = 1;
  unsigned zeros_ = 0;
  bool open_[kTogether];
  float before_[kTogether], own_[kTogether];
};

/// Data-driven: a variable is pushed when a survey to it differs by more than the tolerance from the
/// one it knows, a clause when one of its variables has been multiplied up again or one of its
/// literals has been removed; each once in a step. Any other clause would send what it has sent.
/// Work ids are those of variables, of clauses, and of variables that are to be removed.
struct WorkIds {
  unsigned num_variables, num_clauses;

  __device__ explicit WorkIds(const FactorGraph& graph)
      : num_variables(graph.num_variables), num_clauses(graph.num_clauses) {}
  __device__ unsigned clause(unsigned clause) const { return num_variables + clause; }
  __device__ unsigned removal(unsigned variable) const {
    return num_variables + num_clauses + variable;
  }
  __device__ bool is_clause(unsigned id) const {
    return id >= num_variables && id < num_variables + num_clauses;
  }
  __device__ bool is_removal(unsigned id) const { return id >= num_variables + num_clauses; }
};

template <class Out>
__device__ void push_once(const FactorGraph& graph, unsigned id, unsigned step, Out& out) {
  if (graph.pushed[id] != step && atomicExch(&graph.pushed[id], step) != step) out.push(id);
}
/// A variable or a clause, if it is still there.
template <class Out>
__device__ void push_open(const FactorGraph& graph, unsigned id, unsigned step, Out& out) {
  const bool clause = WorkIds(graph).is_clause(id);
  const bool open =
      clause ? !graph.satisfied[id - graph.num_variables] : graph.values[id] == kUnassigned;
  if (open) push_once(graph, id, step, out);
}

/// Multiplies up what the variable receives, of which it knows from now on, and pushes its clauses.
template <class Out>
__device__ void multiply_and_push(const FactorGraph& graph, unsigned variable, unsigned step,
                                  Out& out) {
  const WorkIds ids(graph);
  Products<float> products;
  const unsigned end = graph.variable_begin[variable + 1];
  for (unsigned i = graph.variable_begin[variable]; i < end; i += kTogether) {
    unsigned edges[kTogether], clauses[kTogether];
    float surveys[kTogether];
    bool push[kTogether];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      edges[n] = graph.variable_edges[min(i + n, end - 1)];
      clauses[n] = graph.variable_clauses[min(i + n, end - 1)];
    }
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      surveys[n] = graph.surveys[edges[n] / 2];
      push[n] = !graph.satisfied[clauses[n]] && graph.pushed[ids.clause(clauses[n])] != step;
    }
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (i + n >= end) break;
      multiply(products, edges[n], surveys[n]);
      graph.received[edges[n] / 2] = surveys[n];
      const unsigned id = ids.clause(clauses[n]);
      if (push[n] && atomicExch(&graph.pushed[id], step) != step) out.push(id);
    }
  }
  graph.products[variable] = products;
}

/// To the clauses that are to be updated: those of the variables, and those that are listed.
template <class List>
__global__ void multiply_listed(List list, FactorGraph graph, unsigned step) {
  list.for_each([&](std::uint32_t id, auto& out) {
    if (WorkIds(graph).is_clause(id)) {
      push_open(graph, id, step, out);
    } else if (graph.values[id] == kUnassigned) {
      multiply_and_push(graph, id, step, out);
    }
  });
}
/// To the variables that are to be multiplied up.
template <class List>
__global__ void update_listed(List list, FactorGraph graph, unsigned step) {
  list.for_each([&](std::uint32_t id, auto& out) {
    ClauseUpdate update(graph, id - graph.num_variables);
    update([&](unsigned edge, float, float survey) {
      if (difference(survey, graph.received[edge]) <= graph.tolerance) return;
      push_once(graph, graph.literals[edge] / 2, step, out);
    });
  });
}

/// Removes the assigned variable from the factor graph. Calls `forced(variable)` for those that are
/// the last that can satisfy a clause, and have been assigned to do so; `changed(variable)` for those
/// that have received a survey, of more than the tolerance, of a clause that is satisfied now; and
/// `shortened(clause)` for those that may have lost a literal.
template <class Forced, class Changed, class Shortened>
__device__ void remove_variable(const FactorGraph& graph, unsigned variable, Forced forced,
                                Changed changed, Shortened shortened) {
  const auto value = static_cast<unsigned>(graph.values[variable]);
  for (unsigned i = graph.variable_begin[variable]; i < graph.variable_begin[variable + 1]; ++i) {
    const unsigned negated = graph.variable_edges[i] % 2;
    const unsigned clause = graph.variable_clauses[i];
    const unsigned begin = graph.clause_begin[clause], end = graph.clause_begin[clause + 1];
    if (negated != value) {  // a true literal
      graph.satisfied[clause] = 1;
      for (unsigned edge = begin; edge < end; ++edge) {
        const bool large = graph.received[edge] > graph.tolerance;
        if (large && graph.is_open(edge)) changed(graph.literals[edge] / 2);
        graph.surveys[edge] = 0;
      }
      continue;
    }
    shortened(clause);
    const unsigned left = atomicSub(&graph.open_literals[clause], 1u) - 1;
    if (left > 1) continue;
    bool satisfied = false;
    unsigned last = 0;
    for (unsigned other = begin; other < end; ++other) {
      const unsigned literal = graph.literals[other];
      const int known = *static_cast<volatile int*>(&graph.values[literal / 2]);
      satisfied |= known >= 0 && static_cast<unsigned>(known) != literal % 2;
      if (known < 0) last = literal + 1;
    }
    if (satisfied) continue;
    if (left == 0) graph.findings->contradiction = 1;
    // If another clause has just assigned it otherwise, that one's removal comes to `left == 0`.
    if (last == 0) continue;
    const unsigned literal = last - 1;
    const int value_wanted = literal % 2 == 0;
    if (atomicCAS(&graph.values[literal / 2], static_cast<int>(kUnassigned), value_wanted) < 0) {
      forced(literal / 2);
    }
  }
}
/// To what is to be removed next, and what is to be updated then. findings->changed: there is more
/// to be removed.
template <class List>
__global__ void remove_listed(List list, FactorGraph graph, unsigned step) {
  const WorkIds ids(graph);
  list.for_each([&](std::uint32_t id, auto& out) {
    if (!ids.is_removal(id)) {
      push_open(graph, id, step, out);
      return;
    }
    remove_variable(
        graph, id - ids.removal(0),
        [&](unsigned forced) {
          out.push(ids.removal(forced));
          graph.findings->changed = 1;
        },
        [&](unsigned variable) { push_once(graph, variable, step, out); },
        [&](unsigned clause) { push_once(graph, ids.clause(clause), step, out); });
  });
}

}  // namespace raddle::workloads::sp
