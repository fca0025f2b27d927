// Histogram of byte values, by atomics in global or in shared memory. See README.md.
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
#include "common/text_scanner.h"
#include "histogram/kernels.cuh"
#include "histogram/reference.h"

using namespace raddle::workloads;

namespace {

std::vector<unsigned char> load_bytes(const std::string& input, std::int64_t size,
                                      std::int64_t seed) {
  if (size > 0) {
    std::vector<unsigned char> bytes(size);
    Random random(seed);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.next());
    return bytes;
  }
  const std::string content = read_file(input);
  if (content.compare(0, 2, "P5") == 0 || content.compare(0, 2, "P6") == 0) {
    return parse_image(input, content).pixels;
  }
  return {content.begin(), content.end()};
}

std::vector<unsigned> count_bytes(const std::vector<unsigned char>& bytes, unsigned most_blocks,
                                  bool shared) {
  constexpr unsigned block_size = 256;
  const auto size = static_cast<unsigned>(bytes.size());
  const unsigned blocks = std::min(blocks_for(size, block_size), most_blocks);
  DeviceBuffer<unsigned char> device_bytes(bytes);
  DeviceBuffer<unsigned> counts(num_bins);
  counts.fill_bytes(0);
  const auto kernel = shared ? histogram_shared : histogram_global;
  kernel<<<blocks, block_size>>>(device_bytes.data(), size, counts.data());
  CHECK_CUDA(cudaGetLastError());
  return counts.download();
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "shared";
  std::string input = "images/camera.pgm";
  std::int64_t size = 0;
  std::int64_t blocks = 104;
  std::int64_t seed = 1;
  Options options("histogram", "counts how often each byte value occurs");
  options.add_choice("--variant", &variant, {"shared", "global"}, "where the atomics go first");
  options.add("--input", &input, "the pixels of a PGM or PPM image, or any other file's bytes");
  options.add("--size", &size, 0, 1 << 28, "count N random bytes instead; 0: the input");
  options.add("--blocks", &blocks, 1, 65535, "at most N blocks");
  options.add("--seed", &seed, 0, INT64_MAX, "of the random bytes");
  return run_workload(options, argc, argv, [&] {
    const std::vector<unsigned char> bytes = load_bytes(find_input(input), size, seed);
    std::printf("histogram: %zu bytes, %s atomics\n", bytes.size(), variant.c_str());
    const auto counts = count_bytes(bytes, static_cast<unsigned>(blocks), variant == "shared");
    return check_equal("histogram", histogram_reference(bytes), counts);
  });
}
