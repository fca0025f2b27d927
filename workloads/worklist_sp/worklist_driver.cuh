#pragma once

#include <raddle/worklist.cuh>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/worklist_variant.h"
#include "worklist_sp/driver.h"

namespace raddle::workloads::sp {

/// One worklist, of variables and of clauses by turns.
template <class List>
class WorklistDriver : public Driver {
 public:
  using Device = typename List::Device;

  explicit WorklistDriver(DeviceFactorGraph& graph)
      : graph_(graph), list_(std::max(graph.view().num_variables, graph.view().num_clauses)) {}

  bool converge(unsigned limit, unsigned& rounds) override {
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

  bool propagate(const std::vector<unsigned>& assigned) override {
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

/// On the worklist in hardware, in a source file of its own.
std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, DeviceFactorGraph& graph);

}  // namespace raddle::workloads::sp
