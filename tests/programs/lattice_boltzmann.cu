// A lattice-Boltzmann step (D2Q9, double precision, periodic): mass and momentum are conserved, and
// the distributions equal the host's.
#include "check.h"

constexpr int kWidth = 24, kHeight = 16, kCells = kWidth * kHeight;
__constant__ int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double weight[9] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                 1. / 36, 1. / 36, 1. / 36, 1. / 36};

__host__ __device__ inline void collide(double f[9], const int* x, const int* y, const double* w,
                                        double omega) {
  double rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < 9; ++q) {
    rho += f[q];
    ux += f[q] * x[q];
    uy += f[q] * y[q];
  }
  ux /= rho;
  uy /= rho;
  const double square = 1.5 * (ux * ux + uy * uy);
  for (int q = 0; q < 9; ++q) {
    const double along = 3 * (x[q] * ux + y[q] * uy);
    f[q] += omega * (w[q] * rho * (1 + along + 0.5 * along * along - square) - f[q]);
  }
}

__global__ void step(const double* from, double* to, double omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kWidth || y >= kHeight) return;
  double f[9];
#pragma unroll
  for (int q = 0; q < 9; ++q) f[q] = from[q * kCells + y * kWidth + x];
  collide(f, dx, dy, weight, omega);
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    const int tx = (x + dx[q] + kWidth) % kWidth, ty = (y + dy[q] + kHeight) % kHeight;
    to[q * kCells + ty * kWidth + tx] = f[q];
  }
}

int main() {
  const int hx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, hy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const double hw[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
  std::vector<double> now(9 * kCells), next(9 * kCells);
  for (int q = 0; q < 9; ++q) {
    for (int i = 0; i < kCells; ++i) now[q * kCells + i] = hw[q] * (1 + 0.01 * ((i * 31) % 17));
  }
  double *a = to_device(now), *b = device_array<double>(now.size());
  for (int round = 0; round < 6; ++round) {
    step<<<dim3(3, 4), dim3(8, 4)>>>(a, b, 1.2);
    std::swap(a, b);
    for (int i = 0; i < kCells; ++i) {
      double f[9];
      for (int q = 0; q < 9; ++q) f[q] = now[q * kCells + i];
      collide(f, hx, hy, hw, 1.2);
      for (int q = 0; q < 9; ++q) {
        const int x = (i % kWidth + hx[q] + kWidth) % kWidth;
        const int y = (i / kWidth + hy[q] + kHeight) % kHeight;
        next[q * kCells + y * kWidth + x] = f[q];
      }
    }
    std::swap(now, next);
  }
  const std::vector<double> found = to_host(a, now.size());
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_CLOSE(found[i], now[i], 1e-13);
  return finish();
}
