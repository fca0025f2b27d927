// Help that fits a terminal of 80 columns.
#pragma once

#include <string>

namespace raddle::cli {

/// `text` with lines of more than 80 characters broken between words. The rest of a line begins
/// below the line's second column if it has one, else as far right as the line itself.
std::string folded(const std::string& text);

}  // namespace raddle::cli
