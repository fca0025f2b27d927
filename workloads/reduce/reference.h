#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace raddle::workloads {

/// The sum modulo 2^32.
inline std::uint32_t reduce_reference(const std::vector<std::uint32_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint32_t{0});
}

}  // namespace raddle::workloads
