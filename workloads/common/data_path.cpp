#include "common/data_path.h"

#include <cstdlib>
#include <filesystem>

namespace raddle::workloads {
namespace fs = std::filesystem;

std::string find_input(const std::string& file) {
  std::error_code ignored;  // a path that cannot be examined is reported when it is opened
  if (fs::exists(file, ignored)) return file;
  const char* const root = std::getenv("RADDLE_ROOT");
  const fs::path data = root != nullptr ? fs::path(root) / "data" : fs::path(RADDLE_DATA_DIR);
  const fs::path bundled = data / file;
  return fs::exists(bundled, ignored) ? bundled.string() : file;
}

}  // namespace raddle::workloads
