// How to write for people: colours, and what fits on a line.
#pragma once

#include <cstddef>
#include <string>

namespace raddle::cli {

/// On a terminal that can show them, unless NO_COLOR is set to something (https://no-color.org).
bool wants_colour(int file);
/// `text` without the sequences that colour it (ECMA-48, "Select Graphic Rendition", and the like).
std::string without_colour(const std::string& text);
/// Characters on a line of a terminal, 80 at least; 80 elsewhere.
std::size_t line_width(int file);

/// `text` in lines of at most 80 characters (words are not broken), of which `used` are taken on
/// the first and left blank on the others; without a final newline.
std::string wrapped(const std::string& text, std::size_t used);

}  // namespace raddle::cli
