#include "worklist_dmr/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "worklist_dmr/predicates.h"
#include "worklist_dmr/quality.h"

namespace raddle::workloads::dmr {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;

/// Counts faults of one kind. Keeps the first.
class Faults {
 public:
  explicit Faults(const char* kind) : kind_(kind) {}
  void found(std::size_t triangle) {
    if (count_++ == 0) first_ = triangle;
  }
  bool none() const {
    if (count_ > 0) {
      std::printf("worklist_dmr: WRONG, %zu %s; the first at triangle %zu\n", count_, kind_,
                  first_);
    }
    return count_ == 0;
  }

 private:
  const char* kind_;
  std::size_t count_ = 0;
  std::size_t first_ = 0;
};

struct Corners {
  Corners(const Mesh& mesh, const Triangle& triangle) {
    for (int k = 0; k < 3; ++k) p[k] = mesh.points[static_cast<std::size_t>(triangle.vertex[k])];
  }
  double twice_area() const { return orientation_in_double(p[0], p[1], p[2]).value; }
  /// In degrees. `at` becomes the vertex of the angle.
  double smallest_angle(int& at) const {
    double smallest = 180;
    for (int k = 0; k < 3; ++k) {
      const Point& a = p[next_of(k)];
      const Point& b = p[before(k)];
      const double angle = std::atan2(twice_area(), dot(p[k], a, b)) * kDegrees;
      if (angle >= smallest) continue;
      smallest = angle;
      at = k;
    }
    return smallest;
  }
  Point p[3];
};

bool is_consistent(const Mesh& mesh) {
  Faults faults("edges whose two triangles disagree");
  const int triangles = static_cast<int>(mesh.triangles.size());
  const int points = static_cast<int>(mesh.points.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& triangle = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const int behind = triangle.neighbour[k];
      if (triangle.vertex[k] < 0 || triangle.vertex[k] >= points || behind >= triangles ||
          (behind < 0 && triangle.segment[k] < 0)) {
        faults.found(t);
        continue;
      }
      if (behind < 0) continue;
      const Triangle& other = mesh.triangles[static_cast<std::size_t>(behind)];
      const int edge = edge_of(other, triangle.vertex[before(k)], triangle.vertex[next_of(k)]);
      if (edge == 3 || other.neighbour[edge] != static_cast<int>(t) ||
          other.segment[edge] != triangle.segment[k]) {
        faults.found(t);
      }
    }
  }
  return faults.none();
}

bool is_delaunay(const Mesh& mesh) {
  Faults turned("triangles that do not turn left");
  Faults occupied("edges that are not Delaunay");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& triangle = mesh.triangles[t];
    const Corners corners(mesh, triangle);
    const Point *a = &corners.p[0], *b = &corners.p[1], *c = &corners.p[2];
    if (exact_orientation(*a, *b, *c) <= 0) turned.found(t);
    for (int k = 0; k < 3; ++k) {
      const int behind = triangle.neighbour[k];
      if (behind < 0 || triangle.segment[k] >= 0) continue;
      const Triangle& other = mesh.triangles[static_cast<std::size_t>(behind)];
      const int edge = edge_of(other, triangle.vertex[before(k)], triangle.vertex[next_of(k)]);
      const Point& p = mesh.points[static_cast<std::size_t>(other.vertex[edge])];
      const Determinant circle = circle_in_double(*a, *b, *c, p);
      if (exact_circle(*a, *b, *c, p) > 0 && circle.value > 4 * kCircleError * circle.permanent) {
        occupied.found(t);
      }
    }
  }
  const bool all_turn_left = turned.none();
  return occupied.none() && all_turn_left;
}

double area(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle& triangle : mesh.triangles) sum += Corners(mesh, triangle).twice_area() / 2;
  return sum;
}

/// The total length of each segment's edges. An edge between two triangles counts twice.
std::vector<double> segment_lengths(const Mesh& mesh) {
  std::vector<double> lengths(mesh.segments.size(), 0);
  for (const Triangle& triangle : mesh.triangles) {
    const Corners corners(mesh, triangle);
    for (int k = 0; k < 3; ++k) {
      if (triangle.segment[k] < 0) continue;
      lengths[static_cast<std::size_t>(triangle.segment[k])] +=
          std::sqrt(square_distance(corners.p[next_of(k)], corners.p[before(k)]));
    }
  }
  return lengths;
}

bool covers_the_same(const Mesh& refined, const Mesh& start) {
  const double before = area(start), after = area(refined);
  bool right = std::abs(before - after) <= 1e-9 * before;
  if (!right) std::printf("worklist_dmr: WRONG, area %.12g instead of %.12g\n", after, before);
  const std::vector<double> lengths = segment_lengths(start);
  const std::vector<double> found = segment_lengths(refined);
  for (std::size_t s = 0; s < lengths.size() && right; ++s) {
    right = std::abs(lengths[s] - found[s]) <= 1e-9 * lengths[s];
    if (right) continue;
    std::printf("worklist_dmr: WRONG, segment %zu (from 0) is %.12g long instead of %.12g\n", s,
                found[s], lengths[s]);
  }
  std::vector<char> used(refined.points.size(), 0);
  for (const Triangle& triangle : refined.triangles) {
    for (int vertex : triangle.vertex) used[static_cast<std::size_t>(vertex)] = 1;
  }
  for (const Triangle& triangle : start.triangles) {
    for (int vertex : triangle.vertex) {
      const auto v = static_cast<std::size_t>(vertex);
      const bool kept = used[v] && refined.points[v].x == start.points[v].x &&
                        refined.points[v].y == start.points[v].y;
      if (right && !kept) std::printf("worklist_dmr: WRONG, point %zu was lost\n", v);
      right = right && kept;
    }
  }
  return right;
}

bool has_good_angles(Mesh& mesh, double degrees) {
  Faults bad("angles that are too small");
  std::size_t left = 0;
  double smallest = 180;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& triangle = mesh.triangles[t];
    int at = 0;
    const double angle = Corners(mesh, triangle).smallest_angle(at);
    if (angle >= degrees - 1e-6) {
      smallest = std::min(smallest, angle);
    } else if (spans_sharp_angle(mesh.view(), triangle.vertex[next_of(at)],
                                 triangle.vertex[before(at)])) {
      ++left;
    } else {
      bad.found(t);
    }
  }
  std::printf("worklist_dmr: smallest angle %.2f degrees", smallest);
  if (left > 0) std::printf(", but for %zu triangles in sharp corners of the input", left);
  std::printf("\n");
  return bad.none();
}

}  // namespace

bool check_refined(Mesh& refined, Mesh& start, double degrees) {
  // The other checks follow neighbours.
  if (!is_consistent(refined)) return false;
  const bool delaunay = is_delaunay(refined);
  const bool same = covers_the_same(refined, start);
  return has_good_angles(refined, degrees) && delaunay && same;
}

}  // namespace raddle::workloads::dmr
