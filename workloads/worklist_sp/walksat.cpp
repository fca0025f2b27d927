#include "worklist_sp/walksat.h"

#include "common/generators.h"

namespace raddle::workloads::sp {
namespace {

class Search {
 public:
  Search(const Formula& formula, std::vector<signed char>& values, const std::vector<char>& fixed,
         std::uint64_t seed)
      : formula_(formula),
        values_(values),
        fixed_(fixed),
        random_(seed),
        true_literals_(formula.num_clauses(), 0),
        place_(formula.num_clauses(), 0) {
    for (signed char& value : values_) {
      if (value < 0) value = static_cast<signed char>(random_.below(2));
    }
    for (unsigned e = 0; e < formula.num_edges(); ++e) {
      true_literals_[formula.clauses[e]] += is_true(formula.literals[e]);
    }
    for (unsigned a = 0; a < formula.num_clauses(); ++a) {
      if (true_literals_[a] == 0) add(a);
    }
  }

  bool done() const { return unsatisfied_.empty(); }

  /// Returns false if no variable of the chosen clause may be flipped.
  bool step() {
    const unsigned clause = unsatisfied_[random_.below(unsatisfied_.size())];
    std::vector<unsigned>& best = candidates_;
    std::vector<unsigned>& all = others_;
    best.clear();
    all.clear();
    std::size_t fewest = formula_.num_clauses() + std::size_t{1};
    for (unsigned e = formula_.clause_begin[clause]; e < formula_.clause_begin[clause + 1]; ++e) {
      const unsigned variable = variable_of(formula_.literals[e]);
      if (fixed_[variable]) continue;
      all.push_back(variable);
      const std::size_t broken = count_broken(variable);
      if (broken < fewest) best.clear();
      if (broken <= fewest) best.push_back(variable);
      if (broken < fewest) fewest = broken;
    }
    if (all.empty()) return false;
    const bool anyone = fewest > 0 && random_.real() < kNoise;
    const std::vector<unsigned>& from = anyone ? all : best;
    flip(from[random_.below(from.size())]);
    return true;
  }

 private:
  // Probability of a random choice; near the best for random 3-SAT close to its threshold.
  static constexpr double kNoise = 0.567;

  bool is_true(Literal literal) const {
    return values_[variable_of(literal)] == (literal % 2 == 0);
  }
  std::size_t count_broken(unsigned variable) const {
    std::size_t count = 0;
    for (unsigned i = formula_.variable_begin[variable]; i < formula_.variable_begin[variable + 1];
         ++i) {
      const unsigned e = formula_.variable_edges[i];
      count += is_true(formula_.literals[e]) && true_literals_[formula_.clauses[e]] == 1;
    }
    return count;
  }
  void flip(unsigned variable) {
    values_[variable] = values_[variable] == 0;
    for (unsigned i = formula_.variable_begin[variable]; i < formula_.variable_begin[variable + 1];
         ++i) {
      const unsigned e = formula_.variable_edges[i];
      const unsigned clause = formula_.clauses[e];
      if (is_true(formula_.literals[e])) {
        if (true_literals_[clause]++ == 0) remove(clause);
      } else {
        if (--true_literals_[clause] == 0) add(clause);
      }
    }
  }
  void add(unsigned clause) {
    place_[clause] = unsatisfied_.size();
    unsatisfied_.push_back(clause);
  }
  void remove(unsigned clause) {
    const unsigned last = unsatisfied_.back();
    unsatisfied_[place_[clause]] = last;
    place_[last] = place_[clause];
    unsatisfied_.pop_back();
  }

  const Formula& formula_;
  std::vector<signed char>& values_;
  const std::vector<char>& fixed_;
  Random random_;
  std::vector<unsigned> true_literals_;  // of each clause
  std::vector<unsigned> unsatisfied_;    // clauses
  std::vector<std::size_t> place_;       // of a clause in `unsatisfied_`
  std::vector<unsigned> candidates_, others_;
};

}  // namespace

bool walksat(const Formula& formula, std::vector<signed char>& values,
             const std::vector<char>& fixed, std::uint64_t flips, std::uint64_t seed) {
  Search search(formula, values, fixed, seed);
  for (std::uint64_t flip = 0; flip < flips && !search.done(); ++flip) {
    if (!search.step()) return false;
  }
  return search.done();
}

}  // namespace raddle::workloads::sp
