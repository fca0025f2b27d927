#include "worklist_dmr/delaunay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/generators.h"
#include "common/text_scanner.h"
#include "worklist_dmr/cavity.h"

namespace raddle::workloads::dmr {
namespace {

/// Inserts points one at a time, with exact predicates. Each should be near the previous one.
class Builder {
 public:
  Builder(Point low, Point high) {
    mesh.points = {low, {high.x, low.y}, high, {low.x, high.y}};
    mesh.origins.assign(4, kFree);
    mesh.segments = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    mesh.triangles = {{{0, 1, 2}, 0, {-1, 1, -1}, 0, {1, -1, 0}, 0},
                      {{0, 2, 3}, 0, {-1, -1, 0}, 0, {2, 3, -1}, 0}};
  }

  /// Returns the number of the point at `point`. Inserts the point if there is none.
  int insert(Point point) {
    Target target{point, locate(point), -1, -1, -1};
    const Triangle& triangle = mesh.triangles[static_cast<std::size_t>(target.start)];
    for (int vertex : triangle.vertex) {
      const Point& other = at(vertex);
      if (other.x == point.x && other.y == point.y) return vertex;
    }
    for (int k = 0; k < 3; ++k) {
      const int a = triangle.vertex[next_of(k)], b = triangle.vertex[before(k)];
      if (triangle.segment[k] < 0 || exact_orientation(at(a), at(b), point) != 0) continue;
      target.segment = triangle.segment[k];
      target.a = a;
      target.b = b;
    }
    fill(target);
    return static_cast<int>(mesh.points.size()) - 1;
  }

  /// The edge from point `a` to point `b` as 3 * triangle + edge, or -1.
  int find_edge(int a, int b) const {
    const int first = around_[static_cast<std::size_t>(a)];
    // Counterclockwise round a, up to the boundary; then clockwise from the start.
    for (int direction = 0; direction < 2; ++direction) {
      for (int t = first; t >= 0;) {
        const Triangle& triangle = mesh.triangles[static_cast<std::size_t>(t)];
        const int corner =
            static_cast<int>(std::find(triangle.vertex, triangle.vertex + 3, a) - triangle.vertex);
        if (triangle.vertex[next_of(corner)] == b) return 3 * t + before(corner);
        if (triangle.vertex[before(corner)] == b) return 3 * t + next_of(corner);
        t = triangle.neighbour[direction == 0 ? next_of(corner) : before(corner)];
        if (t == first) return -1;
      }
    }
    return -1;
  }

  Mesh mesh;

 private:
  const Point& at(int point) const { return mesh.points[static_cast<std::size_t>(point)]; }

  /// Returns a triangle that contains `point`. Walks to it from the last one.
  int locate(Point point) const {
    int current = last_;
    for (bool moved = true; moved;) {
      moved = false;
      const Triangle& triangle = mesh.triangles[static_cast<std::size_t>(current)];
      for (int k = 0; k < 3 && !moved; ++k) {
        if (exact_orientation(at(triangle.vertex[next_of(k)]), at(triangle.vertex[before(k)]),
                              point) >= 0) {
          continue;
        }
        current = triangle.neighbour[k];
        moved = true;
      }
    }
    return current;
  }

  void fill(Target& target) {
    Cavity cavity{found_.data(), rims_.data(), static_cast<int>(found_.size())};
    while (find_cavity<ExactPredicates>(mesh.view(), target, cavity, false,
                                        [](int) { return true; }) != Outcome::found) {
      found_.resize(2 * found_.size());
      rims_.resize(found_.size() + 2);
      cavity = {found_.data(), rims_.data(), static_cast<int>(found_.size())};
    }
    const int point = static_cast<int>(mesh.points.size());
    mesh.points.push_back(target.point);
    mesh.origins.push_back(kFree);
    around_.resize(mesh.points.size(), 0);
    const int first_added = static_cast<int>(mesh.triangles.size());
    mesh.triangles.resize(mesh.triangles.size() +
                          static_cast<std::size_t>(added_triangles(mesh.view(), target)));
    fill_cavity(mesh.view(), target, cavity, point, first_added, [this](int made) {
      for (int vertex : mesh.triangles[static_cast<std::size_t>(made)].vertex) {
        around_[static_cast<std::size_t>(vertex)] = made;
      }
      last_ = made;
    });
  }

