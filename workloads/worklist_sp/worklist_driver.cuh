#pragma once

#include <raddle/worklist.cuh>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/worklist_variant.h"
#include "worklist_sp/driver.h"

namespace raddle::workloads::sp {

/// One worklist, of variables and of clauses by turns. What a removal changes stays on it until the
/// next round.
template <class List>
class WorklistDriver : public Driver {
 public:
  using Device = typename List::Device;

  explicit WorklistDriver(DeviceFactorGraph& graph)
      : graph_(graph), list_(2 * graph.view().num_variables + graph.view().num_clauses) {
    graph.tell_surveys();
  }

  bool converge(unsigned limit, unsigned& rounds) override {
    if (all_) {
      list_.clear();
      list_.push_range(0, graph_.view().num_variables);
      all_ = false;
    }
    for (unsigned round = 0; round < limit && list_.advance() != 0; ++round) {
      launch(multiply_listed<Device>);
      if (list_.advance() == 0) return true;
      ++rounds;
      launch(update_listed<Device>);
    }
    const bool converged = list_.advance() == 0;
    list_.clear();
    return converged;
  }

  bool propagate(const std::vector<unsigned>& assigned) override {
    const FactorGraph& view = graph_.view();
    std::vector<unsigned> removals;
    for (unsigned variable : assigned) {
      removals.push_back(view.num_variables + view.num_clauses + variable);
    }
    list_.push(removals);
    Findings found{!assigned.empty(), 0};
    while (found.changed != 0 && found.contradiction == 0) {
      list_.advance();
      graph_.findings.fill_bytes(0);
      launch(remove_listed<Device>);
      found = graph_.findings.get(0);
    }
    return found.contradiction == 0;
  }

 private:
  /// For the next step.
  void launch(void (*kernel)(Device, FactorGraph, unsigned)) {
    list_.launch(kernel, kBlockSize, graph_.view(), ++step_);
  }

  DeviceFactorGraph& graph_;
  List list_;
  unsigned step_ = 0;
  bool all_ = true;  // nothing has been updated yet
};

/// On the worklist in hardware, in a source file of its own.
std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, DeviceFactorGraph& graph);

}  // namespace raddle::workloads::sp
