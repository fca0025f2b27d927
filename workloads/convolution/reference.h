#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace raddle::workloads {

/// Gaussian weights of 2 radius + 1 pixels. Sigma is half the radius; the weights' sum is 1.
inline std::vector<float> gaussian_weights(int radius) {
  const double sigma = std::max(radius / 2.0, 0.5);
  std::vector<double> exact;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    exact.push_back(std::exp(-i * i / (2 * sigma * sigma)));
    sum += exact.back();
  }
  std::vector<float> weights;
  for (double one : exact) weights.push_back(static_cast<float>(one / sum));
  return weights;
}

/// Blurs the image in double precision. Pixels range from 0 to 1. The edge's pixels continue beyond
/// the edge.
inline std::vector<float> convolve_reference(const std::vector<std::uint8_t>& pixels, int width,
                                             int height, const std::vector<float>& weights) {
  const int radius = static_cast<int>(weights.size() / 2);
  std::vector<float> out(pixels.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int dy = -radius; dy <= radius; ++dy) {
        const int row = std::clamp(y + dy, 0, height - 1);
        for (int dx = -radius; dx <= radius; ++dx) {
          const int column = std::clamp(x + dx, 0, width - 1);
          sum += static_cast<double>(weights[dy + radius]) * weights[dx + radius] *
                 (pixels[row * width + column] / 255.0);
        }
      }
      out[y * width + x] = static_cast<float>(sum);
    }
  }
  return out;
}

}  // namespace raddle::workloads
