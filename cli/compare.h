// Runs side by side, for other commands.
#pragma once

#include <string>
#include <vector>

namespace raddle::cli {

/// The totals of `program --variant ...` for each of `variants`, a table; a variant that is called
/// as a mechanism runs with it. Throws Error with the end of its output when a run fails.
std::string compare_variants(const std::string& program, const std::vector<std::string>& variants);

}  // namespace raddle::cli
