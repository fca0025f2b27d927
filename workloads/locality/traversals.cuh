// A k-d tree with its traversals, on the host and the GPU, and the ways to run them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <raddle/locality.cuh>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "locality/baselines.cuh"
#include "locality/kd_tree.h"
#include "locality/points.h"
#include "locality/setting.h"

namespace raddle::workloads::locality {

/// The tree and the query points.
template <unsigned D>
struct Traversals {
  /// Queries are the points `chosen` of a set, in this order or, if `sorted`, in that of the tree.
  Traversals(const PointSet& set, const std::vector<std::uint32_t>& chosen, bool sorted,
             unsigned leaf)
      : tree(KdBuilder<D>::build(set, leaf)) {
    std::vector<std::uint32_t> places(set.size());
    for (std::uint32_t i = 0; i < tree.origins.size(); ++i) places[tree.origins[i]] = i;
    for (const std::uint32_t origin : chosen) self.push_back(places[origin]);
    if (sorted) std::sort(self.begin(), self.end());
    for (const std::uint32_t place : self) queries.push_back(tree.points[place]);
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(self.size()); }

  KdTree<D> tree;
  std::vector<std::uint32_t> self;  // places of the query points among the tree's points
  std::vector<Point<D>> queries;    // the query points
};

/// The same data in the GPU's memory.
template <unsigned D>
struct DeviceTraversals {
  explicit DeviceTraversals(const Traversals<D>& from)
      : nodes(from.tree.nodes),
        points(from.tree.points),
        queries(from.queries),
        skip(from.tree.skip),
        self(from.self) {}

  DeviceBuffer<KdNode<D>> nodes;
  DeviceBuffer<Point<D>> points, queries;
  DeviceBuffer<std::uint32_t> skip, self;
};

/// Runs traversals as tasks. Prints and reports their times.
template <class F>
std::vector<Value<F>> run_tasks(const Setting& setting, std::uint32_t count, const F& on_host,
                                const F& on_gpu) {
  library::Forest<F> forest(setting.forest());
  const HostTime host(setting);
  std::vector<Value<F>> results;
  library::Times times;
  times.expand_us = host.us([] {}, [&] { forest.expand(count, on_host); });
  forest.execute(on_gpu);
  times.gpu_us = forest.times().gpu_us;
  times.kernel_us = forest.times().kernel_us;
  times.reduce_us = host.us([] {}, [&] { results = forest.reduce(); });
  tell(setting, times, forest.counts());
  return results;
}

/// Runs traversals by data parallelism alone, in the way of `setting.variant`. Prints and reports
/// their times.
template <class F>
std::vector<Value<F>> run_data_parallel(const Setting& setting, std::uint32_t count,
                                        std::uint32_t nodes, const F& on_gpu) {
  constexpr unsigned kBlock = 128;
  DeviceBuffer<Value<F>> values(count);
  library::detail::Room<Value<F>, library::detail::Place::host> results;
  results.reserve(count);
  library::detail::Stopwatch watch;
  const unsigned blocks = blocks_for(count, kBlock);
  watch.mark(0);
  if (setting.variant == "stack")
    traverse_by_stack<<<blocks, kBlock>>>(on_gpu, count, values.data());
  if (setting.variant == "ropes") {
    traverse_by_ropes<<<blocks, kBlock>>>(on_gpu, count, nodes, values.data());
  }
  if (setting.variant == "lock_step") {
    traverse_in_lock_step<<<blocks, kBlock>>>(on_gpu, count, values.data());
  }
  CHECK_CUDA(cudaGetLastError());
  watch.mark(1);
  CHECK_CUDA(cudaMemcpyAsync(results.data(), values.data(), count * sizeof(Value<F>),
                             cudaMemcpyDeviceToHost));
  watch.mark(2);
  CHECK_CUDA(cudaDeviceSynchronize());
  library::Times times;
  times.gpu_us = watch.us(0, 2);
  times.kernel_us = watch.us(0, 1);
  tell(setting, times, {});
  return std::vector<Value<F>>(results.data(), results.data() + count);
}

template <class F>
std::vector<Value<F>> run_traversals(const Setting& setting, std::uint32_t count,
                                     std::uint32_t nodes, const F& on_host, const F& on_gpu) {
  if (count == 0) return {};
  if (setting.has_tasks()) return run_tasks(setting, count, on_host, on_gpu);
  return run_data_parallel(setting, count, nodes, on_gpu);
}

/// Further options of programs that search a k-d tree.
struct TraversalSetting {
  std::int64_t dimensions = 3, traversals = 0, leaf = 1;
  std::string order = "sorted";

  void add_to(Options& options) {
    options.add("--dimensions", &dimensions, 2, 7, "2, 3 or 7, of generated points");
    options.add("--traversals", &traversals, 0, std::int64_t{1} << 24,
                "points that are searched for, drawn at random; 0: all");
    options.add_choice("--order", &order, {"sorted", "shuffled"},
                       "of the traversals: the tree's, or none");
    options.add("--leaf", &leaf, 1, 1024, "points of a leaf at most");
  }
  PointSet points(const Setting& setting) const {
    if (dimensions != 2 && dimensions != 3 && dimensions != 7) {
      throw UsageError(
          "--dimensions: expected 2, 3 or 7, for which this program is compiled, found " +
          std::to_string(dimensions));
    }
    return make_points(setting.input, static_cast<std::size_t>(setting.size),
                       static_cast<unsigned>(dimensions), static_cast<std::uint64_t>(setting.seed));
  }
  std::size_t count(const PointSet& set) const {
    return traversals == 0 ? set.size()
                           : std::min(set.size(), static_cast<std::size_t>(traversals));
  }
  bool sorted() const { return order == "sorted"; }
  unsigned leaf_points() const { return static_cast<unsigned>(leaf); }
};

/// Calls work.run<D>() for the set's number of dimensions. Throws UsageError if the program is not
/// compiled for it.
template <class Work>
bool for_dimensions(const PointSet& set, const Work& work) {
  switch (set.dimensions) {
    case 2:
      return work.template run<2>();
    case 0:  // an empty file
    case 3:
      return work.template run<3>();
    case 7:
      return work.template run<7>();
    default:
      throw UsageError("points have " + std::to_string(set.dimensions) +
                       " dimensions; this program is compiled for 2, 3 and 7");
  }
}

}  // namespace raddle::workloads::locality
