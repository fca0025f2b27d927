#pragma once

#include <vector>

#include "worklist_sp/driver.h"

namespace raddle::workloads::sp {

__global__ void multiply_all(FactorGraph graph) {
  const unsigned variable = thread_number();
  if (variable >= graph.num_variables || graph.values[variable] >= 0) return;
  graph.products[variable] = multiply_up(graph, variable);
}
__global__ void update_all(FactorGraph graph) {
  const unsigned clause = thread_number();
  if (clause >= graph.num_clauses || graph.satisfied[clause]) return;
  ClauseUpdate update(graph, clause);
  update([&](unsigned, float before, float survey) {
    if (difference(survey, before) > graph.tolerance) graph.findings->changed = 1;
  });
}

__global__ void compute_biases(FactorGraph graph, float* biases) {
  const unsigned variable = thread_number();
  if (variable >= graph.num_variables) return;
  const bool open = graph.values[variable] < 0;
  biases[variable] = open ? bias(multiply_up(graph, variable)) : 0;
}

/// Those that are marked with this step; marks others with the next.
__global__ void remove_all(FactorGraph graph, unsigned* marks, unsigned step) {
  const unsigned variable = thread_number();
  if (variable >= graph.num_variables || marks[variable] != step) return;
  remove_variable(
      graph, variable,
      [&](unsigned forced) {
        marks[forced] = step + 1;
        graph.findings->changed = 1;
      },
      [](unsigned) {}, [](unsigned) {});
}
/// Over all variables and clauses.
class TopologyDriver : public Driver {
 public:
  explicit TopologyDriver(DeviceFactorGraph& graph)
      : graph_(graph), marks_(graph.view().num_variables) {
    marks_.fill_bytes(0);
  }

  bool converge(unsigned limit, unsigned& rounds) override {
    const FactorGraph& view = graph_.view();
    for (unsigned round = 0; round < limit; ++round) {
      ++rounds;
      graph_.findings.fill_bytes(0);
      multiply_all<<<blocks_for(view.num_variables, kBlockSize), kBlockSize>>>(view);
      update_all<<<blocks_for(view.num_clauses, kBlockSize), kBlockSize>>>(view);
      CHECK_CUDA(cudaGetLastError());
      if (graph_.findings.get(0).changed == 0) return true;
    }
    return false;
  }

  bool propagate(const std::vector<unsigned>& assigned) override {
    std::vector<unsigned> marks(marks_.size(), 0);
    for (unsigned variable : assigned) marks[variable] = 1;
    marks_.upload(marks);
    Findings found{1, 0};
    for (unsigned step = 1; found.changed != 0; ++step) {
      graph_.findings.fill_bytes(0);
      remove_all<<<blocks_for(marks_.size(), kBlockSize), kBlockSize>>>(graph_.view(),
                                                                        marks_.data(), step);
      CHECK_CUDA(cudaGetLastError());
      found = graph_.findings.get(0);
      if (found.contradiction != 0) return false;
    }
    return true;
  }

 private:
  DeviceFactorGraph& graph_;
  DeviceBuffer<unsigned> marks_;  // the step in which each variable is to be removed
};

}  // namespace raddle::workloads::sp
