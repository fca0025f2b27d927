// Gravity by a Barnes-Hut tree that is built on the device; bodies by thread or from a worklist. See
// README.md.
#include <cuda_runtime.h>

#include <raddle/worklist.cuh>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bht/tree.h"
#include "common/data_path.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "nbody/star_catalogue.h"
#include "worklist_bh/bodies.h"
#include "worklist_bh/check.h"
#include "worklist_bh/device_tree.h"
#include "worklist_bh/kernels.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::bh;

namespace {

constexpr unsigned block_size = 128;

/// By threads, or by warps that walk together.
class TopologyDriver {
 public:
  TopologyDriver(std::size_t, bool warps) : warps_(warps) {}
  unsigned lanes() const { return warps_ ? 32 : 1; }
  void compute(const TreeView& tree, const unsigned*, Acceleration* accelerations) {
    const auto kernel = warps_ ? forces_by_warp : forces_by_thread;
    kernel<<<blocks_for(tree.num_bodies, block_size), block_size>>>(tree, accelerations);
    CHECK_CUDA(cudaGetLastError());
  }

 private:
  bool warps_;
};

template <class List>
class WorklistDriver {
 public:
  WorklistDriver(std::size_t bodies, bool) : list_(static_cast<std::uint32_t>(bodies)) {}
  unsigned lanes() const { return 1; }
  void compute(const TreeView& tree, const unsigned* depths, Acceleration* accelerations) {
    using Device = typename List::Device;
    activate<<<blocks_for(tree.num_bodies, block_size), block_size>>>(list_.device(),
                                                                      tree.num_bodies);
    CHECK_CUDA(cudaGetLastError());
    list_.advance();
    list_.launch(forces_listed<Device>, block_size, tree, accelerations, depths);
  }

 private:
  List list_;
};

struct Settings {
  std::string implementation = "software";
  std::string input = "plummer";
  std::int64_t size = 4096;
  std::int64_t steps = 1;
  std::int64_t theta_percent = 50;
  std::int64_t seed = 1;
  bool alone = false;
};

System load(const Settings& settings) {
  const auto count = static_cast<std::size_t>(settings.size);
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  if (settings.input == "disc") return disc(count, seed);
  System system;
  if (settings.input == "stars") {
    const std::string path = find_input("points/bsc5.dat");
    system.bodies = read_stars(path, read_file(path), count);
    if (system.bodies.size() < 2) throw InputError(path + ": fewer than two stars with a place");
  } else {
    system.bodies =
        settings.input == "cube" ? random_cube(count, seed) : plummer_sphere(count, seed);
  }
  system.velocities.assign(system.bodies.size(), Body{0, 0, 0, 0});
  return system;
}

template <class Driver>
bool simulate(const Settings& settings) {
  constexpr float time_step = 0.01F;
  const System system = load(settings);
  const std::size_t count = system.bodies.size();
  const float theta = static_cast<float>(settings.theta_percent) / 100;
  DeviceBuffer<Body> bodies(system.bodies);
  DeviceBuffer<Body> velocities(system.velocities);
  DeviceBuffer<Acceleration> accelerations(count);
  DeviceTree device_tree(count);
  Driver driver(count, !settings.alone);
  Comparison comparison{0, 0};
  std::size_t nodes = 0;
  for (std::int64_t step = 0; step < settings.steps; ++step) {
    const std::vector<Body> before = bodies.download();
    const std::vector<Body> velocities_before = velocities.download();
    const TreeView view = device_tree.build(bodies, theta);
    driver.compute(view, device_tree.depths(), accelerations.data());
    advance<<<blocks_for(count, block_size), block_size>>>(
        view.bodies, device_tree.order(), accelerations.data(), view.num_bodies, time_step,
        bodies.data(), velocities.data());
    CHECK_CUDA(cudaGetLastError());
    const Tree tree = device_tree.download();
    const std::vector<Acceleration> pulls = accelerations.download();
    nodes = tree.nodes.size();
    if (!check_tree(tree, before) || !check_walks(tree, theta, driver.lanes(), pulls) ||
        !check_direct_sum(tree, theta, driver.lanes(), pulls, comparison) ||
        !check_motion(tree, device_tree.download_order(), pulls, velocities_before,
                      bodies.download(), time_step)) {
      return false;
    }
  }
  std::printf("worklist_bh: %zu bodies, %zu nodes, %.2f %% off the direct sum\n", count, nodes,
              100 * comparison.root_mean_square);
  std::printf(
      "worklist_bh: right (tree and walks are the CPU's; errors are at most %.1f %% of what "
      "the opening angle allows)\n",
      100 * comparison.largest_share);
  return true;
}

bool simulate_with(const Settings& settings) {
  namespace wl = raddle::worklist;
  constexpr auto doubled = wl::Buffering::double_buffered;
  if (settings.implementation == "topology") return simulate<TopologyDriver>(settings);
  if (settings.implementation == "hardware") {
    return simulate<WorklistDriver<wl::Worklist<wl::Hardware<doubled>>>>(settings);
  }
  return simulate<WorklistDriver<wl::Worklist<wl::Software<doubled>>>>(settings);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("worklist_bh", "gravity by a tree, bodies from a worklist");
  options.add_choice("--implementation", &settings.implementation,
                     {"topology", "software", "hardware"}, "bodies by thread, or from a worklist");
  options.add_choice("--input", &settings.input, {"plummer", "disc", "cube", "stars"},
                     "where the bodies are");
  options.add("--size", &settings.size, 2, 1 << 22, "bodies, or brightest stars");
  options.add("--steps", &settings.steps, 1, 1000000, "time steps");
  options.add("--theta", &settings.theta_percent, 1, 100,
              "opening angle in percent: less is more exact");
  options.add("--seed", &settings.seed, 0, INT64_MAX, "of the bodies' places");
  options.add_flag("--alone", &settings.alone,
                   "topology: each thread walks the tree alone, not its warp together");
  return run_workload(options, argc, argv, [&] { return simulate_with(settings); });
}
