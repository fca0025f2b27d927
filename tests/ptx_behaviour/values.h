// Values in the notation of behaviour files: converts typed text to bytes, and compares bytes with
// expectations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::tests {

/// An expected element: `*` = anything; f32 and f64 may end in `~2ulp` or `~1e-6` (absolute error),
/// and `nan` is any NaN.
struct Expected {
  std::string text;
  bool any = false;
  std::vector<std::byte> bytes;
  unsigned ulps = 0;
  double absolute = 0;
};

unsigned bytes_of(std::string_view type);  // "u32" ...; throws std::runtime_error for others
std::vector<std::byte> encode(std::string_view type, std::string_view text);
Expected expected(std::string_view type, std::string_view text);
bool agrees(std::string_view type, const Expected& expected, const std::byte* actual);
std::string show(std::string_view type, const std::byte* value);

}  // namespace raddle::tests
