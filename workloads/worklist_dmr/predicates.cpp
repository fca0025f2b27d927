#include "worklist_dmr/predicates.h"

#include <cmath>
#include <vector>

namespace raddle::workloads::dmr {
namespace {

/// An exact value as a sum of doubles. Components do not overlap and grow in size, so the last one
/// that is not zero has the sign of the sum (Shewchuk, section 2). The sum is exact unless a
/// product leaves the range of double.
class Expansion {
 public:
  Expansion() = default;
  /// a - b.
  static Expansion difference(double a, double b) {
    Expansion result;
    result.add(a);
    result.add(-b);
    return result;
  }
  Expansion operator+(const Expansion& other) const {
    Expansion result = *this;
    for (double component : other.components_) result.add(component);
    return result;
  }
  Expansion operator-(const Expansion& other) const {
    Expansion result = *this;
    for (double component : other.components_) result.add(-component);
    return result;
  }
  Expansion operator*(const Expansion& other) const {
    Expansion result;
    for (double a : components_) {
      for (double b : other.components_) {
        const double product = a * b;
        result.add(std::fma(a, b, -product));
        result.add(product);
      }
    }
    return result;
  }
  int sign() const {
    if (components_.empty()) return 0;
    return components_.back() > 0 ? 1 : -1;
  }

 private:
  // Shewchuk's GROW-EXPANSION, without zero components.
  void add(double value) {
    std::size_t kept = 0;
    for (double component : components_) {
      const double sum = value + component;
      const double virtual_part = sum - value;
      const double error = (value - (sum - virtual_part)) + (component - virtual_part);
      if (error != 0) components_[kept++] = error;
      value = sum;
    }
    components_.resize(kept);
    if (value != 0) components_.push_back(value);
  }

  std::vector<double> components_;
};

int sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

int exact_orientation(Point a, Point b, Point c) {
  const Determinant found = orientation_in_double(a, b, c);
  if (std::abs(found.value) > kOrientationError * found.permanent) return sign(found.value);
  const auto minus = Expansion::difference;
  return (minus(a.x, c.x) * minus(b.y, c.y) - minus(a.y, c.y) * minus(b.x, c.x)).sign();
}

int exact_circle(Point a, Point b, Point c, Point p) {
  const Determinant found = circle_in_double(a, b, c, p);
  if (std::abs(found.value) > kCircleError * found.permanent) return sign(found.value);
  const auto minus = Expansion::difference;
  const Expansion ax = minus(a.x, p.x), ay = minus(a.y, p.y);
  const Expansion bx = minus(b.x, p.x), by = minus(b.y, p.y);
  const Expansion cx = minus(c.x, p.x), cy = minus(c.y, p.y);
  return ((ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
          (cx * cx + cy * cy) * (ax * by - ay * bx))
      .sign();
}

}  // namespace raddle::workloads::dmr
