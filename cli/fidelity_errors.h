// The errors of many simulated values against measured ones.
#pragma once

#include <string>
#include <vector>

namespace raddle::cli {

/// Relative errors, simulated / measured - 1, and the correlation of the values.
class Errors {
 public:
  /// A measured 0 is not counted, since no error is relative to it; a simulated 0 has the error -1.
  void add(double simulated, double measured);
  std::size_t count() const { return simulated_.size(); }

  double mean() const;    // of the errors' magnitudes
  double median() const;  // of the errors' magnitudes
  /// Geometric mean of simulated / measured, - 1: whether the values are too large or too small
  /// overall. -1 with a simulated 0.
  double bias() const;
  /// Pearson's correlation of the values' logarithms; 0 for fewer than three values, or with a
  /// simulated 0.
  double correlation() const;

  /// "| what | 7 | 4.1% | 2.3% | -1.2% | 0.998 |\n", under error_table_head().
  std::string row(const std::string& what) const;

 private:
  std::vector<double> simulated_, measured_;
};

std::string error_table_head(const std::string& what);

}  // namespace raddle::cli
