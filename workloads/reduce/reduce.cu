// Sum of a vector, by a tree in shared memory or by warp shuffles. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/generators.h"
#include "common/image.h"
#include "common/options.h"
#include "reduce/kernels.cuh"
#include "reduce/reference.h"

using namespace raddle::workloads;

namespace {

std::vector<unsigned> load_values(const std::string& input, std::int64_t size, std::int64_t seed) {
  if (size == 0) {
    const Image image = read_image(input);
    return {image.pixels.begin(), image.pixels.end()};
  }
  std::vector<unsigned> values(size);
  Random random(seed);
  for (unsigned& value : values) value = static_cast<unsigned>(random.next());
  return values;
}

// Two launches of the same kernel: blocks sum their parts, then one block sums these sums. The end
// of a launch is the only barrier of a whole grid that every GPU has.
unsigned reduce(const std::vector<unsigned>& values, unsigned most_blocks, bool shuffle) {
  const auto count = static_cast<unsigned>(values.size());
  const unsigned blocks = std::min(blocks_for(count, reduce_block_size), most_blocks);
  DeviceBuffer<unsigned> device_values(values);
  DeviceBuffer<unsigned> block_sums(blocks);
  DeviceBuffer<unsigned> total(1);
  const auto kernel = shuffle ? reduce_shuffle : reduce_tree;
  kernel<<<blocks, reduce_block_size>>>(device_values.data(), count, block_sums.data());
  kernel<<<1, reduce_block_size>>>(block_sums.data(), blocks, total.data());
  CHECK_CUDA(cudaGetLastError());
  return total.get(0);
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "tree";
  std::string input = "images/camera.pgm";
  std::int64_t size = 0;
  std::int64_t blocks = 104;
  std::int64_t seed = 1;
  Options options("reduce", "sums a vector of 32-bit integers");
  options.add_choice("--variant", &variant, {"tree", "shuffle"}, "kernel");
  options.add("--input", &input, "PGM or PPM image whose pixels are summed");
  options.add("--size", &size, 0, 1 << 28, "sum N random integers instead; 0: the image");
  options.add("--blocks", &blocks, 1, 65535, "at most N blocks in the first launch");
  options.add("--seed", &seed, 0, INT64_MAX, "of the random integers");
  return run_workload(options, argc, argv, [&] {
    const std::vector<unsigned> values = load_values(find_input(input), size, seed);
    const unsigned sum = reduce(values, static_cast<unsigned>(blocks), variant == "shuffle");
    std::printf("reduce: %s over %zu values gives %u\n", variant.c_str(), values.size(), sum);
    return check_equal<unsigned>("reduce", {reduce_reference(values)}, {sum});
  });
}
