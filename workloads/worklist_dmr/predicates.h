#pragma once

#include "worklist_dmr/mesh.h"

namespace raddle::workloads::dmr {

// A determinant of rounded differences of coordinates has an error of at most this multiple of its
// permanent (J. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates", Discrete Comput. Geom. 18, 1997: ccwerrboundA, iccerrboundA).
constexpr double kRounding = 0x1p-53;
constexpr double kOrientationError = (3 + 16 * kRounding) * kRounding;
constexpr double kCircleError = (10 + 96 * kRounding) * kRounding;

struct Determinant {
  double value;
  double permanent;
};

/// Positive: a, b, c turn left. Twice the triangle's area.
RADDLE_HOST_DEVICE inline Determinant orientation_in_double(Point a, Point b, Point c) {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  return {left - right, (left < 0 ? -left : left) + (right < 0 ? -right : right)};
}

/// Positive: p lies inside the circle through a, b, c, which turn left.
RADDLE_HOST_DEVICE inline Determinant circle_in_double(Point a, Point b, Point c, Point p) {
  const double ax = a.x - p.x, ay = a.y - p.y;
  const double bx = b.x - p.x, by = b.y - p.y;
  const double cx = c.x - p.x, cy = c.y - p.y;
  const double a_lift = ax * ax + ay * ay;
  const double b_lift = bx * bx + by * by;
  const double c_lift = cx * cx + cy * cy;
  const auto size = [](double x) { return x < 0 ? -x : x; };
  return {
      a_lift * (bx * cy - by * cx) + b_lift * (cx * ay - cy * ax) + c_lift * (ax * by - ay * bx),
      a_lift * (size(bx * cy) + size(by * cx)) + b_lift * (size(cx * ay) + size(cy * ax)) +
          c_lift * (size(ax * by) + size(ay * bx))};
}

/// The signs of these determinants without error: -1, 0, 1. On the host.
int exact_orientation(Point a, Point b, Point c);
int exact_circle(Point a, Point b, Point c, Point p);

/// The device's predicates. A point almost on the line of an edge counts as on it, so that no
/// triangle without area results. A point almost on a circle counts as outside.
struct FastPredicates {
  RADDLE_HOST_DEVICE static bool strictly_left(Point a, Point b, Point p) {
    const Determinant found = orientation_in_double(a, b, p);
    return found.value > 32 * kOrientationError * found.permanent;
  }
  RADDLE_HOST_DEVICE static bool inside_circle(Point a, Point b, Point c, Point p) {
    const Determinant found = circle_in_double(a, b, c, p);
    return found.value > kCircleError * found.permanent;
  }
};

struct ExactPredicates {
  static bool strictly_left(Point a, Point b, Point p) { return exact_orientation(a, b, p) > 0; }
  static bool inside_circle(Point a, Point b, Point c, Point p) {
    return exact_circle(a, b, c, p) > 0;
  }
};

}  // namespace raddle::workloads::dmr
