// Help that fits a terminal of 80 columns.
#pragma once

#include <string>

namespace raddle::cli {

/// `text` with lines of more than 80 characters broken between words; what follows is below the
/// line's second column, where it has one, else as far right as its beginning.
std::string folded(const std::string& text);

}  // namespace raddle::cli
