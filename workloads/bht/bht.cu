// Gravity by a Barnes-Hut tree. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bht/direct_sum.h"
#include "bht/kernels.cuh"
#include "bht/reference.h"
#include "bht/tree.h"
#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/options.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

std::vector<Acceleration> accelerations_on_gpu(const Tree& tree, float theta,
                                               const std::string& variant,
                                               const DynamicOptions& dynamic) {
  const DeviceBuffer<TreeNode> nodes(tree.nodes);
  const DeviceBuffer<Body> bodies(tree.bodies);
  DeviceBuffer<Acceleration> accelerations(tree.bodies.size());
  const TreeView view{nodes.data(), static_cast<unsigned>(nodes.size()), bodies.data(),
                      static_cast<unsigned>(bodies.size()), theta};
  const unsigned blocks = blocks_for(bodies.size(), block_size);
  const std::size_t near_leaves = is_dynamic(variant) ? NearLeaves::most * bodies.size() : 0;
  DeviceBuffer<unsigned> near_first(near_leaves);
  DeviceBuffer<unsigned> near_ends(near_leaves);
  if (is_dynamic(variant)) {
    bht_dynamic<<<blocks, block_size>>>(view, accelerations.data(),
                                        NearLeaves{near_first.data(), near_ends.data()},
                                        dynamic.prepare_device(variant));
  } else {
    bht_flat<<<blocks, block_size>>>(view, accelerations.data());
  }
  CHECK_CUDA(cudaGetLastError());
  return accelerations.download();
}

/// The kernels sum in single precision and in any order.
constexpr double single_precision_error = 1e-5;

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "flat";
  std::string input = "cube";
  std::int64_t size = 4096;
  std::int64_t bucket = 8;
  std::int64_t theta_percent = 60;
  std::int64_t seed = 1;
  DynamicOptions dynamic;
  Options options("bht", "gravity between many bodies by a tree");
  options.add_choice("--variant", &variant, {"flat", "cdp", "dtbl"}, "who looks at near bodies");
  options.add_choice("--input", &input, {"cube", "plummer"}, "where the bodies are");
  options.add("--size", &size, 1, 1 << 22, "bodies");
  options.add("--bucket", &bucket, 1, 1024, "most bodies in a leaf of the tree");
  options.add("--theta", &theta_percent, 1, 100, "opening angle in percent: less is more exact");
  options.add("--seed", &seed, 0, INT64_MAX, "of the bodies' places");
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    if (dynamic.block % 32 != 0) throw UsageError("--child-block: should be whole warps");
    const auto make = input == "cube" ? random_cube : plummer_sphere;
    const auto count = static_cast<std::size_t>(size);
    const Tree tree =
        build_tree(make(count, static_cast<std::uint64_t>(seed)), static_cast<unsigned>(bucket));
    const float theta = static_cast<float>(theta_percent) / 100;
    std::vector<double> found;
    for (const Acceleration& a : accelerations_on_gpu(tree, theta, variant, dynamic)) {
      found.insert(found.end(), {a.x, a.y, a.z});
    }
    const std::vector<double> expected = walk_reference(tree, theta);
    std::printf("bht: %zu bodies, %zu nodes, %.2f %% off the direct sum\n", count,
                tree.nodes.size(),
                100 * distance_from_direct_sum(tree.bodies, softening_squared, found));
    const double error = relative_error(expected, found);
    const bool right = error < single_precision_error;
    std::printf("bht: %s (%.1e from the CPU's walk of the same tree)\n", right ? "right" : "WRONG",
                error);
    return right;
  });
}
