// The formula by which a figure computes a number from the statistics of a run.
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
  /// Throws Error with the position at which the text is wrong.
  explicit Formula(const std::string& text);

  /// `numbers`: the statistics of one run, by path. A sum leaves out statistics that the run lacks.
  /// There is no value when all operands of a sum, or one operand of a product or quotient, are
  /// absent, or for a division by zero.
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
