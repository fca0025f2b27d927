// Conway's game of life on a torus. A glider must be at the right place, after four steps a cell.
#include <utility>

#include "check.h"

constexpr int size = 40;

__global__ void step(const unsigned char* in, unsigned char* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) {
        neighbours += in[(y + dy + size) % size * size + (x + dx + size) % size];
      }
    }
  }
  switch (neighbours) {
    case 3:
      out[y * size + x] = 1;
      break;
    case 2:
      out[y * size + x] = in[y * size + x];
      break;
    default:
      out[y * size + x] = 0;
  }
}

int main() {
  const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  std::vector<unsigned char> cells(size * size, 0), expected(size * size, 0);
  const int moved = 45;  // around the torus
  for (const auto& cell : glider) {
    cells[cell[1] * size + cell[0]] = 1;
    expected[(cell[1] + moved) % size * size + (cell[0] + moved) % size] = 1;
  }
  unsigned char* a = to_device(cells);
  unsigned char* b = device_array<unsigned char>(cells.size());
  for (int i = 0; i < 4 * moved; ++i) {
    step<<<dim3(5, 5), dim3(8, 8)>>>(a, b);
    std::swap(a, b);
  }
  const auto found = to_host(a, cells.size());
  for (int i = 0; i < size * size; ++i) EXPECT_EQ_AT(i, found[i], expected[i]);
  return finish();
}
