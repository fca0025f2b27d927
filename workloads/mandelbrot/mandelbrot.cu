// The Mandelbrot set: a loop whose length differs from lane to lane. See README.md.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/image.h"
#include "common/options.h"
#include "mandelbrot/kernels.cuh"
#include "mandelbrot/reference.h"

using namespace raddle::workloads;

namespace {

// A view of the plane that fits the image's width, centred on a point.
View view_of(const std::string& name, unsigned width, unsigned height) {
  struct Place {
    const char* name;
    double real, imaginary, width;
  };
  constexpr Place places[] = {{"whole", -0.5, 0.0, 3.5},
                              {"seahorse", -0.745, 0.113, 0.02},
                              {"elephant", 0.275, 0.006, 0.03}};
  const Place* place = places;
  while (name != place->name) ++place;
  const double step = place->width / width;
  return {static_cast<float>(place->real - step * width / 2),
          static_cast<float>(place->imaginary + step * height / 2), static_cast<float>(step)};
}

std::vector<unsigned> compute(View view, unsigned width, unsigned height, unsigned limit) {
  DeviceBuffer<unsigned> iterations(std::size_t{width} * height);
  const dim3 block(16, 8);
  const dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
  mandelbrot<<<grid, block>>>(view, width, height, limit, iterations.data());
  CHECK_CUDA(cudaGetLastError());
  return iterations.download();
}

std::vector<unsigned> compute_reference(View view, unsigned width, unsigned height,
                                        unsigned limit) {
  std::vector<unsigned> iterations;
  iterations.reserve(std::size_t{width} * height);
  for (unsigned y = 0; y < height; ++y) {
    for (unsigned x = 0; x < width; ++x) {
      const float real = std::fma(static_cast<float>(x), view.step, view.left);
      const float imaginary = std::fma(static_cast<float>(y), -view.step, view.top);
      iterations.push_back(escape_time_reference(real, imaginary, limit));
    }
  }
  return iterations;
}

// Points of the set are black; outside, colours run through a smooth cycle with the escape time.
Image colour(const std::vector<unsigned>& iterations, unsigned width, unsigned height,
             unsigned limit) {
  Image image{width, height, 3, {}};
  image.pixels.reserve(iterations.size() * 3);
  for (unsigned count : iterations) {
    for (int channel = 0; channel < 3; ++channel) {
      const double wave = std::cos(0.12 * count + 2.1 * channel);
      image.pixels.push_back(count == limit ? 0 : static_cast<std::uint8_t>(127.5 - 127.5 * wave));
    }
  }
  return image;
}

}  // namespace

int main(int argc, char** argv) {
  std::string view_name = "whole";
  std::string output;
  std::int64_t width = 256;
  std::int64_t height = 192;
  std::int64_t limit = 256;
  Options options("mandelbrot", "escape times of the Mandelbrot set");
  options.add_choice("--variant", &view_name, {"whole", "seahorse", "elephant"}, "part of the set");
  options.add("--width", &width, 1, 16384, "pixels");
  options.add("--height", &height, 1, 16384, "pixels");
  options.add("--limit", &limit, 1, 1 << 20, "most iterations for a pixel");
  options.add("--output", &output, "write the picture to this PPM file");
  return run_workload(options, argc, argv, [&] {
    const auto w = static_cast<unsigned>(width);
    const auto h = static_cast<unsigned>(height);
    const auto most = static_cast<unsigned>(limit);
    const View view = view_of(view_name, w, h);
    std::printf("mandelbrot: %u x %u pixels, %s, at most %u iterations\n", w, h, view_name.c_str(),
                most);
    const std::vector<unsigned> iterations = compute(view, w, h, most);
    if (!output.empty()) write_image(output, colour(iterations, w, h, most));
    return check_equal("mandelbrot", compute_reference(view, w, h, most), iterations);
  });
}
