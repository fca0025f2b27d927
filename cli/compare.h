// Compares runs, for other commands.
#pragma once

#include <string>
#include <vector>

namespace raddle::cli {

/// A table of the totals of `program --variant ...` for each of `variants`. A variant with the name
/// of a mechanism runs with that mechanism. Throws Error with the end of its output when a run
/// fails.
std::string compare_variants(const std::string& program, const std::vector<std::string>& variants);

}  // namespace raddle::cli
