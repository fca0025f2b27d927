#include "base/numbered_file.h"

#include <fmt/core.h>

#include <filesystem>

namespace raddle {

std::string numbered_file(const std::string& file, unsigned number) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  const bool there = fs::exists(status);
  if (number <= 1 || (there && !fs::is_regular_file(status))) return file;
  if (there && fs::hard_link_count(file, ignored) == 0) return file;
  const fs::path path(file);
  const std::string name = path.filename().string();
  std::size_t dot = name.rfind('.');
  if (dot != name.npos && name.substr(dot) == ".gz" && dot != 0) dot = name.rfind('.', dot - 1);
  if (dot == name.npos || dot == 0) dot = name.size();
  const std::string numbered =
      fmt::format("{}.{}{}", name.substr(0, dot), number, name.substr(dot));
  return (path.parent_path() / numbered).string();
}

}  // namespace raddle
