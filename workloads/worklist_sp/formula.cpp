#include "worklist_sp/formula.h"

#include <algorithm>

#include "common/generators.h"
#include "common/text_scanner.h"

namespace raddle::workloads::sp {

void Formula::add_clause(std::vector<Literal> clause) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  const auto same_variable = [](Literal a, Literal b) { return variable_of(a) == variable_of(b); };
  if (std::adjacent_find(clause.begin(), clause.end(), same_variable) != clause.end()) return;
  literals.insert(literals.end(), clause.begin(), clause.end());
  clauses.insert(clauses.end(), clause.size(), num_clauses());
  clause_begin.push_back(num_edges());
}

void Formula::connect() {
  variable_begin.assign(num_variables + std::size_t{1}, 0);
  for (Literal literal : literals) ++variable_begin[variable_of(literal) + 1];
  for (unsigned v = 0; v < num_variables; ++v) variable_begin[v + 1] += variable_begin[v];
  variable_edges.resize(literals.size());
  std::vector<unsigned> next(variable_begin.begin(), variable_begin.end() - 1);
  for (unsigned edge = 0; edge < num_edges(); ++edge) {
    variable_edges[next[variable_of(literals[edge])]++] = edge;
  }
}

Formula random_formula(unsigned variables, unsigned clauses, std::uint64_t seed) {
  Random random(seed);
  Formula formula;
  formula.num_variables = variables;
  for (unsigned a = 0; a < clauses; ++a) {
    std::vector<Literal> clause;
    while (clause.size() < 3) {
      const auto literal = static_cast<Literal>(random.below(2ULL * variables));
      const bool repeated = std::any_of(clause.begin(), clause.end(), [&](Literal other) {
        return variable_of(other) == variable_of(literal);
      });
      if (!repeated) clause.push_back(literal);
    }
    formula.add_clause(std::move(clause));
  }
  formula.connect();
  return formula;
}

Formula read_cnf(const std::string& name, std::string_view text) {
  TextScanner in(name, text);
  const auto skip_to_content = [&] {
    while (!in.at_file_end() && (in.at_line_end() || in.at_comment("c"))) in.next_line();
    return !in.at_file_end();
  };
  skip_to_content();
  if (!in.accept("p") || !in.accept("cnf")) in.fail_expected("the problem line 'p cnf N M'");
  Formula formula;
  // A huge count in a damaged file must not allocate memory.
  formula.num_variables =
      static_cast<unsigned>(in.read_unsigned("the number of variables", 1, 1 << 24));
  const std::uint64_t clauses = in.read_unsigned("the number of clauses", 0, 1 << 26);
  in.finish_line("the problem line");
  std::uint64_t found = 0;
  std::vector<Literal> clause;
  // Files of the SATLIB collection end with a line '%'.
  while (skip_to_content() && !in.accept("%")) {
    if (found == clauses) in.fail_expected("the end of the file after the last clause");
    const std::int64_t literal = in.read_signed("a literal, or 0 after a clause");
    const std::int64_t variable = literal < 0 ? -(literal + 1) : literal - 1;
    if (literal == 0) {
      if (clause.empty()) in.fail_at_word("a clause without literals cannot be satisfied");
      formula.add_clause(std::move(clause));
      clause.clear();
      ++found;
    } else if (variable >= formula.num_variables) {
      in.fail_at_word("a literal's variable is from 1 to " + std::to_string(formula.num_variables));
    } else {
      clause.push_back(static_cast<Literal>(2 * variable + (literal < 0)));
    }
  }
  if (found != clauses || !clause.empty()) {
    in.fail_expected("clause " + std::to_string(found + 1) + " of " + std::to_string(clauses) +
                     " and the 0 after it");
  }
  formula.connect();
  return formula;
}

std::size_t count_unsatisfied(const Formula& formula, const std::vector<signed char>& values) {
  std::size_t count = 0;
  for (unsigned a = 0; a < formula.num_clauses(); ++a) {
    bool satisfied = false;
    for (unsigned e = formula.clause_begin[a]; e < formula.clause_begin[a + 1]; ++e) {
      const Literal literal = formula.literals[e];
      satisfied = satisfied || values[variable_of(literal)] == (literal % 2 == 0);
    }
    count += !satisfied;
  }
  return count;
}

}  // namespace raddle::workloads::sp
