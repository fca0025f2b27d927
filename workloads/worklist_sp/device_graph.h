#pragma once

#include <vector>

#include "common/device_buffer.h"
#include "worklist_sp/edges.cuh"
#include "worklist_sp/formula.h"

namespace raddle::workloads::sp {

/// The factor graph in the GPU's memory, without the data of edges. Initially no variable is
/// assigned.
class DeviceFactorGraph {
 public:
  DeviceFactorGraph(const Formula& formula, float tolerance, float damping)
      : groups_of_clauses_(groups_of(formula)),
        clauses_(groups_of_clauses_.begin(), groups_of_clauses_.end() - 1),
        clause_groups_(groups_of_clauses_),
        variable_quads_(formula.num_variables),
        quad_edges_(count_quads(formula)),
        quad_clauses_(quad_edges_.size()),
        quad_variables_(quad_edges_.size()),
        sums_(formula.num_variables),
        open_literals_(groups_of_clauses_.back()),
        findings(1),
        values(std::vector<int>(formula.num_variables, kUnassigned)) {
    upload_quads(formula);
    std::vector<unsigned> sizes(groups_of_clauses_.back(), 0);
    for (unsigned a = 0; a < formula.num_clauses(); ++a) {
      sizes[groups_of_clauses_[a]] = formula.clause_begin[a + 1] - formula.clause_begin[a];
    }
    open_literals_.upload(sizes);
    sums_.fill_bytes(0);
    findings.fill_bytes(0);
    view_.num_variables = formula.num_variables;
    view_.num_clauses = formula.num_clauses();
    view_.num_groups = groups_of_clauses_.back();
    view_.clause_groups = clause_groups_.data();
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
  /// The first quad of a variable, and the first after its last.
  uint2 quads_of(unsigned variable) const { return quads_of_variables_[variable]; }
  /// The first group of each clause.
  const std::vector<unsigned>& clauses() const { return clauses_; }
  std::vector<Sums> sums() const { return sums_.download(); }
  /// The group after a clause's last one.
  unsigned groups_end(unsigned clause) const { return groups_of_clauses_[clause + 1]; }
  /// The number that an edge of the formula has in this graph.
  unsigned number_of(const Formula& formula, unsigned edge) const {
    const unsigned clause = formula.clauses[edge];
    const unsigned nth = edge - formula.clause_begin[clause];
    return kPlaces * (groups_of_clauses_[clause] + nth / kTogether) + nth % kTogether;
  }

 private:
  /// The first group of each clause, then the number of all groups.
  static std::vector<unsigned> groups_of(const Formula& formula) {
    std::vector<unsigned> groups = {0};
    for (unsigned a = 0; a < formula.num_clauses(); ++a) {
      const unsigned size = formula.clause_begin[a + 1] - formula.clause_begin[a];
      groups.push_back(groups.back() + (size + kTogether - 1) / kTogether);
    }
    return groups;
  }
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
    const unsigned none = 2 * kPlaces * groups_of_clauses_.back();
    for (unsigned v = 0; v < formula.num_variables; ++v) {
      const auto begin = static_cast<unsigned>(edges.size() / kQuad);
      of_variables.push_back({begin, begin + count_quads(formula, v)});
      for (unsigned i = formula.variable_begin[v]; i < formula.variable_begin[v + 1]; ++i) {
        const unsigned edge = formula.variable_edges[i];
        edges.push_back(2 * number_of(formula, edge) + formula.literals[edge] % 2);
        clauses.push_back(groups_of_clauses_[formula.clauses[edge]]);
      }
      edges.resize(std::size_t{kQuad} * of_variables.back().y, none);
      clauses.resize(edges.size(), groups_of_clauses_.back());
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

  std::vector<unsigned> groups_of_clauses_;
  std::vector<unsigned> clauses_;
  std::vector<uint2> quads_of_variables_;
  DeviceBuffer<unsigned> clause_groups_;
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

/// The data of edges (surveys and literals) in the GPU's memory.
template <bool kInOrder>
class DeviceEdges {
 public:
  DeviceEdges(const Formula& formula, const std::vector<float>& surveys,
              const DeviceFactorGraph& graph)
      : groups_(graph.view().num_groups + 1), words_(2 * groups_) {
    std::vector<uint4> words(words_.size(), {Term::kNone, Term::kNone, Term::kNone, 1});
    float* values = reinterpret_cast<float*>(words.data());
    for (unsigned g = 0; g < groups_; ++g) {
      for (unsigned n = 0; n < kPlaces; ++n) values[place(kPlaces * g + n)] = kClosed;
    }
    auto* terms = reinterpret_cast<unsigned*>(words.data() + terms_begin());
    for (unsigned e = 0; e < formula.num_edges(); ++e) {
      const unsigned number = graph.number_of(formula, e), group = number / kPlaces;
      places_.push_back(place(number));
      values[places_[e]] = surveys[e];
      terms[places_[e]] = formula.literals[e];
      terms[place(kPlaces * group + kTogether)] = group + 1 == graph.groups_end(formula.clauses[e]);
    }
    words_.upload(words);
  }

  Edges<kInOrder> view() {
    return {reinterpret_cast<float4*>(words_.data()), words_.data() + terms_begin()};
  }
  /// The surveys of the formula's edges; kClosed for edges that are not open.
  std::vector<float> surveys() const {
    const std::vector<uint4> words = words_.download();
    const float* values = reinterpret_cast<const float*>(words.data());
    std::vector<float> surveys;
    for (std::size_t place : places_) surveys.push_back(values[place]);
    return surveys;
  }

 private:
  static std::size_t place(unsigned edge) {
    return std::size_t{edge / kPlaces} * kPlaces * Edges<kInOrder>::kStride + edge % kPlaces;
  }
  std::size_t terms_begin() const { return kInOrder ? groups_ : 1; }

  std::size_t groups_;               // with one more, which is closed
  std::vector<std::size_t> places_;  // of each edge of the formula: its survey in `words_`
  DeviceBuffer<uint4> words_;
};

}  // namespace raddle::workloads::sp
