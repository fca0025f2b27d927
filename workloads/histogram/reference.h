#pragma once

#include <cstdint>
#include <vector>

namespace raddle::workloads {

/// How often each of the 256 byte values occurs.
inline std::vector<std::uint32_t> histogram_reference(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> counts(256, 0);
  for (std::uint8_t byte : bytes) ++counts[byte];
  return counts;
}

}  // namespace raddle::workloads
