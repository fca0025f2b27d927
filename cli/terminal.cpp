#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace raddle::cli {

bool wants_colour(int file) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = none != nullptr && *none != '\0';
  const bool plain = terminal != nullptr && std::string_view(terminal) == "dumb";
  return isatty(file) != 0 && !refused && !plain;
}

std::string without_colour(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\x1b' || at + 1 == text.size() || text[at + 1] != '[') {
      plain += text[at];
      continue;
    }
    at = text.find_first_of("ABCDEFGHJKSTfmnsu", at + 2);  // the letter that ends a sequence
    if (at == std::string::npos) break;
  }
  return plain;
}

std::size_t line_width(int file) {
  constexpr std::size_t kLeast = 80;
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? std::max<std::size_t>(size.ws_col, kLeast) : kLeast;
}

std::string wrapped(const std::string& text, std::size_t used) {
  constexpr std::size_t kWidth = 80;
  std::istringstream words(text);
  std::string result;
  std::size_t column = used;
  for (std::string word; words >> word;) {
    const bool first = column == used;
    if (!first && column + 1 + word.size() > kWidth) {
      result += '\n' + std::string(used, ' ');
      column = used;
    } else if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace raddle::cli
