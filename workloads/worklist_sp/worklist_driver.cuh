#pragma once

#include <raddle/worklist.cuh>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/worklist_variant.h"
#include "worklist_sp/driver.h"
#include "worklist_sp/listed.cuh"

namespace raddle::workloads::sp {

/// Uses one worklist. It holds quads of variables and clauses in turn.
template <class List>
class WorklistDriver : public Driver {
 public:
  using Device = typename List::Device;

  WorklistDriver(const Formula& formula, const std::vector<float>& surveys,
                 DeviceFactorGraph& graph)
      : graph_(graph),
        list_(std::max(graph.view().num_quads, formula.num_clauses())),
        edges_(formula, surveys, graph),
        pushed_variables_(formula.num_variables),
        pushed_clauses_(graph.view().num_groups),
        view_{graph.view(), edges_.view(), pushed_variables_.data(), pushed_clauses_.data()} {
    pushed_variables_.fill_bytes(0);
    pushed_clauses_.fill_bytes(0);
    begin_listed<Device>
        <<<blocks_for(view_.num_groups, kBlockSize), kBlockSize>>>(list_.device(), view_);
    CHECK_CUDA(cudaGetLastError());
  }

  bool converge(unsigned limit, unsigned& rounds) override {
    list_.push(graph_.clauses());
    for (unsigned round = 0; round < limit; ++round) {
      if (list_.advance() == 0) return true;
      ++rounds;
      ++step_;
      launch(update_listed<Device>);
      if (list_.advance() == 0) return true;
      ++step_;
      launch(spread_listed<Device>);
    }
    list_.clear();
    return false;
  }

  bool propagate(const std::vector<unsigned>& assigned) override {
    std::vector<unsigned> removals;
    for (unsigned variable : assigned) {
      const uint2 quads = graph_.quads_of(variable);
      for (unsigned quad = quads.x; quad < quads.y; ++quad) removals.push_back(quad);
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

  std::vector<float> surveys() const override { return edges_.surveys(); }
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
  DeviceEdges<false> edges_;
  DeviceBuffer<unsigned> pushed_variables_, pushed_clauses_;
  ListedGraph view_;
  unsigned step_ = 0;
};

/// The driver on the hardware worklist, in a source file of its own.
std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, const Formula& formula,
                                        const std::vector<float>& surveys,
                                        DeviceFactorGraph& graph);

}  // namespace raddle::workloads::sp
