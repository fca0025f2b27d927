#include "input_file.h"

#include <fstream>
#include <iterator>

#include "base/error.h"

namespace raddle::cli {

std::string content(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    fail("cannot read {}: it is a folder", file.string());
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("cannot read {}", file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace raddle::cli
