#pragma once

#include <cstddef>
#include <vector>

namespace raddle::workloads {

/// Adds element by element. Both vectors have the same length.
inline std::vector<float> add_vectors_reference(const std::vector<float>& a,
                                                const std::vector<float>& b) {
  std::vector<float> sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

}  // namespace raddle::workloads
