// Nearest neighbour: of each of some points the nearest other one of a set. See README.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "locality/neighbour.cuh"
#include "locality/traversals.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::locality;

namespace {

/// Pairs of points that the check compares at most, unless all are to be.
constexpr std::size_t kMostChecked = std::size_t{1} << 28;

using Found = raddle::locality::Nearest::Value;

template <unsigned D>
double squared_distance_in_double(const Point<D>& a, const Point<D>& b) {
  double squared = 0;
  for (unsigned axis = 0; axis < D; ++axis) {
    const double difference = static_cast<double>(a.at[axis]) - b.at[axis];
    squared += difference * difference;
  }
  return squared;
}

/// The squared distance of the nearest other point, by looking at all; infinite if there is none.
template <unsigned D>
double nearest_directly(const Traversals<D>& traversals, std::size_t query) {
  double least = INFINITY;
  for (std::size_t i = 0; i < traversals.tree.points.size(); ++i) {
    if (i == traversals.self[query]) continue;
    least = std::min(
        least, squared_distance_in_double(traversals.tree.points[i], traversals.queries[query]));
  }
  return least;
}

/// The point that was found is as far away as the nearest, but for rounding, and is another one.
template <unsigned D>
bool is_right(const Traversals<D>& traversals, std::size_t query, const Found& found) {
  const double expected = nearest_directly(traversals, query);
  if (found.index == raddle::locality::Nearest::kNothing) return std::isinf(expected);
  if (found.index >= traversals.tree.points.size() || found.index == traversals.self[query])
    return false;
  const double distance =
      squared_distance_in_double(traversals.tree.points[found.index], traversals.queries[query]);
  const double rounding = (D + 2) * 0x1p-23;  // of each of D differences, squares and sums
  const double underflow = D * 0x1p-126;      // of squares too small for a normal float
  return distance <= expected * (1 + 2 * rounding) + 2 * underflow &&
         std::abs(found.distance - distance) <= distance * rounding + underflow;
}

template <unsigned D>
bool check(const Setting& setting, const Traversals<D>& traversals,
           const std::vector<Found>& found) {
  if (found.size() != traversals.count()) {
    std::printf("locality_nn: WRONG, %zu results instead of %u\n", found.size(),
                traversals.count());
    return false;
  }
  const std::size_t checked =
      setting.checked(found.size(), traversals.tree.points.size(), kMostChecked);
  for (std::size_t i = 0; i < checked; ++i) {
    const std::size_t query = i * found.size() / checked;
    if (is_right(traversals, query, found[query])) continue;
    std::printf(
        "locality_nn: WRONG, point %zu: expected a squared distance of %.9g, found %.9g (point "
        "%u)\n",
        query, nearest_directly(traversals, query), static_cast<double>(found[query].distance),
        found[query].index);
    return false;
  }
  std::printf("locality_nn: right (%zu of %zu neighbours compared with direct ones%s)\n", checked,
              found.size(), Setting::how_to_check_all(checked, found.size()));
  return true;
}

struct Program {
  const PointSet& set;
  const Setting& setting;
  std::size_t traversals;
  bool sorted;
  unsigned leaf;
  bool bounded;

  template <unsigned D>
  bool run() const {
    const auto seed = static_cast<std::uint64_t>(setting.seed);
    const Traversals<D> here(set, draw(set.size(), traversals, seed + 1), sorted, leaf);
    const DeviceTraversals<D> there(here);
    const auto points = static_cast<std::uint32_t>(here.tree.points.size());
    const Neighbour<D> on_host{here.tree.nodes.data(),
                               here.tree.points.data(),
                               here.queries.data(),
                               here.self.data(),
                               here.tree.skip.data(),
                               points,
                               bounded};
    const Neighbour<D> on_gpu{there.nodes.data(),
                              there.points.data(),
                              there.queries.data(),
                              there.self.data(),
                              there.skip.data(),
                              points,
                              bounded};
    return check(
        setting, here,
        run_traversals(setting, here.count(), static_cast<std::uint32_t>(here.tree.nodes.size()),
                       on_host, on_gpu));
  }
};

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  setting.size = 20000;
  setting.limit = 2;
  TraversalSetting traversal;
  bool bounded = false;
  Options options("locality_nn",
                  "nearest neighbours: a loop over points around searches of a tree");
  setting.add_to(options, {"agnostic", "aware", "inferred", "stack", "ropes", "lock_step"});
  traversal.add_to(options);
  options.add_flag("--bounded", &bounded,
                   "searches begin with the nearer of the two points beside it in the tree");
  return run_workload(options, argc, argv, [&] {
    const PointSet set = traversal.points(setting);
    const std::size_t count = traversal.count(set);
    std::printf("locality_nn: %zu points of %u dimensions, %zu traversals\n", set.size(),
                set.dimensions, count);
    return for_dimensions(
        set, Program{set, setting, count, traversal.sorted(), traversal.leaf_points(), bounded});
  });
}
