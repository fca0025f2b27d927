// LU decomposition without pivoting, a launch a column; L * U must give the matrix back.
#include <algorithm>

#include "check.h"

__global__ void divide_column(double* a, int n, int k) {
  const int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) a[row * n + k] /= a[k * n + k];
}
__global__ void update(double* a, int n, int k) {
  const int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

int main() {
  const int n = 40;
  std::vector<double> matrix(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) matrix[i * n + j] = i == j ? 2.0 * n : 1.0 / (1 + i + 2 * j);
  }
  double* const device = to_device(matrix);
  for (int k = 0; k + 1 < n; ++k) {
    divide_column<<<1, 64>>>(device, n, k);
    update<<<dim3(3, 5), dim3(16, 8)>>>(device, n, k);
  }
  const auto lu = to_host(device, n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k <= std::min(i, j); ++k) {
        sum += (k == i ? 1.0 : lu[i * n + k]) * lu[k * n + j];
      }
      // At most n steps, each rounding values no larger than the diagonal's 2n.
      EXPECT_CLOSE(sum, matrix[i * n + j], n * 2.0 * n * 0x1p-52);
    }
  }
  return finish();
}
