// How far simulated values are from measured ones, over many of them.
#pragma once

#include <string>
#include <vector>

namespace raddle::cli {

/// Relative errors, simulated / measured - 1, and how the values go together.
class Errors {
 public:
  /// Nothing is relative to a measured 0, which is not counted; a simulated 0 is off by all of it.
  void add(double simulated, double measured);
  std::size_t count() const { return simulated_.size(); }

  double mean() const;    // of the errors' magnitudes
  double median() const;  // of the errors' magnitudes
  /// Geometric mean of simulated / measured, - 1: too slow on the whole, or too fast. -1 with a simulated 0.
  double bias() const;
  /// Pearson's correlation of the values' logarithms; 0 of fewer than three, or with a 0 among them.
  double correlation() const;

  /// "| what | 7 | 4.1% | 2.3% | -1.2% | 0.998 |\n", under error_table_head().
  std::string row(const std::string& what) const;

 private:
  std::vector<double> simulated_, measured_;
};

std::string error_table_head(const std::string& what);

}  // namespace raddle::cli
