// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::report {

/// "1,234,567".
std::string grouped(std::uint64_t value);
/// "12.3 M" and the like, for rates.
std::string scaled(double value);

}  // namespace raddle::report
