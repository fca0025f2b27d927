// What a misspelt word of the command line may have meant.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace raddle::cli {

/// "; did you mean inspect"; "" when none of `known` is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// "there is no option --totls; did you mean --totals", of the first of `words` that is written as an
/// option and that `command` does not have; "" when there is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& words);

}  // namespace raddle::cli
