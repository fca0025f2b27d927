// A stencil of seven points on a box, by tiles in shared memory. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/sides.cuh"
#include "common/volume_input.h"
#include "stencil3d/kernels.cuh"

using namespace raddle::workloads;

namespace {

template <Sides sides>
std::vector<float> iterate(const std::vector<float>& start, Box box, unsigned iterations) {
  DeviceBuffer<float> from(start), to(start);
  const dim3 grid(blocks_for(box.x, 2 * tile_width), blocks_for(box.y, tile_height));
  for (unsigned n = 0; n < iterations; ++n) {
    diffuse<sides><<<grid, dim3(tile_width, tile_height)>>>(from.data(), to.data(), box);
    CHECK_CUDA(cudaGetLastError());
    from.swap(to);
  }
  return from.download();
}

}  // namespace

int main(int argc, char** argv) {
  VolumeInput input;
  std::string sides = "kept";
  std::int64_t iterations = 4;
  Options options("stencil3d", "a stencil of seven points on a box");
  input.add_to(options);
  options.add("--iterations", &iterations, 0, 1 << 20, "steps of diffusion");
  add_sides(options, &sides);
  return run_workload(options, argc, argv, [&] {
    const Box box = input.box();
    const std::vector<float> start = input.load();
    const auto steps = static_cast<unsigned>(iterations);
    std::printf("stencil3d: %u x %u x %u points, %u iterations\n", box.x, box.y, box.z, steps);
    const auto found = sides == "kept" ? iterate<Sides::kept>(start, box, steps)
                                       : iterate<Sides::compiled>(start, box, steps);
    return check_equal("stencil3d", iterate_seven_points(start, box, steps, diffused), found);
  });
}
