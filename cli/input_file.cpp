#include "input_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>

#include "base/error.h"
#include "base/memory_limits.h"

namespace raddle::cli {

std::string content(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    fail("cannot read {}: it is a folder", file.string());
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("cannot read {}: {}", file.string(), std::strerror(errno));
  try {
    return {std::istreambuf_iterator<char>(in), {}};
  } catch (const std::bad_alloc&) {
    fail("cannot read {}: there is not enough memory for it ({})", file.string(), memory_limits());
  }
}

}  // namespace raddle::cli
