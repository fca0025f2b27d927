#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "worklist_sp/formula.h"
#include "worklist_sp/surveys.h"

namespace raddle::workloads::sp {

/// A formula with some variables assigned: `values` are 0, 1 or -1 (unassigned). Surveys of edges
/// that are not open have no meaning.
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

  bool is_open_variable(unsigned variable) const { return values_[variable] < 0; }

  std::vector<Products<double>> products(const std::vector<float>& surveys) const {
    return products(surveys, 0);
  }

  /// Computes each survey anew from the given ones.
  std::vector<double> update(const std::vector<float>& surveys) const {
    std::vector<double> updated;
    for (const Range& range : ranges(surveys, 0)) updated.push_back(range.least);
    return updated;
  }

  /// The root mean square, over open edges, of the difference between update() and the surveys.
  double residual(const std::vector<float>& surveys) const {
    const std::vector<double> updated = update(surveys);
    double sum = 0;
    unsigned open = 0;
    for (unsigned e = 0; e < surveys.size(); ++e) {
      if (!is_open(e)) continue;
      ++open;
      sum += (updated[e] - surveys[e]) * (updated[e] - surveys[e]);
    }
    return open == 0 ? 0 : std::sqrt(sum / open);
  }

  struct Range {
    double least, most;
  };

  /// As update(), if variables may have counted surveys that differ by up to `unnoticed` from these
  /// (for satisfied clauses: from 0). Larger surveys on the literal's side make its variable less
  /// able to warn; larger ones on the other side make it more able. 0 for edges that are not open.
  std::vector<Range> ranges(const std::vector<float>& surveys, double unnoticed) const {
    const std::vector<Products<double>> high = products(surveys, -unnoticed);
    const std::vector<Products<double>> low = products(surveys, unnoticed);
    std::vector<Range> ranges(formula_.num_edges(), {0, 0});
    for (unsigned e = 0; e < formula_.num_edges(); ++e) {
      if (!is_open(e)) continue;
      const unsigned a = formula_.clauses[e];
      ranges[e] = {1, 1};
      for (unsigned other = formula_.clause_begin[a]; other < formula_.clause_begin[a + 1];
           ++other) {
        if (other == e || !is_open(other)) continue;
        const unsigned variable = variable_of(formula_.literals[other]);
        const unsigned sign = formula_.literals[other] % 2;
        Products<double> most = high[variable], least = low[variable];
        std::swap(most.sign[1 - sign], least.sign[1 - sign]);
        ranges[e].most *= unable<double>(most, sign, received(surveys, other, -unnoticed));
        ranges[e].least *= unable<double>(least, sign, received(surveys, other, unnoticed));
      }
    }
    return ranges;
  }

  /// The mean, over unassigned variables, of the larger of a variable's two warnings.
  double mean_warning(const std::vector<float>& surveys) const {
    double sum = 0;
    unsigned variable = 0, open = 0;
    for (const Products<double>& of_variable : products(surveys)) {
      if (values_[variable++] >= 0) continue;
      const Warned warned(of_variable);
      sum += std::max(warned.is_true, warned.is_false);
      ++open;
    }
    return open == 0 ? 0 : sum / open;
  }

  std::vector<float> biases(const std::vector<float>& surveys) const {
    std::vector<float> biases;
    for (const Products<double>& of_variable : products(surveys)) {
      const bool open = values_[biases.size()] < 0;
      biases.push_back(open ? static_cast<float>(Warned(of_variable).bias()) : 0);
    }
    return biases;
  }

 private:
  double received(const std::vector<float>& surveys, unsigned edge, double more) const {
    return std::clamp((is_open(edge) ? surveys[edge] : 0) + more, 0.0, 1.0);
  }
  std::vector<Products<double>> products(const std::vector<float>& surveys, double more) const {
    std::vector<Products<double>> products(formula_.num_variables);
    for (unsigned e = 0; e < formula_.num_edges(); ++e) {
      const Literal literal = formula_.literals[e];
      if (values_[variable_of(literal)] >= 0) continue;
      products[variable_of(literal)].sign[literal % 2].multiply(received(surveys, e, more));
    }
    return products;
  }

  const Formula& formula_;
  const std::vector<int>& values_;
  std::vector<char> satisfied_;
};

}  // namespace raddle::workloads::sp
