#include "common/data_path.h"

#include <cstdlib>

namespace raddle::workloads {

std::string data_path(const std::string& file) {
  const char* const root = std::getenv("RADDLE_ROOT");
  return (root != nullptr ? std::string(root) + "/data" : std::string(RADDLE_DATA_DIR)) + "/" +
         file;
}

}  // namespace raddle::workloads
