#include "common/generators.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace raddle::workloads {

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Rejects the incomplete last range below 2^64, so that every value is equally likely.
  const std::uint64_t rejected = -bound % bound;
  std::uint64_t value = next();
  while (value < rejected) value = next();
  return value % bound;
}

double Random::real() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::vector<float> random_floats(std::size_t count, float low, float high, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(low + (high - low) * random.real());
  return values;
}

ArcList uniform_graph(Vertex num_vertices, std::uint64_t num_arcs, std::uint64_t seed) {
  Random random(seed);
  ArcList list;
  list.num_vertices = num_vertices;
  list.arcs.reserve(num_arcs);
  for (std::uint64_t i = 0; i < num_arcs; ++i) {
    const auto source = static_cast<Vertex>(random.below(num_vertices));
    const auto target = static_cast<Vertex>(random.below(num_vertices));
    list.arcs.push_back({source, target, 1});
  }
  return list;
}

ArcList rmat_graph(unsigned scale, unsigned edge_factor, std::uint64_t seed) {
  Random random(seed);
  ArcList list;
  list.num_vertices = Vertex{1} << scale;
  std::vector<Vertex> shuffled(list.num_vertices);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  for (Vertex i = list.num_vertices; i > 1; --i)
    std::swap(shuffled[i - 1], shuffled[random.below(i)]);

  const std::uint64_t edges = std::uint64_t{edge_factor} << scale;
  list.arcs.reserve(2 * edges);
  for (std::uint64_t i = 0; i < edges; ++i) {
    Vertex row = 0;
    Vertex column = 0;
    for (unsigned level = 0; level < scale; ++level) {
      // The quarter of the adjacency matrix that the edge falls into, with the probabilities
      // A | B above C | D.
      const double draw = random.real();
      row = 2 * row + (draw >= 0.57 + 0.19);
      column = 2 * column + ((draw >= 0.57 && draw < 0.57 + 0.19) || draw >= 0.57 + 2 * 0.19);
    }
    list.arcs.push_back({shuffled[row], shuffled[column], 1});
  }
  add_reverse_arcs(list);
  return list;
}

ArcList citation_graph(Vertex num_vertices, unsigned citations, std::uint64_t seed) {
  Random random(seed);
  ArcList list;
  list.num_vertices = num_vertices;
  // Contains each vertex once, and once more for each citation. So a uniform draw from it is a draw
  // by cumulative advantage. Draws take the last entries only, except an old paper now and then.
  constexpr std::size_t lately = 2048;
  constexpr unsigned old_one_in = 64;
  std::vector<Vertex> chances;
  for (Vertex v = 0; v < num_vertices; ++v) {
    const std::size_t older = chances.size();
    const std::size_t first = older > lately ? older - lately : 0;
    for (unsigned i = 0; i < citations && older > 0; ++i) {
      const Vertex cited = random.below(old_one_in) == 0
                               ? static_cast<Vertex>(random.below(v))
                               : chances[first + random.below(older - first)];
      list.arcs.push_back({v, cited, 1});
      chances.push_back(cited);
    }
    chances.push_back(v);
  }
  return list;
}

namespace {

/// The connected components of the vertices so far.
class Components {
 public:
  explicit Components(Vertex num_vertices) : parent_(num_vertices) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  /// Joins the components of a and b. Returns false when they are one already.
  bool join(Vertex a, Vertex b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  Vertex root(Vertex v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }

  std::vector<Vertex> parent_;
};

}  // namespace

ArcList road_graph(unsigned scale, std::uint64_t seed) {
  const Vertex width = Vertex{1} << (scale + 1) / 2;
  ArcList list;
  list.num_vertices = Vertex{1} << scale;
  std::vector<std::pair<Vertex, Vertex>> edges;  // of the whole grid
  edges.reserve(std::size_t{2} * list.num_vertices);
  for (Vertex v = 0; v < list.num_vertices; ++v) {
    if (v % width + 1 < width) edges.emplace_back(v, v + 1);
    if (list.num_vertices - v > width) edges.emplace_back(v, v + width);
  }
  Random random(seed);
  for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);

  Components components(list.num_vertices);
  Vertex shortcuts = list.num_vertices / 5;
  for (const auto& [a, b] : edges) {
    const bool needed = components.join(a, b);
    if (!needed && shortcuts == 0) continue;
    if (!needed) --shortcuts;
    list.arcs.push_back({a, b, 1});
  }
  add_reverse_arcs(list);
  return list;
}

void assign_random_weights(ArcList& list, std::uint32_t largest, std::uint64_t seed) {
  list.weighted = true;
  for (Arc& arc : list.arcs) {
    const auto [low, high] = std::minmax(arc.source, arc.target);
    Random ends((std::uint64_t{low} << 32 | high) ^ Random(seed).next());
    arc.weight = static_cast<double>(1 + ends.below(largest));
  }
}

}  // namespace raddle::workloads
