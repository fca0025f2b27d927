// What a figure takes from the statistics of a run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace raddle::experiment {

/// Paths in the statistics document ("totals.cycles") joined by + - * / and parentheses, with the
/// usual precedence.
class Formula {
 public:
  Formula() = default;
  /// Throws Error saying where the text is no formula.
  explicit Formula(const std::string& text);

  /// `numbers`: of one run, by path. A sum leaves out what the run does not have; there is no value
  /// when it has nothing of a sum, product or quotient, or when something is divided by zero.
  std::optional<double> value(const std::map<std::string, double>& numbers) const;
  std::vector<std::string> paths() const;

  struct Step {
    char operation;    // '.': take the number at `path`; otherwise + - * / of the last two
    std::string path;  // of a number
  };

 private:
  std::vector<Step> steps_;  // in reverse Polish notation
};

}  // namespace raddle::experiment
