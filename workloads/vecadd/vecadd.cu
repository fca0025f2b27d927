// Vector addition: the smallest whole CUDA program. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/generators.h"
#include "common/image.h"
#include "common/options.h"
#include "vecadd/reference.h"

using namespace raddle::workloads;

// A grid-stride loop: correct for any number of blocks and threads.
__global__ void add_vectors(const float* a, const float* b, float* sum, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum[i] = a[i] + b[i];
  }
}

namespace {

struct Input {
  std::vector<float> a, b;
};

// An image and its mirror image: their sum is symmetric.
Input image_and_mirror(const std::string& path) {
  const Image image = read_image(path);
  Input input;
  input.a.assign(image.pixels.begin(), image.pixels.end());
  input.b.assign(image.pixels.rbegin(), image.pixels.rend());
  return input;
}

bool run(const Input& input, unsigned block_size) {
  const auto count = static_cast<unsigned>(input.a.size());
  DeviceBuffer<float> a(input.a);
  DeviceBuffer<float> b(input.b);
  DeviceBuffer<float> sum(count);
  add_vectors<<<blocks_for(count, block_size), block_size>>>(a.data(), b.data(), sum.data(), count);
  CHECK_CUDA(cudaGetLastError());
  return check_equal("vecadd", add_vectors_reference(input.a, input.b), sum.download());
}

}  // namespace

int main(int argc, char** argv) {
  std::string input = "images/camera.pgm";
  std::int64_t size = 0;
  std::int64_t block_size = 256;
  std::int64_t seed = 1;
  Options options("vecadd", "adds two vectors of floats");
  options.add("--input", &input, "PGM or PPM image, added to its mirror image");
  options.add("--size", &size, 0, 1 << 28, "add N random floats instead; 0: the image");
  options.add("--block", &block_size, 1, 1024, "threads in a block");
  options.add("--seed", &seed, 0, INT64_MAX, "of the random floats");
  return run_workload(options, argc, argv, [&] {
    Input vectors;
    if (size == 0) {
      vectors = image_and_mirror(find_input(input));
    } else {
      vectors.a = random_floats(size, -1, 1, seed);
      vectors.b = random_floats(size, -1, 1, seed + 1);
    }
    std::printf("vecadd: %zu elements, blocks of %d\n", vectors.a.size(),
                static_cast<int>(block_size));
    return run(vectors, static_cast<unsigned>(block_size));
  });
}
