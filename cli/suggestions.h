// Suggestions for a misspelt word of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace raddle::cli {

/// "; did you mean inspect"; "" when no word of `known` is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// "there is no option --totls; did you mean --totals", for the first of `words` that looks like an
/// option and that `command` lacks; "" when there is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& words);

}  // namespace raddle::cli
