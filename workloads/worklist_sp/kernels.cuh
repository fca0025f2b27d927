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
  unsigned changed;        // a survey, by more than the tolerance
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
  float* previous;                   // before their last update
  float* announced;                  // when their variables were pushed last
  Products<float>* products;         // of each variable
  int* values;                       // of each variable: 0, 1, kUnassigned
  unsigned* satisfied;               // of each clause
  unsigned* open_literals;           // of each clause that is not satisfied: unassigned
  unsigned* touched;                 // of each variable: a clause of it has changed
  unsigned* pushed;                  // of each variable: the step in which it was pushed last
  Findings* findings;
  float tolerance;  // a smaller change of a survey does not matter
  float damping;    // how much of the survey before is kept in an update

  __device__ bool is_open(unsigned edge) const { return values[literals[edge] / 2] < 0; }
};

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline Products<float> multiply_surveys(const FactorGraph& graph, unsigned variable) {
  Products<float> products;
  for (unsigned i = graph.variable_begin[variable]; i < graph.variable_begin[variable + 1]; ++i) {
    const unsigned edge = graph.variable_edges[i];
    const float survey = graph.surveys[edge / 2];
    products.sign[0].multiply(edge % 2 == 0 ? survey : 0);
    products.sign[1].multiply(edge % 2 == 0 ? 0 : survey);
  }
  return products;
}

__device__ inline float difference(float a, float b) { return a < b ? b - a : a - b; }

/// Calls `updated(edge, survey)` for those that are open.
template <class Updated>
__device__ void update_clause(const FactorGraph& graph, unsigned clause, Updated updated) {
  const unsigned begin = graph.clause_begin[clause], end = graph.clause_begin[clause + 1];
  for (unsigned edge = begin; edge < end; ++edge) graph.previous[edge] = graph.surveys[edge];
  for (unsigned edge = begin; edge < end; ++edge) {
    if (!graph.is_open(edge)) continue;
    float survey = 1;
    for (unsigned other = begin; other < end; ++other) {
      if (other == edge || !graph.is_open(other)) continue;
      const unsigned literal = graph.literals[other];
      survey *= unable<float>(graph.products[literal / 2], literal % 2, graph.previous[other]);
    }
    survey = graph.damping * graph.previous[edge] + (1 - graph.damping) * survey;
    graph.surveys[edge] = survey;
    if (difference(survey, graph.previous[edge]) > graph.tolerance) graph.findings->changed = 1;
    updated(edge, survey);
  }
}

/// Data-driven: variables push their clauses, clauses the variables whose surveys have changed. Of
/// the variables of a clause that are pulled in the same step, the first pushes it: those that were
/// pushed in step `pushed`, or all.
struct Pulled {
  unsigned pushed;
  bool all;
};

__device__ inline bool is_first(const FactorGraph& graph, const Pulled& pulled, unsigned variable,
                                unsigned clause) {
  for (unsigned edge = graph.clause_begin[clause];; ++edge) {
    const unsigned other = graph.literals[edge] / 2;
    if (other == variable) return true;
    if ((pulled.all || graph.pushed[other] == pulled.pushed) && graph.values[other] < 0) {
      return false;
    }
  }
}

template <class List>
__global__ void multiply_listed(List list, FactorGraph graph, Pulled pulled) {
  list.for_each([&](std::uint32_t variable, auto& out) {
    if (graph.values[variable] >= 0) return;
    graph.products[variable] = multiply_surveys(graph, variable);
    const unsigned end = graph.variable_begin[variable + 1];
    for (unsigned i = graph.variable_begin[variable]; i < end; ++i) {
      const unsigned clause = graph.variable_clauses[i];
      if (!graph.satisfied[clause] && is_first(graph, pulled, variable, clause)) out.push(clause);
    }
  });
}
template <class List>
__global__ void update_listed(List list, FactorGraph graph, unsigned step) {
  list.for_each([&](std::uint32_t clause, auto& out) {
    update_clause(graph, clause, [&](unsigned edge, float survey) {
      if (difference(survey, graph.announced[edge]) <= graph.tolerance / 2) return;
      graph.announced[edge] = survey;
      const unsigned variable = graph.literals[edge] / 2;
      if (atomicExch(&graph.pushed[variable], step) != step) out.push(variable);
    });
  });
}
/// Those whose clauses have changed since the surveys converged.
template <class List>
__global__ void push_touched(List list, FactorGraph graph, unsigned step) {
  const unsigned variable = thread_number();
  if (variable >= graph.num_variables || !graph.touched[variable]) return;
  graph.touched[variable] = 0;
  if (graph.values[variable] >= 0) return;
  graph.pushed[variable] = step;
  list.push(variable);
}

/// Removes the assigned variable from the factor graph. `forced(variable)` is called for those that
/// are the last that can satisfy a clause, and have been assigned to do so.
template <class Forced>
__device__ void remove_variable(const FactorGraph& graph, unsigned variable, Forced forced) {
  const auto value = static_cast<unsigned>(graph.values[variable]);
  for (unsigned i = graph.variable_begin[variable]; i < graph.variable_begin[variable + 1]; ++i) {
    const unsigned negated = graph.variable_edges[i] % 2;
    const unsigned clause = graph.variable_clauses[i];
    const unsigned begin = graph.clause_begin[clause], end = graph.clause_begin[clause + 1];
    for (unsigned other = begin; other < end; ++other) {
      graph.touched[graph.literals[other] / 2] = 1;
    }
    if (negated != value) {  // a true literal
      graph.satisfied[clause] = 1;
      for (unsigned edge = begin; edge < end; ++edge) graph.surveys[edge] = 0;
      continue;
    }
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
template <class List>
__global__ void remove_listed(List list, FactorGraph graph) {
  list.for_each([&](std::uint32_t variable, auto& out) {
    remove_variable(graph, variable, [&](unsigned forced) { out.push(forced); });
  });
}

}  // namespace raddle::workloads::sp
