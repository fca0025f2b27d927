// A program repeatedly allocates almost all of the device's memory, and asks how much is left:
// freed memory is available again.
#include "check.h"

__global__ void fill(char* values, size_t last) { values[0] = values[last] = 1; }

int main() {
  size_t free_at_first = 0, total = 0;
  CHECK(cudaMemGetInfo(&free_at_first, &total));
  EXPECT(free_at_first <= total);
  for (int round = 0; round < 30; ++round) {
    const size_t bytes = free_at_first / 100 * (95 - round % 3) + round * 1000;
    void* values = nullptr;
    CHECK(cudaMalloc(&values, bytes));
    fill<<<1, 1>>>(static_cast<char*>(values), bytes - 1);
    void* more = nullptr;
    EXPECT(cudaMalloc(&more, free_at_first / 10) == cudaErrorMemoryAllocation);
    cudaGetLastError();
    size_t left = 0;
    CHECK(cudaMemGetInfo(&left, &total));
    EXPECT(left <= free_at_first - bytes);
    CHECK(cudaFree(values));
    CHECK(cudaMemGetInfo(&left, &total));
    EXPECT_EQ(left, free_at_first);
  }
  // Many small ones too: guards are given up before memory is short. Hardware hands out whole pages
  // of 2 MiB.
  std::vector<void*> pieces;
  const size_t piece = free_at_first / 1000 >> 21 << 21;
  for (int n = 0; n < 990; ++n) {
    void* one = nullptr;
    CHECK(cudaMalloc(&one, piece));
    pieces.push_back(one);
  }
  for (void* one : pieces) CHECK(cudaFree(one));
  return finish();
}
