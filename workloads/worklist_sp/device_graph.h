#pragma once

#include <vector>

#include "common/device_buffer.h"
#include "common/generators.h"
#include "worklist_sp/formula.h"
#include "worklist_sp/kernels.cuh"

namespace raddle::workloads::sp {

/// The factor graph in the GPU's memory: random surveys, nothing assigned.
class DeviceFactorGraph {
 public:
  DeviceFactorGraph(const Formula& formula, float tolerance, float damping, std::uint64_t seed)
      : clause_begin_(formula.clause_begin),
        literals_(formula.literals),
        variable_begin_(formula.variable_begin),
        variable_edges_(formula.num_edges()),
        variable_clauses_(formula.num_edges()),
        satisfied_(formula.num_clauses()),
        open_literals_(formula.num_clauses()),
        pushed_(formula.num_variables + formula.num_clauses()),
        products_(formula.num_variables),
        findings(1),
        surveys(random_floats(formula.num_edges(), 0, 1, seed)),
        received_(surveys.download()),
        values(std::vector<int>(formula.num_variables, kUnassigned)) {
    std::vector<unsigned> edges, clauses, sizes;
    for (unsigned edge : formula.variable_edges) {
      edges.push_back(2 * edge + formula.literals[edge] % 2);
      clauses.push_back(formula.clauses[edge]);
    }
    for (unsigned a = 0; a < formula.num_clauses(); ++a) {
      sizes.push_back(formula.clause_begin[a + 1] - formula.clause_begin[a]);
    }
    variable_edges_.upload(edges);
    variable_clauses_.upload(clauses);
    open_literals_.upload(sizes);
    satisfied_.fill_bytes(0);
    pushed_.fill_bytes(0);
    findings.fill_bytes(0);
    view_.num_variables = formula.num_variables;
    view_.num_clauses = formula.num_clauses();
    view_.clause_begin = clause_begin_.data();
    view_.literals = literals_.data();
    view_.variable_begin = variable_begin_.data();
    view_.variable_edges = variable_edges_.data();
    view_.variable_clauses = variable_clauses_.data();
    view_.surveys = surveys.data();
    view_.received = surveys.data();
    view_.products = products_.data();
    view_.values = values.data();
    view_.satisfied = satisfied_.data();
    view_.open_literals = open_literals_.data();
    view_.pushed = pushed_.data();
    view_.findings = findings.data();
    view_.tolerance = tolerance;
    view_.damping = damping;
  }

  const FactorGraph& view() const { return view_; }
  /// Variables know surveys only as they are told, at first as they are.
  void tell_surveys() { view_.received = received_.data(); }

 private:
  DeviceBuffer<unsigned> clause_begin_, literals_, variable_begin_, variable_edges_;
  DeviceBuffer<unsigned> variable_clauses_, satisfied_, open_literals_, pushed_;
  DeviceBuffer<Products<float>> products_;

 public:
  DeviceBuffer<Findings> findings;
  DeviceBuffer<float> surveys;
  DeviceBuffer<int> values;

 private:
  DeviceBuffer<float> received_;
  FactorGraph view_{};
};

}  // namespace raddle::workloads::sp
