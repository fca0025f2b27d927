#include "fidelity_errors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace raddle::cli {
namespace {

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

std::vector<double> errors_of(const std::vector<double>& simulated,
                              const std::vector<double>& measured) {
  std::vector<double> errors(simulated.size());
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = simulated[i] / measured[i] - 1;
  return errors;
}

std::vector<double> magnitudes(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  return errors;
}

/// Differences of the logarithms from their mean.
std::vector<double> centred_logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  const double mean = mean_of(values);
  for (double& value : values) value -= mean;
  return values;
}

}  // namespace

void Errors::add(double simulated, double measured) {
  if (!(measured > 0)) return;
  simulated_.push_back(simulated);
  measured_.push_back(measured);
}

double Errors::mean() const { return mean_of(magnitudes(errors_of(simulated_, measured_))); }

double Errors::median() const {
  const std::vector<double> sorted = magnitudes(errors_of(simulated_, measured_));
  if (sorted.empty()) return 0;
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

double Errors::bias() const {
  std::vector<double> logarithms(simulated_.size());
  for (std::size_t i = 0; i < logarithms.size(); ++i) {
    logarithms[i] = std::log(simulated_[i] / measured_[i]);
  }
  return std::exp(mean_of(logarithms)) - 1;
}

double Errors::correlation() const {
  if (count() < 3) return 0;
  if (std::find(simulated_.begin(), simulated_.end(), 0) != simulated_.end()) return 0;
  const std::vector<double> a = centred_logarithms(simulated_), b = centred_logarithms(measured_);
  const double ab = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  const double aa = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  const double bb = std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

std::string Errors::row(const std::string& what) const {
  if (count() == 0) return "";
  const std::string together = count() < 3 ? "" : fmt::format("{:.3f}", correlation());
  return fmt::format("| {} | {} | {:.1f}% | {:.1f}% | {:+.1f}% | {} |\n", what, count(),
                     100 * mean(), 100 * median(), 100 * bias(), together);
}

std::string error_table_head(const std::string& what) {
  return fmt::format(
      "| {} | values | mean error | median error | bias | correlation |\n"
      "|---|--:|--:|--:|--:|--:|\n",
      what);
}

}  // namespace raddle::cli
