#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::workloads::sp {

/// Twice the variable, from 0, and one more if it is negated.
using Literal = unsigned;
inline unsigned variable_of(Literal literal) { return literal / 2; }

/// A formula in conjunctive normal form, and its factor graph: an edge for each literal of a
/// clause. Clauses have no literal twice, and no variable with both signs.
struct Formula {
  unsigned num_variables = 0;
  std::vector<unsigned> clause_begin = {0};  // edges of clause a: clause_begin[a] .. [a + 1] - 1
  std::vector<Literal> literals;             // of each edge
  std::vector<unsigned> clauses;             // of each edge
  std::vector<unsigned> variable_begin;      // as clause_begin, in variable_edges
  std::vector<unsigned> variable_edges;

  unsigned num_clauses() const { return static_cast<unsigned>(clause_begin.size() - 1); }
  unsigned num_edges() const { return static_cast<unsigned>(literals.size()); }
  /// Drops equal literals, and clauses with both signs of a variable.
  void add_clause(std::vector<Literal> clause);
  /// After the last clause.
  void connect();
};

/// `clauses` clauses of three variables each, drawn without repetition, with random signs.
/// variables >= 3.
Formula random_formula(unsigned variables, unsigned clauses, std::uint64_t seed);

/// DIMACS CNF. `name` stands for the file in messages; what is wrong is an InputError.
Formula read_cnf(const std::string& name, std::string_view text);

/// The number of clauses without a true literal; `values` has 0 or 1 for each variable.
std::size_t count_unsatisfied(const Formula& formula, const std::vector<signed char>& values);

}  // namespace raddle::workloads::sp
