// Numbers on the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace raddle::cli {

/// For an option's check(): the error in a text that should be a whole number of `least` or more
/// and fit 32 bits; "" for a correct text.
std::function<std::string(const std::string&)> whole_number(std::uint32_t least);

}  // namespace raddle::cli
