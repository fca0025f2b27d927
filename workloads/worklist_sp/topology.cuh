#pragma once

#include <vector>

#include "worklist_sp/driver.h"
#include "worklist_sp/removal.cuh"
#include "worklist_sp/updates.cuh"

namespace raddle::workloads::sp {

__global__ void add_all(FactorGraph graph, Edges<true> edges) { add_surveys(graph, edges); }

__global__ void update_all(FactorGraph graph, Edges<true> edges) {
  const unsigned clause = thread_number();
  if (clause >= graph.num_clauses) return;
  bool changed = false;
  ClauseUpdate<true> update(graph, edges, graph.clause_groups[clause]);
  update([&](unsigned at, const EdgeGroup& group, const float(&surveys)[kTogether]) {
    send(graph, edges, at, group, surveys);
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      changed |= group.open(n) && difference(surveys[n], group.survey[n]) > graph.tolerance;
    }
  });
  if (changed) graph.findings->changed = 1;
}

__global__ void biases_of_all(FactorGraph graph, Edges<true> edges, float* biases) {
  compute_bias(graph, edges, biases);
}

/// Removes the variables marked with this step. Marks variables that clauses force with the next
/// step.
__global__ void remove_all(FactorGraph graph, Edges<true> edges, unsigned* marks, unsigned step) {
  const unsigned quad = thread_number();
  if (quad >= graph.num_quads || marks[graph.quad_variables[quad]] != step) return;
  Removal<true> remove(graph, edges);
  remove(
      quad,
      [&](unsigned forced) {
        marks[forced] = step + 1;
        graph.findings->changed = 1;
      },
      [](unsigned) {});
}

/// Launches kernels over all clauses.
class TopologyDriver : public Driver {
 public:
  TopologyDriver(const Formula& formula, const std::vector<float>& surveys,
                 DeviceFactorGraph& graph)
      : graph_(graph), edges_(formula, surveys, graph), marks_(formula.num_variables) {
    marks_.fill_bytes(0);
    add_all<<<blocks_for(graph.view().num_groups, kBlockSize), kBlockSize>>>(graph.view(),
                                                                             edges_.view());
    CHECK_CUDA(cudaGetLastError());
  }

  bool converge(unsigned limit, unsigned& rounds) override {
    const FactorGraph& view = graph_.view();
    for (unsigned round = 0; round < limit; ++round) {
      ++rounds;
      graph_.findings.fill_bytes(0);
      update_all<<<blocks_for(view.num_clauses, kBlockSize), kBlockSize>>>(view, edges_.view());
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
      remove_all<<<blocks_for(graph_.view().num_quads, kBlockSize), kBlockSize>>>(
          graph_.view(), edges_.view(), marks_.data(), step);
      CHECK_CUDA(cudaGetLastError());
      found = graph_.findings.get(0);
      if (found.contradiction != 0) return false;
    }
    return true;
  }

  std::vector<float> surveys() const override { return edges_.surveys(); }
  std::vector<float> biases() override {
    DeviceBuffer<float> biases(marks_.size());
    biases_of_all<<<blocks_for(marks_.size(), kBlockSize), kBlockSize>>>(
        graph_.view(), edges_.view(), biases.data());
    CHECK_CUDA(cudaGetLastError());
    return biases.download();
  }

 private:
  DeviceFactorGraph& graph_;
  DeviceEdges<true> edges_;
  DeviceBuffer<unsigned> marks_;  // the step in which each variable is to be removed
};

}  // namespace raddle::workloads::sp
