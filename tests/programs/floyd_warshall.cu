// All shortest paths in tiles of shared memory: three kernels a phase, dependent tiles.
#include <algorithm>

#include "check.h"

constexpr int kTile = 16, kTiles = 4, kSize = kTile * kTiles, kFar = 1 << 20;

__device__ void relax(int (*to)[kTile], int (*left)[kTile], int (*up)[kTile]) {
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < kTile; ++k) {
    to[y][x] = min(to[y][x], left[y][k] + up[k][x]);
    __syncthreads();
  }
}

// part 0: the tile on the diagonal; 1: its row and column; 2: all others.
__global__ void phase(int* distance, int at, int part) {
  __shared__ int own[kTile][kTile], left[kTile][kTile], up[kTile][kTile];
  int tx = blockIdx.x, ty = blockIdx.y;
  if (part == 0) tx = ty = at;
  if (part == 1 && blockIdx.y == 0) ty = at;
  if (part == 1 && blockIdx.y == 1) {
    tx = at;
    ty = blockIdx.x;
  }
  if (part == 1 && tx == at && ty == at) return;
  if (part == 2 && (tx == at || ty == at)) return;
  const int x = threadIdx.x, y = threadIdx.y;
  int* mine = &distance[(ty * kTile + y) * kSize + tx * kTile + x];
  own[y][x] = *mine;
  left[y][x] = distance[(ty * kTile + y) * kSize + at * kTile + x];
  up[y][x] = distance[(at * kTile + y) * kSize + tx * kTile + x];
  __syncthreads();
  relax(own, tx == at ? own : left, ty == at ? own : up);
  *mine = own[y][x];
}

int main() {
  std::vector<int> distance(kSize * kSize, kFar);
  for (int i = 0; i < kSize; ++i) {
    distance[i * kSize + i] = 0;
    for (int e = 1; e <= 3; ++e) {
      int& one = distance[i * kSize + (i * 7 + e * e * 11) % kSize];
      one = std::min(one, 1 + (i * 13 + e * 5) % 29);
    }
  }
  int* device = to_device(distance);
  const dim3 block(kTile, kTile);
  for (int at = 0; at < kTiles; ++at) {
    phase<<<1, block>>>(device, at, 0);
    phase<<<dim3(kTiles, 2), block>>>(device, at, 1);
    phase<<<dim3(kTiles, kTiles), block>>>(device, at, 2);
  }
  for (int k = 0; k < kSize; ++k) {
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
        int& one = distance[i * kSize + j];
        one = std::min(one, distance[i * kSize + k] + distance[k * kSize + j]);
      }
    }
  }
  EXPECT(to_host(device, distance.size()) == distance);
  return finish();
}
