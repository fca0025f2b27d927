#pragma once

#include <vector>

#include "worklist_sp/formula.h"
#include "worklist_sp/surveys.h"

namespace raddle::workloads::sp {

/// A formula in which some variables are assigned: `values` are 0, 1 or -1. Surveys of edges that
/// are not open mean nothing.
class Reference {
 public:
  Reference(const Formula& formula, const std::vector<int>& values)
      : formula_(formula), values_(values), satisfied_(formula.num_clauses(), 0) {
    for (unsigned e = 0; e < formula.num_edges(); ++e) {
      const Literal literal = formula.literals[e];
      if (values[variable_of(literal)] == (literal % 2 == 0)) satisfied_[formula.clauses[e]] = 1;
    }
  }

  bool is_open(unsigned edge) const {
    return !satisfied_[formula_.clauses[edge]] && values_[variable_of(formula_.literals[edge])] < 0;
  }

  std::vector<Products<double>> products(const std::vector<float>& surveys) const {
    std::vector<Products<double>> products(formula_.num_variables);
    for (unsigned e = 0; e < formula_.num_edges(); ++e) {
      const Literal literal = formula_.literals[e];
      if (is_open(e)) products[variable_of(literal)].sign[literal % 2].multiply(surveys[e]);
    }
    return products;
  }

  /// All surveys after one update of each, from those before.
  std::vector<float> update(const std::vector<float>& surveys, double damping) const {
    const std::vector<Products<double>> all = products(surveys);
    std::vector<float> updated(formula_.num_edges());
    for (unsigned e = 0; e < formula_.num_edges(); ++e) {
      const unsigned a = formula_.clauses[e];
      double survey = 1;
      for (unsigned other = formula_.clause_begin[a]; other < formula_.clause_begin[a + 1];
           ++other) {
        const Literal literal = formula_.literals[other];
        if (other == e || !is_open(other)) continue;
        survey *= unable<double>(all[variable_of(literal)], literal % 2, surveys[other]);
      }
      updated[e] = static_cast<float>(damping * surveys[e] + (1 - damping) * survey);
    }
    return updated;
  }

  std::vector<float> biases(const std::vector<float>& surveys) const {
    std::vector<float> biases;
    for (const Products<double>& of_variable : products(surveys)) {
      const bool open = values_[biases.size()] < 0;
      biases.push_back(open ? static_cast<float>(bias(of_variable)) : 0);
    }
    return biases;
  }

 private:
  const Formula& formula_;
  const std::vector<int>& values_;
  std::vector<char> satisfied_;
};

}  // namespace raddle::workloads::sp
