#pragma once

#include <vector>

#include "amr/mesh.h"

namespace raddle::workloads {

inline void amr_add(const Mesh& mesh, const Cell& cell, RootResult& result) {
  const Mesh::Sample sample = mesh.sample(cell);
  if (!mesh.is_to_refine(cell, sample)) {
    result.integral += sample.mean * volume(cell, mesh.least_size);
    ++result.cells;
    return;
  }
  for (unsigned i = 0; i < num_parts; ++i) amr_add(mesh, cell.part(i), result);
}

/// Refines one coarse cell after the other, by plain recursion.
inline std::vector<RootResult> amr_reference(const Mesh& mesh, unsigned roots_per_edge,
                                             unsigned root_size) {
  std::vector<RootResult> results;
  for (unsigned z = 0; z < roots_per_edge; ++z) {
    for (unsigned y = 0; y < roots_per_edge; ++y) {
      for (unsigned x = 0; x < roots_per_edge; ++x) {
        RootResult result{0, 0};
        const auto root = static_cast<unsigned>(results.size());
        amr_add(mesh, {x * root_size, y * root_size, z * root_size, root_size, root}, result);
        results.push_back(result);
      }
    }
  }
  return results;
}

}  // namespace raddle::workloads
