// Eigenvalues of a symmetric tridiagonal matrix by bisection in double precision: an interval a
// thread, counts of sign changes. Those of a discrete Laplacian are known in closed form.
#include "check.h"

constexpr int kSize = 96;

__device__ int below(const double* diagonal, const double* beside, double x) {
  int count = 0;
  double pivot = 1;
  for (int i = 0; i < kSize; ++i) {
    const double square = i == 0 ? 0 : beside[i - 1] * beside[i - 1];
    pivot = diagonal[i] - x - square / (pivot == 0 ? 1e-300 : pivot);
    count += pivot < 0;
  }
  return count;
}

__global__ void bisect(const double* diagonal, const double* beside, double low, double high,
                       double* found) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= kSize) return;
  while (high - low > 1e-13 * fmax(fabs(low), fabs(high)) + 1e-15) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (below(diagonal, beside, middle) > k) {
      high = middle;
    } else {
      low = middle;
    }
  }
  found[k] = 0.5 * (low + high);
}

int main() {
  double* found = device_array<double>(kSize);
  bisect<<<3, 32>>>(to_device(std::vector<double>(kSize, 2.0)),
                    to_device(std::vector<double>(kSize - 1, -1.0)), -0.5, 4.5, found);
  const std::vector<double> values = to_host(found, kSize);
  for (int k = 0; k < kSize; ++k) {
    const double sine = std::sin((k + 1) * 3.14159265358979323846 / (2 * (kSize + 1)));
    EXPECT_CLOSE(values[k], 4 * sine * sine, 1e-11);
  }
  return finish();
}
