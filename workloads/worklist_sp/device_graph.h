#pragma once

#include <vector>

#include "common/device_buffer.h"
#include "worklist_sp/factor_graph.cuh"
#include "worklist_sp/formula.h"

namespace raddle::workloads::sp {

/// The factor graph in the GPU's memory, without what edges carry: nothing assigned.
class DeviceFactorGraph {
 public:
  DeviceFactorGraph(const Formula& formula, float tolerance, float damping)
      : clause_begin_(formula.clause_begin),
        variable_quads_(formula.num_variables),
        quad_edges_(count_quads(formula)),
        quad_clauses_(quad_edges_.size()),
        quad_variables_(quad_edges_.size()),
        sums_(formula.num_variables),
        open_literals_(formula.num_edges()),
        findings(1),
        values(std::vector<int>(formula.num_variables, kUnassigned)) {
    upload_quads(formula);
    std::vector<unsigned> sizes(formula.num_edges(), 0);
    for (unsigned a = 0; a < formula.num_clauses(); ++a) {
      sizes[formula.clause_begin[a]] = formula.clause_begin[a + 1] - formula.clause_begin[a];
    }
    open_literals_.upload(sizes);
    sums_.fill_bytes(0);
    findings.fill_bytes(0);
    view_.num_variables = formula.num_variables;
    view_.num_clauses = formula.num_clauses();
    view_.num_edges = formula.num_edges();
    view_.clause_begin = clause_begin_.data();
    view_.num_quads = count_quads(formula);
    view_.variable_quads = variable_quads_.data();
    view_.quad_edges = quad_edges_.data();
    view_.quad_clauses = quad_clauses_.data();
    view_.quad_variables = quad_variables_.data();
    view_.sums = sums_.data();
    view_.values = values.data();
    view_.open_literals = open_literals_.data();
    view_.findings = findings.data();
    view_.tolerance = tolerance;
    view_.damping = damping;
  }

  const FactorGraph& view() const { return view_; }
  /// The first of a variable's quads, and the first after them.
  uint2 quads_of(unsigned variable) const { return quads_of_variables_[variable]; }

 private:
  static unsigned count_quads(const Formula& formula, unsigned variable) {
    return (formula.variable_begin[variable + 1] - formula.variable_begin[variable] + kQuad - 1) /
           kQuad;
  }
  static unsigned count_quads(const Formula& formula) {
    unsigned count = 0;
    for (unsigned v = 0; v < formula.num_variables; ++v) count += count_quads(formula, v);
    return count;
  }
  void upload_quads(const Formula& formula) {
    std::vector<uint2>& of_variables = quads_of_variables_;
    std::vector<unsigned> edges, clauses, variables;
    const unsigned none = 2 * formula.num_edges();
    for (unsigned v = 0; v < formula.num_variables; ++v) {
      const auto begin = static_cast<unsigned>(edges.size() / kQuad);
      of_variables.push_back({begin, begin + count_quads(formula, v)});
      for (unsigned i = formula.variable_begin[v]; i < formula.variable_begin[v + 1]; ++i) {
        const unsigned edge = formula.variable_edges[i];
        edges.push_back(2 * edge + formula.literals[edge] % 2);
        clauses.push_back(formula.clause_begin[formula.clauses[edge]]);
      }
      edges.resize(std::size_t{kQuad} * of_variables.back().y, none);
      clauses.resize(edges.size(), none / 2);
      variables.resize(of_variables.back().y, v);
    }
    variable_quads_.upload(of_variables);
    quad_edges_.upload(in_quads(edges));
    quad_clauses_.upload(in_quads(clauses));
    quad_variables_.upload(variables);
  }
  static std::vector<uint4> in_quads(const std::vector<unsigned>& all) {
    std::vector<uint4> quads;
    for (std::size_t i = 0; i < all.size(); i += kQuad) {
      quads.push_back({all[i], all[i + 1], all[i + 2], all[i + 3]});
    }
    return quads;
  }

  std::vector<uint2> quads_of_variables_;
  DeviceBuffer<unsigned> clause_begin_;
  DeviceBuffer<uint2> variable_quads_;
  DeviceBuffer<uint4> quad_edges_, quad_clauses_;
  DeviceBuffer<Sums> sums_;
  DeviceBuffer<unsigned> quad_variables_, open_literals_;

 public:
  DeviceBuffer<Findings> findings;
  DeviceBuffer<int> values;

 private:
  FactorGraph view_{};
};

/// Of each edge.
inline std::vector<Term> terms_of(const Formula& formula) {
  std::vector<Term> terms;
  for (unsigned e = 0; e < formula.num_edges(); ++e) {
    const bool last = e + 1 == formula.clause_begin[formula.clauses[e] + 1];
    terms.push_back(Term::of(formula.literals[e], last));
  }
  return terms;
}

}  // namespace raddle::workloads::sp
