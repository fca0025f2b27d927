#include "pairs/inputs.h"

#include <numeric>
#include <utility>
#include <vector>

#include "common/data_path.h"
#include "common/generators.h"
#include "common/graph_reader.h"

namespace raddle::workloads::pairs {
namespace {

/// Draws edges as rmat_graph(). An edge with an end beyond the vertices is drawn again.
ArcList draw_graph(Vertex vertices, std::uint64_t edges, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vertex> shuffled(vertices);
  std::iota(shuffled.begin(), shuffled.end(), 0u);
  for (Vertex n = vertices; n > 1; --n) std::swap(shuffled[n - 1], shuffled[random.below(n)]);
  ArcList list;
  list.num_vertices = vertices;
  while (list.arcs.size() < edges) {
    std::uint64_t row = 0, column = 0;
    for (std::uint64_t size = 1; size < vertices; size *= 2) {
      const double draw = random.real();
      row = 2 * row + (draw >= 0.57 + 0.19);
      column = 2 * column + ((draw >= 0.57 && draw < 0.57 + 0.19) || draw >= 0.57 + 2 * 0.19);
    }
    if (row < vertices && column < vertices) {
      list.arcs.push_back({shuffled[row], shuffled[column], 1});
    }
  }
  return list;
}

}  // namespace

CsrGraph pair_graph(const std::string& input, Vertex vertices, std::uint64_t edges, bool weighted,
                    std::uint64_t seed) {
  ArcList list =
      input == "rmat" ? draw_graph(vertices, edges, seed) : read_graph(find_input(input));
  add_reverse_arcs(list);
  list.weighted = weighted;
  if (weighted) assign_random_weights(list, 100, seed);
  return build_csr(list);
}

}  // namespace raddle::workloads::pairs
