// How the kernels are launched: over all variables and clauses, or over worklists of them.
#pragma once

#include <raddle/worklist.cuh>

#include <algorithm>
#include <vector>

#include "worklist_sp/device_graph.h"

namespace raddle::workloads::sp {

constexpr unsigned kBlockSize = 128;

class TopologyDriver {
 public:
  explicit TopologyDriver(DeviceFactorGraph& graph)
      : graph_(graph), marks_(graph.view().num_variables) {
    marks_.fill_bytes(0);
  }

  /// Updates surveys until a round changes none by more than the tolerance, at most `limit` times.
  /// False if that was not enough. The last round updates all surveys. Adds to `rounds`.
  bool converge(unsigned limit, unsigned& rounds) {
    const FactorGraph& view = graph_.view();
    for (unsigned round = 0; round < limit; ++round, ++rounds) {
      graph_.findings.fill_bytes(0);
      multiply_all<<<blocks_for(view.num_variables, kBlockSize), kBlockSize>>>(view);
      update_all<<<blocks_for(view.num_clauses, kBlockSize), kBlockSize>>>(view);
      CHECK_CUDA(cudaGetLastError());
      if (graph_.findings.get(0).changed == 0) return true;
    }
    return false;
  }

  /// Removes variables that have been assigned, and assigns those that clauses then force. False if
  /// a clause can no longer be satisfied.
  bool propagate(const std::vector<unsigned>& assigned) {
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

/// One worklist, of variables and of clauses by turns.
template <class List>
class WorklistDriver {
 public:
  using Device = typename List::Device;

  explicit WorklistDriver(DeviceFactorGraph& graph)
      : graph_(graph), list_(std::max(graph.view().num_variables, graph.view().num_clauses)) {}

  /// As TopologyDriver's.
  bool converge(unsigned limit, unsigned& rounds) {
    const unsigned variables = graph_.view().num_variables;
    ++step_;
    push_touched<<<blocks_for(variables, kBlockSize), kBlockSize>>>(list_.device(), graph_.view(),
                                                                    step_);
    CHECK_CUDA(cudaGetLastError());
    bool changes = list_.advance() != 0;
    for (unsigned round = 0; round < limit; ++round, ++rounds) {
      // When no survey changes any more, all are updated once more: changes that were too small to
      // be noticed may add up.
      const bool all = !changes || round + 1 == limit;
      if (all) {
        list_.clear();
        list_.push_range(0, variables);
        list_.advance();
      }
      changes = update(all);
      if (all && !changes) break;
    }
    list_.clear();
    return !changes;
  }

  bool propagate(const std::vector<unsigned>& assigned) {
    graph_.findings.fill_bytes(0);
    list_.push(assigned);
    while (list_.advance() != 0) {
      list_.launch(remove_listed<Device>, kBlockSize, graph_.view());
    }
    return graph_.findings.get(0).contradiction == 0;
  }

 private:
  /// A round, from the variables in the worklist (`all`, or those pushed in the last step) to those
  /// that are to be updated next. True if a survey has changed.
  bool update(bool all) {
    const Pulled pulled{step_, all};
    ++step_;
    list_.launch(multiply_listed<Device>, kBlockSize, graph_.view(), pulled);
    if (list_.advance() == 0) return false;
    graph_.findings.fill_bytes(0);
    list_.launch(update_listed<Device>, kBlockSize, graph_.view(), step_);
    return list_.advance() != 0 && graph_.findings.get(0).changed != 0;
  }

  DeviceFactorGraph& graph_;
  List list_;
  unsigned step_ = 0;
};

}  // namespace raddle::workloads::sp
