#include "base/error.h"

namespace raddle {

std::string SourcePosition::text() const {
  std::string out = file;
  if (line != 0) out += fmt::format(":{}", line);
  if (line != 0 && column != 0) out += fmt::format(":{}", column);
  return out;
}

}  // namespace raddle
