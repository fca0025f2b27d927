// Sparse matrix times vector in compressed rows: a warp a row, summed by shuffles.
#include "check.h"

__global__ void multiply(const int* offsets, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 32) {
    sum += values[k] * __ldg(&x[columns[k]]);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

int main() {
  const int rows = 300;
  std::vector<int> offsets = {0}, columns;
  std::vector<float> values, x(rows), expected(rows);
  for (int r = 0; r < rows; ++r) {
    x[r] = static_cast<float>(r % 13 - 6);
    for (int k = 0; k < r % 71; ++k) {
      columns.push_back((r * 31 + k * 17) % rows);
      values.push_back(static_cast<float>((k * 5 + r) % 9 - 4));
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  for (int r = 0; r < rows; ++r) {
    for (int k = offsets[r]; k < offsets[r + 1]; ++k) expected[r] += values[k] * x[columns[k]];
  }
  float* const y = device_array<float>(rows);
  multiply<<<(rows * 32 + 127) / 128, 128>>>(to_device(offsets), to_device(columns),
                                             to_device(values), to_device(x), y, rows);
  const auto found = to_host(y, rows);
  for (int r = 0; r < rows; ++r) EXPECT_EQ_AT(r, found[r], expected[r]);  // small whole numbers
  return finish();
}
