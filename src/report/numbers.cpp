#include "report/numbers.h"

#include <fmt/core.h>

#include <cmath>

namespace raddle::report {

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string scaled(double value) {
  if (value >= 1e9) return fmt::format("{:.1f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.1f}", value);
}

std::string microseconds(double us) {
  if (us < 1000) return fmt::format("{:.2f}", us);
  const auto tenths = static_cast<std::uint64_t>(std::llround(us * 10));
  return fmt::format("{}.{}", grouped(tenths / 10), tenths % 10);
}

}  // namespace raddle::report
