// Gaussian blur of an image by textures and by plain loads. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/image.h"
#include "common/options.h"
#include "convolution/kernels.cuh"
#include "convolution/reference.h"

using namespace raddle::workloads;

namespace {

// Returns the top left `size` x `size` grey pixels of the image. A smaller image is repeated.
std::vector<std::uint8_t> corner(const Image& image, unsigned size) {
  std::vector<std::uint8_t> pixels(std::size_t{size} * size);
  for (unsigned y = 0; y < size; ++y) {
    for (unsigned x = 0; x < size; ++x) {
      const std::size_t at = std::size_t{y % image.height} * image.width + x % image.width;
      pixels[std::size_t{y} * size + x] = image.pixels[at * image.channels];
    }
  }
  return pixels;
}

// An array with the image, and a texture on it.
class ImageTexture {
 public:
  ImageTexture(const std::vector<std::uint8_t>& pixels, unsigned size, bool linear) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    CHECK_CUDA(cudaMallocArray(&array_, &format, size, size));
    CHECK_CUDA(
        cudaMemcpy2DToArray(array_, 0, 0, pixels.data(), size, size, size, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    settings.readMode = cudaReadModeNormalizedFloat;
    CHECK_CUDA(cudaCreateTextureObject(&texture_, &resource, &settings, nullptr));
  }
  ~ImageTexture() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
  }
  ImageTexture(const ImageTexture&) = delete;
  ImageTexture& operator=(const ImageTexture&) = delete;
  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

std::vector<float> convolve(const std::vector<std::uint8_t>& pixels, unsigned size, int radius,
                            const std::string& variant) {
  DeviceBuffer<float> out(pixels.size());
  const dim3 block(block_width, block_width);
  const dim3 grid(blocks_for(size, block_width), blocks_for(size, block_width));
  const int extent = static_cast<int>(size);
  if (variant == "global") {
    DeviceBuffer<unsigned char> image(pixels);
    convolve_global<<<grid, block>>>(image.data(), out.data(), extent, extent, radius);
    CHECK_CUDA(cudaGetLastError());
    return out.download();
  }
  const bool linear = variant == "linear";
  const ImageTexture image(pixels, size, linear);
  const auto kernel = linear ? convolve_linear : convolve_texture;
  kernel<<<grid, block>>>(image.get(), out.data(), extent, extent, radius);
  CHECK_CUDA(cudaGetLastError());
  return out.download();
}

// A pixel is a sum of products of numbers from 0 to 1, with weights whose sum is 1: (2 r + 1)^2 + 3
// roundings of 2^-24. Each weight of the linear filter is off by at most 2^-9. It applies to pixels
// that differ by at most 1, and half of all weight is on such pairs.
double tolerance(int radius, const std::string& variant) {
  const double taps = (2 * radius + 1) * (2 * radius + 1);
  return (taps + 3) * 0x1p-24 + (variant == "linear" ? 0x1p-9 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "texture";
  std::string input = "images/camera.pgm";
  std::int64_t size = 256, radius = 2;
  Options options("convolution", "Gaussian blur of an image");
  options.add_choice("--variant", &variant, {"texture", "linear", "global"}, "how pixels are read");
  options.add("--size", &size, 1, 8192, "rows and columns");
  options.add("--radius", &radius, 1, max_radius, "of the filter, pixels");
  options.add("--input", &input, "PGM or PPM image");
  return run_workload(options, argc, argv, [&] {
    const auto extent = static_cast<unsigned>(size);
    const auto pixels = corner(read_image(find_input(input)), extent);
    const auto filter = gaussian_weights(static_cast<int>(radius));
    CHECK_CUDA(cudaMemcpyToSymbol(weights, filter.data(), filter.size() * sizeof(float)));
    std::printf("convolution: %u x %u, radius %d, %s\n", extent, extent, static_cast<int>(radius),
                variant.c_str());
    const auto found = convolve(pixels, extent, static_cast<int>(radius), variant);
    const int side = static_cast<int>(extent);
    return check_close("convolution", convolve_reference(pixels, side, side, filter), found,
                       tolerance(static_cast<int>(radius), variant));
  });
}
