// k-means: assignment by the nearest centre, sums by atomics in shared and then global memory,
// until nothing changes. Small integer coordinates make every sum exact.
#include "check.h"

constexpr int kPoints = 1500, kCentres = 5, kDimensions = 4;

__global__ void assign(const float* points, const float* centres, int* owner, float* sums,
                       int* counts, int* changed) {
  __shared__ float own_sums[kCentres * kDimensions];
  __shared__ int own_counts[kCentres];
  for (int i = threadIdx.x; i < kCentres * kDimensions; i += blockDim.x) own_sums[i] = 0;
  if (threadIdx.x < kCentres) own_counts[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kPoints) {
    int best = 0;
    float nearest = INFINITY;
    for (int c = 0; c < kCentres; ++c) {
      float distance = 0;
      for (int d = 0; d < kDimensions; ++d) {
        const float difference = points[d * kPoints + i] - centres[c * kDimensions + d];
        distance += difference * difference;
      }
      if (distance < nearest) {
        nearest = distance;
        best = c;
      }
    }
    if (owner[i] != best) atomicExch(changed, 1);
    owner[i] = best;
    atomicAdd(&own_counts[best], 1);
    for (int d = 0; d < kDimensions; ++d) {
      atomicAdd(&own_sums[best * kDimensions + d], points[d * kPoints + i]);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < kCentres * kDimensions; k += blockDim.x) {
    atomicAdd(&sums[k], own_sums[k]);
  }
  if (threadIdx.x < kCentres) atomicAdd(&counts[threadIdx.x], own_counts[threadIdx.x]);
}

__global__ void move(float* centres, const float* sums, const int* counts) {
  const int c = threadIdx.x;
  for (int d = 0; d < kDimensions && counts[c] > 0; ++d) {
    // To a grid, so that device and host stay equal.
    centres[c * kDimensions + d] = rintf(sums[c * kDimensions + d] / counts[c]);
  }
}

int main() {
  std::vector<float> points(kPoints * kDimensions), centres(kCentres * kDimensions);
  for (int i = 0; i < kPoints; ++i) {
    for (int d = 0; d < kDimensions; ++d) {
      points[d * kPoints + i] = static_cast<float>((i * (17 + d) + i / 7 * 13) % 200);
    }
  }
  for (int c = 0; c < kCentres; ++c) {
    for (int d = 0; d < kDimensions; ++d)
      centres[c * kDimensions + d] = points[d * kPoints + c * 97];
  }
  float *points_d = to_device(points), *centres_d = to_device(centres);
  float* sums = device_array<float>(centres.size());
  int *counts = device_array<int>(kCentres), *changed = device_array<int>(1);
  int* owner = to_device(std::vector<int>(kPoints, -1));
  std::vector<int> owner_h(kPoints, -1);
  for (int round = 0; round < 12; ++round) {
    CHECK(cudaMemset(sums, 0, centres.size() * sizeof(float)));
    CHECK(cudaMemset(counts, 0, kCentres * sizeof(int)));
    CHECK(cudaMemset(changed, 0, sizeof(int)));
    assign<<<(kPoints + 127) / 128, 128>>>(points_d, centres_d, owner, sums, counts, changed);
    move<<<1, kCentres>>>(centres_d, sums, counts);
    std::vector<float> sum(centres.size(), 0);
    std::vector<int> count(kCentres, 0);
    bool moved = false;
    for (int i = 0; i < kPoints; ++i) {
      int best = 0;
      float nearest = INFINITY;
      for (int c = 0; c < kCentres; ++c) {
        float distance = 0;
        for (int d = 0; d < kDimensions; ++d) {
          const float difference = points[d * kPoints + i] - centres[c * kDimensions + d];
          distance += difference * difference;
        }
        if (distance < nearest) {
          nearest = distance;
          best = c;
        }
      }
      moved |= owner_h[i] != best;
      owner_h[i] = best;
      ++count[best];
      for (int d = 0; d < kDimensions; ++d) sum[best * kDimensions + d] += points[d * kPoints + i];
    }
    for (int k = 0; k < kCentres * kDimensions; ++k) {
      const int members = count[k / kDimensions];
      if (members > 0) centres[k] = std::rint(sum[k] / static_cast<float>(members));
    }
    EXPECT(to_host(owner, kPoints) == owner_h);
    EXPECT(to_host(changed, 1)[0] == (moved ? 1 : 0));
    if (!moved) break;
  }
  EXPECT(to_host(centres_d, centres.size()) == centres);
  return finish();
}
