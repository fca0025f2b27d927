#pragma once

#include <cstdint>
#include <vector>

#include "common/graph.h"

namespace raddle::workloads {

/// A small random generator whose numbers are the same on every machine (the standard library's
/// distributions are not). SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014, figure 17.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform in 0..bound-1; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double real();

 private:
  std::uint64_t state_;
};

std::vector<float> random_floats(std::size_t count, float low, float high, std::uint64_t seed);

/// Directed graph with `num_arcs` arcs between vertices drawn uniformly; self loops and parallel
/// arcs may occur. num_vertices > 0.
ArcList uniform_graph(Vertex num_vertices, std::uint64_t num_arcs, std::uint64_t seed);

/// Undirected Kronecker graph of the Graph500 benchmark: 2^scale vertices, edge_factor * 2^scale
/// edges (two arcs each), initiator A = 0.57, B = C = 0.19, D = 0.05, vertex numbers shuffled.
/// Sources: D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT", SDM 2004; Graph500 specification.
ArcList rmat_graph(unsigned scale, unsigned edge_factor, std::uint64_t seed);

/// A citation network by cumulative advantage. Vertex v cites `citations` of the earlier vertices,
/// each with a probability proportional to 1 plus its recent citations. Only recent ones count,
/// because otherwise most papers cite a single one. Now and then v cites any old paper, because
/// otherwise the network is a long chain. With four citations and 2^18 vertices the sizes are those
/// of citationCiteseer, of the 10th DIMACS challenge: 8 arcs a vertex, at most about a thousand
/// (8.6 and 1318 there). Source: D. de Solla Price, "A General Theory of Bibliometric and Other
/// Cumulative Advantage Processes", J. Am. Soc. Inf. Sci. 27, 1976.
ArcList citation_graph(Vertex num_vertices, unsigned citations, std::uint64_t seed);

/// A network of roads. The vertices are the crossings of a grid of 2^ceil(scale / 2) x
/// 2^floor(scale / 2). Edges are those of a random spanning tree of the grid (its edges drawn in
/// random order), and some other edges of the grid, one for five crossings. Each edge is two arcs.
/// There are 2.4 arcs a vertex, as in road_usa of the 10th DIMACS challenge (23,947,347 vertices,
/// 28,854,312 edges). Like road_usa, the graph has a large diameter: thousands of arcs.
ArcList road_graph(unsigned scale, std::uint64_t seed);

/// Gives every arc a whole weight from 1 to `largest`. The weight depends only on the two ends and
/// the seed, so both arcs of an undirected edge have the same weight.
void assign_random_weights(ArcList& list, std::uint32_t largest, std::uint64_t seed);

}  // namespace raddle::workloads
