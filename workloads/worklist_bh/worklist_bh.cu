// Gravity by a Barnes-Hut tree that is built on the device; bodies by thread or from a worklist. See
// README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <memory>
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
#include "worklist_bh/topology.cuh"
#include "worklist_bh/worklist_driver.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::bh;

namespace {

struct Settings {
  WorklistOptions worklist;
  std::string walk = "warp";
  std::string threads = "bodies";
  std::string input = "plummer";
  std::int64_t size = 10000;
  std::int64_t steps = 1;
  std::int64_t theta_percent = 50;
  std::int64_t seed = 1;
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

std::unique_ptr<Driver> make_driver(const Settings& settings, unsigned num_bodies) {
  const bool together = settings.walk == "warp";
  if (settings.worklist.topology()) {
    return std::make_unique<TopologyDriver>(together, settings.threads == "resident");
  }
  if (settings.worklist.hardware()) {
    return hardware_driver(settings.worklist, num_bodies, together);
  }
  return settings.worklist.with_double([&](auto type) -> std::unique_ptr<Driver> {
    return std::make_unique<WorklistDriver<typename decltype(type)::Type>>(num_bodies, together);
  });
}

bool simulate(const Settings& settings) {
  constexpr float time_step = 0.01F;
  const System system = load(settings);
  const std::size_t count = system.bodies.size();
  const float theta = static_cast<float>(settings.theta_percent) / 100;
  DeviceBuffer<Body> bodies(system.bodies);
  DeviceBuffer<Body> velocities(system.velocities);
  DeviceBuffer<Acceleration> accelerations(count);
  DeviceTree device_tree(count);
  DeviceBuffer<unsigned> leaders(count);
  leaders.fill_bytes(0xff);
  const std::unique_ptr<Driver> driver = make_driver(settings, static_cast<unsigned>(count));
  Comparison comparison{0, 0};
  std::size_t nodes = 0;
  for (std::int64_t step = 0; step < settings.steps; ++step) {
    const std::vector<Body> before = bodies.download();
    const std::vector<Body> velocities_before = velocities.download();
    const TreeView view = device_tree.build(bodies, theta);
    const Written written = device_tree.written();
    driver->compute(view, written.depths, {accelerations.data(), leaders.data()});
    advance<<<blocks_for(count, block_size), block_size>>>(written, accelerations.data(),
                                                           view.num_bodies, time_step,
                                                           bodies.data(), velocities.data());
    CHECK_CUDA(cudaGetLastError());
    const Tree tree = device_tree.download();
    const std::vector<Acceleration> pulls = accelerations.download();
    nodes = tree.nodes.size();
    if (!check_tree(tree, before) || !check_walks(tree, theta, leaders.download(), pulls) ||
        !check_direct_sum(tree, theta, pulls, comparison) ||
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

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("worklist_bh", "gravity by a tree, bodies from a worklist");
  settings.worklist.add_to(options, "warp", false);
  options.add_choice("--input", &settings.input, {"plummer", "disc", "cube", "stars"},
                     "where the bodies are");
  options.add("--size", &settings.size, 2, 1 << 22, "bodies, or brightest stars");
  options.add("--steps", &settings.steps, 1, 1000000, "time steps");
  options.add("--theta", &settings.theta_percent, 1, 100,
              "opening angle in percent: less is more exact");
  options.add("--seed", &settings.seed, 0, INT64_MAX, "of the bodies' places");
  options.add_choice("--threads", &settings.threads, {"bodies", "resident"},
                     "topology: one for each body, or as many as the GPU holds");
  options.add_choice("--walk", &settings.walk, {"warp", "thread"},
                     "lanes of a warp walk the tree together, or each thread alone");
  return run_workload(options, argc, argv, [&] { return simulate(settings); });
}