  int last_ = 0;
  std::vector<int> around_ = {0, 0, 0, 1};  // a triangle at each point
  std::vector<int> found_ = std::vector<int>(64);
  std::vector<Rim> rims_ = std::vector<Rim>(66);
};

/// The order of points along the columns of a grid, alternately up and down: each is near the
/// previous one.
std::vector<std::size_t> snake(const std::vector<Point>& points, Point low, Point high) {
  const double columns = std::max(1.0, std::sqrt(static_cast<double>(points.size()) / 2));
  const auto column = [&](const Point& p) {
    return static_cast<long>((p.x - low.x) / (high.x - low.x) * columns);
  };
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Point& a = points[i];
    const Point& b = points[j];
    const long first = column(a), second = column(b);
    if (first != second) return first < second;
    if (a.y != b.y) return (a.y < b.y) == (first % 2 == 0);
    return i < j;
  });
  return order;
}

void mark_sharp_points(Mesh& mesh) {
  std::vector<std::vector<int>> ends(mesh.points.size());
  for (const Segment& segment : mesh.segments) {
    ends[static_cast<std::size_t>(segment.from)].push_back(segment.to);
    ends[static_cast<std::size_t>(segment.to)].push_back(segment.from);
  }
  for (std::size_t p = 0; p < ends.size(); ++p) {
    for (std::size_t i = 0; i < ends[p].size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Point& from = mesh.points[p];
        const Point& a = mesh.points[static_cast<std::size_t>(ends[p][i])];
        const Point& b = mesh.points[static_cast<std::size_t>(ends[p][j])];
        const double lengths = std::sqrt(square_distance(from, a) * square_distance(from, b));
        if (dot(from, a, b) > 0.5 * lengths) mesh.origins[p] = kSharp;
      }
    }
  }
}

/// Splits the segments until each is a sequence of edges, and marks these edges.
void recover_segments(const std::string& name, Builder& builder,
                      const std::vector<Segment>& segments) {
  struct Part {
    int a, b, segment;
  };
  Mesh& mesh = builder.mesh;
  mesh.segments = segments;
  mark_sharp_points(mesh);
  std::vector<Part> parts;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    parts.push_back({segments[s].from, segments[s].to, static_cast<int>(s)});
  }
  const std::size_t limit = 1000 * (mesh.points.size() + 100);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part part = parts[i];
      if (builder.find_edge(part.a, part.b) >= 0) continue;
      const int middle = builder.insert(split_point(mesh.view(), part.a, part.b));
      if (middle == part.a || middle == part.b || mesh.points.size() > limit) {
        throw InputError(name + ": segment " + std::to_string(part.segment) +
                         " (from 0) cannot be made a row of edges; do segments cross?");
      }
      auto& origin = mesh.origins[static_cast<std::size_t>(middle)];
      if (origin == kFree) origin = part.segment;
      parts[i].b = middle;
      parts.push_back({middle, part.b, part.segment});
      changed = true;
      --i;
    }
  }
  for (Triangle& triangle : mesh.triangles) std::fill_n(triangle.segment, 3, -1);
  for (const Part& part : parts) {
    for (const int edge : {builder.find_edge(part.a, part.b)}) {
      Triangle& triangle = mesh.triangles[static_cast<std::size_t>(edge / 3)];
      triangle.segment[edge % 3] = part.segment;
      const int behind = triangle.neighbour[edge % 3];
      if (behind < 0) continue;
      Triangle& other = mesh.triangles[static_cast<std::size_t>(behind)];
      const int a = triangle.vertex[next_of(edge % 3)], b = triangle.vertex[before(edge % 3)];
      other.segment[edge_of(other, b, a)] = part.segment;
    }
  }
}

