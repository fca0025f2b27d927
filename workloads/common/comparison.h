#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <vector>

namespace raddle::workloads {

namespace detail {

template <typename T>
bool report_comparison(const char* what, const std::vector<T>& expected,
                       const std::vector<T>& found, std::size_t wrong, std::size_t first_wrong) {
  if (expected.size() != found.size()) {
    std::printf("%s: WRONG, %zu values instead of %zu\n", what, found.size(), expected.size());
    return false;
  }
  if (wrong == 0) {
    std::printf("%s: right (%zu values checked against the CPU reference)\n", what,
                expected.size());
    return true;
  }
  std::ostringstream first;
  first.precision(9);
  first << "expected " << +expected[first_wrong] << ", found " << +found[first_wrong];
  std::printf("%s: WRONG, %zu of %zu values differ; the first at %zu: %s\n", what, wrong,
              expected.size(), first_wrong, first.str().c_str());
  return false;
}

}  // namespace detail

/// Prints the verdict. Returns true when `matches(expected[i], found[i], i)` holds for every
/// element.
template <typename T, typename Matches>
bool check_values(const char* what, const std::vector<T>& expected, const std::vector<T>& found,
                  Matches matches) {
  std::size_t wrong = 0;
  std::size_t first_wrong = 0;
  for (std::size_t i = 0; i < expected.size() && i < found.size(); ++i) {
    if (matches(expected[i], found[i], i)) continue;
    if (wrong++ == 0) first_wrong = i;
  }
  return detail::report_comparison(what, expected, found, wrong, first_wrong);
}

/// Prints the verdict. Returns true when both are equal.
template <typename T>
bool check_equal(const char* what, const std::vector<T>& expected, const std::vector<T>& found) {
  return check_values(what, expected, found,
                      [](const T& a, const T& b, std::size_t) { return a == b; });
}

/// Prints the verdict. Returns true when every value is within `tolerance` of the expected one. A
/// NaN never is.
template <typename T>
bool check_close(const char* what, const std::vector<T>& expected, const std::vector<T>& found,
                 double tolerance) {
  return check_values(what, expected, found, [&](const T& a, const T& b, std::size_t) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
  });
}

}  // namespace raddle::workloads
