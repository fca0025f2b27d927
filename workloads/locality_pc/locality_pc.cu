// Point correlation: how many points of a set lie within a radius of each of some. See README.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "locality/correlation.cuh"
#include "locality/traversals.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::locality;

namespace {

/// Pairs of points that one run may find; a k-d tree does not help where all points are near.
constexpr double kMostPairs = 4e9;
/// Pairs of points that the check compares at most, unless all are to be.
constexpr std::size_t kMostChecked = std::size_t{1} << 28;

/// Counts of points whose distance is less than the radius by more than rounding, and not greater by
/// more; between them what was found must lie.
struct Bounds {
  std::uint32_t least = 0, most = 0;
};

template <unsigned D>
Bounds count_directly(const Traversals<D>& traversals, std::size_t query, double squared_radius) {
  Bounds bounds;
  for (const Point<D>& point : traversals.tree.points) {
    double squared = 0;
    for (unsigned axis = 0; axis < D; ++axis) {
      const double difference =
          static_cast<double>(point.at[axis]) - traversals.queries[query].at[axis];
      squared += difference * difference;
    }
    // Each of the D differences, squares and sums rounds once.
    const double rounding = (D + 2) * 0x1p-23 * squared_radius;
    if (squared <= squared_radius - rounding) ++bounds.least;
    if (squared <= squared_radius + rounding) ++bounds.most;
  }
  return bounds;
}

template <unsigned D>
bool check(const Setting& setting, const Traversals<D>& traversals,
           const std::vector<std::uint32_t>& found, float squared_radius) {
  if (found.size() != traversals.count()) {
    std::printf("locality_pc: WRONG, %zu results instead of %u\n", found.size(),
                traversals.count());
    return false;
  }
  const std::size_t checked =
      setting.checked(found.size(), traversals.tree.points.size(), kMostChecked);
  double sum = 0;
  for (const std::uint32_t count : found) sum += count;
  for (std::size_t i = 0; i < checked; ++i) {
    const std::size_t query = i * found.size() / checked;
    const Bounds bounds = count_directly(traversals, query, static_cast<double>(squared_radius));
    if (found[query] >= bounds.least && found[query] <= bounds.most) continue;
    std::printf("locality_pc: WRONG, point %zu: expected %u to %u, found %u\n", query, bounds.least,
                bounds.most, found[query]);
    return false;
  }
  std::printf(
      "locality_pc: right (%zu of %zu counts compared with direct ones%s; %.1f points on "
      "average)\n",
      checked, found.size(), Setting::how_to_check_all(checked, found.size()),
      found.empty() ? 0 : sum / static_cast<double>(found.size()));
  return true;
}

struct Program {
  const PointSet& set;
  const Setting& setting;
  std::size_t traversals;
  bool sorted;
  unsigned leaf;
  float squared_radius;

  template <unsigned D>
  bool run() const {
    const auto seed = static_cast<std::uint64_t>(setting.seed);
    const Traversals<D> here(set, draw(set.size(), traversals, seed + 1), sorted, leaf);
    const DeviceTraversals<D> there(here);
    const Correlation<D> on_host{here.tree.nodes.data(), here.tree.points.data(),
                                 here.queries.data(), here.tree.skip.data(), squared_radius};
    const Correlation<D> on_gpu{there.nodes.data(), there.points.data(), there.queries.data(),
                                there.skip.data(), squared_radius};
    return check(
        setting, here,
        run_traversals(setting, here.count(), static_cast<std::uint32_t>(here.tree.nodes.size()),
                       on_host, on_gpu),
        squared_radius);
  }
};

/// A number that an option gives as text.
double number(const std::string& text, const char* option, double high) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == 0 && value >= 0 && value <= high) return value;
  throw UsageError(std::string(option) + ": expected a number of 0 to " + std::to_string(high) +
                   ", found '" + text + "'");
}

void refuse_too_many(double pairs) {
  if (pairs <= kMostPairs) return;
  throw UsageError("some " + std::to_string(pairs) +
                   " pairs of points lie within the radius, and at most " +
                   std::to_string(kMostPairs) +
                   " are counted one by one; choose a smaller --radius, --traversals or --size");
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  setting.size = 20000;
  setting.limit = 2;
  TraversalSetting traversal;
  std::string radius, share = "0.001";
  Options options("locality_pc", "point correlation: a loop over points around searches of a tree");
  setting.add_to(options, {"agnostic", "aware", "inferred", "stack", "ropes", "lock_step"});
  traversal.add_to(options);
  options.add("--radius", &radius, "of the search; otherwise by --share");
  options.add("--share", &share, "of all pairs of points that lie within the radius");
  return run_workload(options, argc, argv, [&] {
    const auto seed = static_cast<std::uint64_t>(setting.seed);
    const PointSet set = traversal.points(setting);
    const std::size_t count = traversal.count(set);
    const float squared = radius.empty()
                              ? squared_distance_of_share(set, number(share, "--share", 1), seed)
                              : static_cast<float>(std::pow(number(radius, "--radius", 1e18), 2));
    refuse_too_many(share_within(set, squared, seed) * static_cast<double>(set.size()) *
                    static_cast<double>(count));
    std::printf("locality_pc: %zu points of %u dimensions, %zu traversals, radius %g\n", set.size(),
                set.dimensions, count, std::sqrt(static_cast<double>(squared)));
    return for_dimensions(
        set, Program{set, setting, count, traversal.sorted(), traversal.leaf_points(), squared});
  });
}