/// Marks as removed all triangles that can be reached from `from` without crossing a segment.
void flood(const Mesh& mesh, std::vector<char>& removed, std::vector<int> from) {
  for (int t : from) removed[static_cast<std::size_t>(t)] = 1;
  while (!from.empty()) {
    const Triangle& triangle = mesh.triangles[static_cast<std::size_t>(from.back())];
    from.pop_back();
    for (int k = 0; k < 3; ++k) {
      const int other = triangle.neighbour[k];
      if (triangle.segment[k] >= 0 || other < 0 || removed[static_cast<std::size_t>(other)]) {
        continue;
      }
      removed[static_cast<std::size_t>(other)] = 1;
      from.push_back(other);
    }
  }
}

void keep_inside(const std::string& name, Mesh& mesh, const std::vector<Point>& holes) {
  std::vector<int> outside;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& triangle = mesh.triangles[t];
    bool starts = false;
    for (int k = 0; k < 3; ++k) starts |= triangle.neighbour[k] < 0 && triangle.segment[k] < 0;
    for (const Point& hole : holes) {
      bool inside = true;
      for (int k = 0; k < 3; ++k) {
        inside = inside &&
                 exact_orientation(
                     mesh.points[static_cast<std::size_t>(triangle.vertex[k])],
                     mesh.points[static_cast<std::size_t>(triangle.vertex[next_of(k)])], hole) >= 0;
      }
      starts |= inside;
    }
    if (starts) outside.push_back(static_cast<int>(t));
  }
  std::vector<char> removed(mesh.triangles.size(), 0);
  flood(mesh, removed, outside);
  std::vector<int> renamed(mesh.triangles.size(), -1);
  std::vector<Triangle> kept;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (removed[t]) continue;
    renamed[t] = static_cast<int>(kept.size());
    kept.push_back(mesh.triangles[t]);
  }
  for (Triangle& triangle : kept) {
    for (int& other : triangle.neighbour) {
      if (other >= 0) other = renamed[static_cast<std::size_t>(other)];
    }
  }
  if (kept.empty()) throw InputError(name + ": the segments enclose no area");
  mesh.triangles = std::move(kept);
}

}  // namespace

Mesh triangulate(const std::string& name, const Drawing& drawing) {
  if (drawing.points.empty()) throw InputError(name + ": no points");
  Point low = drawing.points.front(), high = low;
  for (const Point& p : drawing.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  if (!(low.x < high.x && low.y < high.y)) throw InputError(name + ": the points span no area");
  const double margin = drawing.segments.empty() ? 0 : std::max(high.x - low.x, high.y - low.y);
  low = {low.x - margin, low.y - margin};
  high = {high.x + margin, high.y + margin};
  Builder builder(low, high);
  std::vector<int> numbers(drawing.points.size());
  for (std::size_t i : snake(drawing.points, low, high)) {
    numbers[i] = builder.insert(drawing.points[i]);
  }
  if (drawing.segments.empty()) return std::move(builder.mesh);
  std::vector<Segment> segments;
  for (const Segment& segment : drawing.segments) {
    const Segment renamed{numbers[static_cast<std::size_t>(segment.from)],
                          numbers[static_cast<std::size_t>(segment.to)]};
    if (renamed.from != renamed.to) segments.push_back(renamed);
  }
  recover_segments(name, builder, segments);
  keep_inside(name, builder.mesh, drawing.holes);
  return std::move(builder.mesh);
}

Drawing random_points(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Drawing drawing;
  drawing.points = {{0, 0}, {1, 1}};
  for (std::size_t i = 0; i < count; ++i) {
    const double x = random.real();
    drawing.points.push_back({x, random.real()});
  }
  return drawing;
}

}  // namespace raddle::workloads::dmr
