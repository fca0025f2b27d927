// Speckle-reducing anisotropic diffusion: the kernel of the diffusion coefficients (Yu & Acton,
// IEEE Transactions on Image Processing 11, 2002). As in srad_v1 of Rodinia 3.1, it has a thread a
// pixel, columns one after the other, arrays of indices of neighbours, and double constants.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

/// Rows and columns of the neighbours, clamped at the borders.
struct Neighbours {
  const int *north, *south, *east, *west;
};
struct Derivatives {
  float *north, *south, *west, *east, *coefficient;
};

constexpr int kSradThreads = 512;

extern "C" __global__ void diffusion_coefficients(int rows, long pixels, Neighbours at,
                                                  Derivatives out, float speckle,
                                                  const float* image) {
  const int pixel = blockIdx.x * kSradThreads + threadIdx.x;
  int row = (pixel + 1) % rows - 1;
  int column = (pixel + 1) / rows;
  if ((pixel + 1) % rows == 0) {
    row = rows - 1;
    column = column - 1;
  }
  if (pixel >= pixels) return;
  const float here = image[pixel];
  const float north = image[at.north[row] + rows * column] - here;
  const float south = image[at.south[row] + rows * column] - here;
  const float west = image[row + rows * at.west[column]] - here;
  const float east = image[row + rows * at.east[column]] - here;
  const float gradient =
      (north * north + south * south + west * west + east * east) / (here * here);
  const float laplacian = (north + south + west + east) / here;
  const float numerator = (0.5 * gradient) - ((1.0 / 16.0) * (laplacian * laplacian));
  float denominator = 1 + (0.25 * laplacian);
  const float variation = numerator / (denominator * denominator);
  denominator = (variation - speckle) / (speckle * (1 + speckle));
  float coefficient = 1.0 / (1.0 + denominator);
  if (coefficient < 0) {
    coefficient = 0;
  } else if (coefficient > 1) {
    coefficient = 1;
  }
  out.north[pixel] = north;
  out.south[pixel] = south;
  out.west[pixel] = west;
  out.east[pixel] = east;
  out.coefficient[pixel] = coefficient;
}

/// The coefficient of a pixel, in double precision.
inline double srad_coefficient(double here, const double (&slopes)[4], double speckle) {
  double squares = 0, sum = 0;
  for (const double slope : slopes) {
    squares += slope * slope;
    sum += slope;
  }
  const double gradient = squares / (here * here), laplacian = sum / here;
  const double under = 1 + 0.25 * laplacian;
  const double variation = (0.5 * gradient - laplacian * laplacian / 16) / (under * under);
  return std::clamp(1 / (1 + (variation - speckle) / (speckle * (1 + speckle))), 0.0, 1.0);
}

/// The image's pixels are between 1 and e, as exponentials of grey values are.
inline bool run_srad(Bench& bench) {
  constexpr int kRows = 502, kColumns = 458, kPixels = kRows * kColumns;
  constexpr float kSpeckle = 0.053f;
  const std::vector<float> image = numbers(kPixels, 1, 2.718f);
  std::vector<int> north(kRows), south(kRows), west(kColumns), east(kColumns);
  for (int i = 0; i < kRows; ++i)
    north[i] = std::max(i - 1, 0), south[i] = std::min(i + 1, kRows - 1);
  for (int j = 0; j < kColumns; ++j) {
    west[j] = std::max(j - 1, 0), east[j] = std::min(j + 1, kColumns - 1);
  }
  DeviceBuffer<float> pixels(image), n(kPixels), s(kPixels), w(kPixels), e(kPixels), c(kPixels);
  DeviceBuffer<int> to_north(north), to_south(south), to_west(west), to_east(east);
  bench.launch("diffusion_coefficients", diffusion_coefficients,
               (kPixels + kSradThreads - 1) / kSradThreads, kSradThreads, 0, kRows, kPixels,
               Neighbours{to_north.data(), to_south.data(), to_east.data(), to_west.data()},
               Derivatives{n.data(), s.data(), w.data(), e.data(), c.data()}, kSpeckle,
               pixels.data());
  std::vector<float> expected(kPixels), souths(kPixels);
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    const int row = pixel % kRows, column = pixel / kRows;
    const double here = image[pixel];
    const auto slope = [&](int r, int q) { return double{image[r + kRows * q]} - here; };
    const double slopes[4] = {slope(north[row], column), slope(south[row], column),
                              slope(row, west[column]), slope(row, east[column])};
    expected[pixel] = static_cast<float>(srad_coefficient(here, slopes, kSpeckle));
    souths[pixel] = static_cast<float>(slopes[1]);
  }
  return check_near("srad coefficients", expected, c.download(), 1e-4) &&
         check_near("srad", souths, s.download(), 1e-6);
}

}  // namespace raddle::workloads::kernels
