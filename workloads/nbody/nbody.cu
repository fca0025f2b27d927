// Gravitation between all pairs of bodies, tiled through shared memory. See README.md.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/generators.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "nbody/kernels.cuh"
#include "nbody/reference.h"
#include "nbody/star_catalogue.h"

using namespace raddle::workloads;

static_assert(sizeof(Body) == sizeof(float4), "bodies are copied to the device as float4");

namespace {

// A sphere of radius 1 filled evenly, total mass 1.
std::vector<Body> generate_cluster(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Body> bodies;
  bodies.reserve(count);
  while (bodies.size() < count) {
    const double x = 2 * random.real() - 1;
    const double y = 2 * random.real() - 1;
    const double z = 2 * random.real() - 1;
    if (x * x + y * y + z * z > 1) continue;
    bodies.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z),
                      1.0f / static_cast<float>(count)});
  }
  return bodies;
}

std::vector<Body> load_stars(const std::string& path, std::size_t count) {
  std::vector<Body> bodies = read_stars(path, read_file(path), count);
  if (bodies.empty()) throw InputError(path + ": no star with a place and a parallax");
  return bodies;
}

std::vector<Body> to_bodies(const std::vector<float4>& values) {
  std::vector<Body> bodies;
  bodies.reserve(values.size());
  for (const float4& v : values) bodies.push_back({v.x, v.y, v.z, v.w});
  return bodies;
}

// True when the accelerations are those of the double-precision reference up to rounding. With
// eps = 2^-24, one term of the sum carries up to about 16 eps: three differences, the squared
// distance (4 eps, times 3/2), rsqrt (2 ulp, times 3) and the products. Adding n terms brings at
// most n eps of the sum of their magnitudes (N. Higham, "Accuracy and Stability of Numerical
// Algorithms", section 4.2).
bool check_accelerations(const std::vector<Body>& bodies, const std::vector<Body>& accelerations,
                         double softening_squared) {
  const double relative = (static_cast<double>(bodies.size()) + 16) * 0x1p-24;
  double worst = 0;
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    const auto expected = acceleration_reference(bodies, body, softening_squared);
    const Body& found = accelerations[body];
    const double components[3] = {found.x, found.y, found.z};
    for (int axis = 0; axis < 3; ++axis) {
      const double error = std::abs(components[axis] - expected.value[axis]);
      worst = std::max(worst, error / (expected.magnitude[axis] + 1e-30));
      if (error <= relative * expected.magnitude[axis] + 1e-30) continue;
      std::printf(
          "nbody: WRONG acceleration of body %zu along axis %d: expected %.9g, found %.9g\n", body,
          axis, expected.value[axis], components[axis]);
      return false;
    }
  }
  std::printf("nbody: right (%zu accelerations, largest error %.2g of the allowed)\n",
              bodies.size(), worst / relative);
  return true;
}

// True when every body moved according to its acceleration. The two multiply-adds of a coordinate
// round at most four times.
bool check_motion(const std::vector<Body>& before, const std::vector<Body>& velocities,
                  const std::vector<Body>& accelerations, const std::vector<Body>& after,
                  double time_step) {
  for (std::size_t body = 0; body < before.size(); ++body) {
    const auto component = [body](const std::vector<Body>& bodies, int axis) -> double {
      const Body& b = bodies[body];
      return axis == 0 ? b.x : axis == 1 ? b.y : b.z;
    };
    for (int axis = 0; axis < 3; ++axis) {
      const double velocity =
          component(velocities, axis) + component(accelerations, axis) * time_step;
      const double expected = component(before, axis) + velocity * time_step;
      const double allowed =
          0x1p-22 *
          (std::abs(component(before, axis)) + std::abs(component(velocities, axis)) * time_step +
           std::abs(component(accelerations, axis)) * time_step * time_step);
      if (std::abs(component(after, axis) - expected) <= allowed) continue;
      std::printf("nbody: WRONG place of body %zu along axis %d: expected %.9g, found %.9g\n", body,
                  axis, expected, component(after, axis));
      return false;
    }
  }
  return true;
}

// Each step is checked from the device's own state before the step. So the bounds need no model of
// how errors grow with time.
bool simulate(const std::vector<Body>& start, int steps, float time_step, float softening) {
  const auto count = static_cast<unsigned>(start.size());
  const unsigned blocks = blocks_for(count, nbody_block_size);
  std::vector<float4> initial;
  for (const Body& b : start) initial.push_back(make_float4(b.x, b.y, b.z, b.mass));
  DeviceBuffer<float4> bodies(initial);
  DeviceBuffer<float4> velocities(count);
  DeviceBuffer<float4> accelerations(count);
  velocities.fill_bytes(0);
  for (int step = 0; step < steps; ++step) {
    const std::vector<Body> before = to_bodies(bodies.download());
    const std::vector<Body> velocities_before = to_bodies(velocities.download());
    compute_accelerations<<<blocks, nbody_block_size>>>(bodies.data(), count, softening * softening,
                                                        accelerations.data());
    advance<<<blocks, nbody_block_size>>>(bodies.data(), velocities.data(), accelerations.data(),
                                          count, time_step);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<Body> pulls = to_bodies(accelerations.download());
    if (!check_accelerations(before, pulls, double{softening * softening}) ||
        !check_motion(before, velocities_before, pulls, to_bodies(bodies.download()), time_step)) {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::string input = "points/bsc5.dat";
  std::int64_t size = 1024;
  std::int64_t steps = 2;
  std::int64_t seed = 1;
  Options options("nbody", "gravitation between all pairs of stars");
  options.add("--input", &input, "Bright Star Catalogue, or cluster for a generated sphere");
  options.add("--size", &size, 1, 1 << 20, "bodies: the N brightest stars");
  options.add("--steps", &steps, 1, 1000000, "time steps");
  options.add("--seed", &seed, 0, INT64_MAX, "of the generated sphere");
  return run_workload(options, argc, argv, [&] {
    const bool generated = input == "cluster";
    const std::vector<Body> bodies =
        generated ? generate_cluster(size, seed) : load_stars(find_input(input), size);
    std::printf("nbody: %zu bodies, %d steps\n", bodies.size(), static_cast<int>(steps));
    // Softening is well under the mean distance of neighbours: a parsec apart, or 0.1 radii.
    return simulate(bodies, static_cast<int>(steps), 0.01f, generated ? 0.02f : 0.1f);
  });
}
