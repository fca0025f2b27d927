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

/// A citation network by cumulative advantage: vertex v cites `citations` of the vertices before
/// it, each with a probability proportional to one more than how often it has been cited lately
/// (a paper is cited while it is young: without that a single one is cited by most), and now and
/// then an old paper, whichever (without those the network is a long chain). With four
/// citations and 2^18 vertices the sizes are those of citationCiteseer, of the 10th DIMACS
/// challenge: 8 arcs a vertex, at most about a thousand (8.6 and 1318 there). Source: D. de Solla
/// Price, "A General Theory of Bibliometric and Other Cumulative Advantage Processes", J. Am. Soc.
/// Inf. Sci. 27, 1976.
ArcList citation_graph(Vertex num_vertices, unsigned citations, std::uint64_t seed);

/// A network of roads: the crossings of a square of 2^ceil(scale / 2) x 2^floor(scale / 2), joined
/// by a random spanning tree of the grid (its edges drawn in random order) and by one in five of
/// the crossings' number of the other edges. Arcs both ways. 2.4 arcs a vertex, as road_usa of the
/// 10th DIMACS challenge has (23,947,347 vertices, 28,854,312 edges), and like it wide: thousands
/// of arcs from end to end.
ArcList road_graph(unsigned scale, std::uint64_t seed);

/// Gives every arc a whole weight from 1 to `largest`. The weight depends on the two ends and the
/// seed alone, so both arcs of an undirected edge weigh the same.
void assign_random_weights(ArcList& list, std::uint32_t largest, std::uint64_t seed);

}  // namespace raddle::workloads
