// Laplace's equation on a box, by Jacobi's method. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/sides.cuh"
#include "common/volume_input.h"
#include "lps/kernels.cuh"

using namespace raddle::workloads;

namespace {

template <unsigned Width, unsigned Height, Sides sides>
std::vector<float> solve(const std::vector<float>& start, Box box, unsigned iterations) {
  DeviceBuffer<float> from(start), to(start.size());
  const dim3 grid(blocks_for(box.x, Width), blocks_for(box.y, Height));
  for (unsigned n = 0; n < iterations; ++n) {
    jacobi<Width, Height, sides><<<grid, dim3(Width, Height)>>>(from.data(), to.data(), box);
    CHECK_CUDA(cudaGetLastError());
    from.swap(to);
  }
  return from.download();
}

template <Sides sides>
std::vector<float> solve(const std::vector<float>& start, Box box, unsigned iterations,
                         const std::string& tile) {
  return tile == "16x8" ? solve<16, 8, sides>(start, box, iterations)
                        : solve<32, 4, sides>(start, box, iterations);
}

}  // namespace

int main(int argc, char** argv) {
  VolumeInput input;
  std::string tile = "16x8", sides = "kept";
  std::int64_t iterations = 4;
  Options options("lps", "Laplace's equation on a box, by Jacobi's method");
  input.add_to(options);
  options.add("--iterations", &iterations, 0, 1 << 20, "of Jacobi's method");
  options.add_choice("--tile", &tile, {"16x8", "32x4"}, "threads of a block");
  add_sides(options, &sides);
  return run_workload(options, argc, argv, [&] {
    const Box box = input.box();
    const std::vector<float> start = input.load();
    const auto steps = static_cast<unsigned>(iterations);
    std::printf("lps: %u x %u x %u points, %u iterations, tiles of %s\n", box.x, box.y, box.z,
                steps, tile.c_str());
    const auto found = sides == "kept" ? solve<Sides::kept>(start, box, steps, tile)
                                       : solve<Sides::compiled>(start, box, steps, tile);
    const auto expected = iterate_seven_points(
        start, box, steps, [](float neighbours, float) { return mean_of(neighbours); });
    return check_equal("lps", expected, found);
  });
}
