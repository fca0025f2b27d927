#pragma once

#include <raddle/worklist.cuh>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/worklist_variant.h"
#include "worklist_sp/driver.h"
#include "worklist_sp/listed.cuh"

namespace raddle::workloads::sp {

/// One worklist, of variables' quads and of clauses by turns. What a removal changes stays on it
/// until the next round.
template <class List>
class WorklistDriver : public Driver {
 public:
  using Device = typename List::Device;

  WorklistDriver(const Formula& formula, const std::vector<float>& surveys,
                 DeviceFactorGraph& graph)
      : graph_(graph),
        list_(2 * graph.view().num_quads + formula.num_clauses()),
        records_(surveys.size() + kTogether),
        pushed_variables_(formula.num_variables),
        pushed_clauses_(surveys.size()),
        view_{graph.view(), {records_.data()}, pushed_variables_.data(), pushed_clauses_.data()} {
    const std::vector<Term> terms = terms_of(formula);
    std::vector<EdgeRecord> records;
    for (std::size_t e = 0; e < surveys.size(); ++e) {
      records.push_back({surveys[e], surveys[e], surveys[e], terms[e]});
    }
    records.resize(records_.size(), {kClosed, kClosed, kClosed, {}});
    records_.upload(records);
    std::vector<Pushed> pushed;
    for (unsigned v = 0; v < formula.num_variables; ++v) pushed.push_back({0, graph.quads_of(v)});
    pushed_variables_.upload(pushed);
    pushed_clauses_.fill_bytes(0);
    begin_listed<Device>
        <<<blocks_for(surveys.size(), kBlockSize), kBlockSize>>>(list_.device(), view_);
    CHECK_CUDA(cudaGetLastError());
  }

  bool converge(unsigned limit, unsigned& rounds) override {
    if (all_) {
      list_.clear();
      list_.push_range(0, view_.num_quads);  // for all clauses
      all_ = false;
    }
    for (unsigned round = 0; round < limit && list_.advance() != 0; ++round) {
      ++step_;
      launch(spread_listed<Device>);
      if (list_.advance() == 0) return true;
      ++rounds;
      ++step_;
      launch(update_listed<Device>);
    }
    const bool converged = list_.advance() == 0;
    list_.clear();
    return converged;
  }

  bool propagate(const std::vector<unsigned>& assigned) override {
    std::vector<unsigned> removals;
    for (unsigned variable : assigned) {
      const uint2 quads = graph_.quads_of(variable);
      for (unsigned quad = quads.x; quad < quads.y; ++quad) {
        removals.push_back(WorkIds(view_).removal(quad));
      }
    }
    list_.push(removals);
    ++step_;
    Findings found{!assigned.empty(), 0};
    while (found.changed != 0 && found.contradiction == 0) {
      list_.advance();
      graph_.findings.fill_bytes(0);
      launch(remove_listed<Device>);
      found = graph_.findings.get(0);
    }
    return found.contradiction == 0;
  }

  std::vector<float> surveys() const override {
    std::vector<float> surveys;
    for (const EdgeRecord& record : records_.download()) surveys.push_back(record.survey);
    surveys.resize(view_.num_edges);
    return surveys;
  }
  std::vector<float> biases() override {
    DeviceBuffer<float> biases(view_.num_variables);
    biases_listed<Device><<<blocks_for(view_.num_variables, kBlockSize), kBlockSize>>>(
        list_.device(), view_, biases.data());
    CHECK_CUDA(cudaGetLastError());
    return biases.download();
  }

 private:
  void launch(void (*kernel)(Device, ListedGraph, unsigned)) {
    list_.launch(kernel, kBlockSize, view_, step_);
  }

  DeviceFactorGraph& graph_;
  List list_;
  DeviceBuffer<EdgeRecord> records_;
  DeviceBuffer<Pushed> pushed_variables_;
  DeviceBuffer<unsigned> pushed_clauses_;
  ListedGraph view_;
  unsigned step_ = 0;
  bool all_ = true;  // nothing has been updated yet
};

/// On the worklist in hardware, in a source file of its own.
std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, const Formula& formula,
                                        const std::vector<float>& surveys,
                                        DeviceFactorGraph& graph);

}  // namespace raddle::workloads::sp
