#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::workloads::sp {

/// Twice the variable's index, plus one if it is negated.
using Literal = unsigned;
inline unsigned variable_of(Literal literal) { return literal / 2; }

/// A formula in conjunctive normal form, and its factor graph: an edge for each literal of a
/// clause. A clause never has a literal twice, or a variable with both signs.
struct Formula {
  unsigned num_variables = 0;
  std::vector<unsigned> clause_begin = {0};  // edges of clause a: clause_begin[a] .. [a + 1] - 1
  std::vector<Literal> literals;             // of each edge
  std::vector<unsigned> clauses;             // of each edge
  std::vector<unsigned> variable_begin;      // as clause_begin, for variable_edges
  std::vector<unsigned> variable_edges;

  unsigned num_clauses() const { return static_cast<unsigned>(clause_begin.size() - 1); }
  unsigned num_edges() const { return static_cast<unsigned>(literals.size()); }
  /// Drops repeated literals. Drops the clause if it has a variable with both signs.
  void add_clause(std::vector<Literal> clause);
  /// Fills variable_begin and variable_edges. Call it after the last add_clause().
  void connect();
};

/// `clauses` clauses of three variables each, drawn without repetition, with random signs.
/// variables >= 3.
Formula random_formula(unsigned variables, unsigned clauses, std::uint64_t seed);

/// Reads DIMACS CNF. `name` stands for the file in messages. Throws InputError for a wrong file.
Formula read_cnf(const std::string& name, std::string_view text);

/// The number of clauses without a true literal; `values` has 0 or 1 for each variable.
std::size_t count_unsatisfied(const Formula& formula, const std::vector<signed char>& values);

}  // namespace raddle::workloads::sp
