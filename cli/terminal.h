// Output for people: colours, and the width of lines.
#pragma once

#include <cstddef>
#include <string>

namespace raddle::cli {

/// Whether `file` is a terminal with colours and NO_COLOR is unset or empty (https://no-color.org).
bool wants_colour(int file);
/// `text` without the escape sequences of colours (ECMA-48, "Select Graphic Rendition", and
/// similar).
std::string without_colour(const std::string& text);
/// Characters on a line of a terminal, at least 80; 80 for other files.
std::size_t line_width(int file);

/// `text` in lines of at most 80 characters, without broken words or a final newline. The first
/// `used` columns are taken on the first line, and left blank on the others.
std::string wrapped(const std::string& text, std::size_t used);

}  // namespace raddle::cli
