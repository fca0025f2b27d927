#include "numbers.h"

#include <fmt/core.h>

#include <charconv>

namespace raddle::cli {

std::function<std::string(const std::string&)> whole_number(std::uint32_t least) {
  return [least](const std::string& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && number >= least) return std::string();
    return fmt::format("{} should be a whole number, {} or more{}", text, least,
                       error == std::errc::result_out_of_range ? ", below 2^32" : "");
  };
}

}  // namespace raddle::cli
