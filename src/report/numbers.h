// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::report {

/// "1,234,567".
std::string grouped(std::uint64_t value);
/// "12.3 M" and the like, for rates.
std::string scaled(double value);
/// Simulated time in microseconds, the unit of all times in reports: "0.85", "123.46", "6,173.5".
std::string microseconds(double us);

}  // namespace raddle::report
