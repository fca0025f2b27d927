#include "help.h"

#include <algorithm>
#include <sstream>

#include "terminal.h"

namespace raddle::cli {

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kFurthest = 52;  // the last column that leaves room for words

/// The start of the second column: after the first gap of two or more blanks.
std::size_t second_column(const std::string& line, std::size_t begin) {
  const std::size_t gap = line.find("  ", begin);
  const std::size_t column = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  return column == std::string::npos || column > kFurthest ? begin : column;
}

}  // namespace

std::string folded(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > kWidth) {
      const std::size_t begin = std::min(line.find_first_not_of(' '), kFurthest);
      const std::size_t column = second_column(line, begin);
      line = line.substr(0, column) + wrapped(line.substr(column), column);
    }
    result += line + '\n';
  }
  if (!text.empty() && text.back() != '\n') result.pop_back();
  return result;
}

}  // namespace raddle::cli
