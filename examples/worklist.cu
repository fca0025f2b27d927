// The shortest way through a town of one-way streets. A worklist holds the crossings that were
// reached. See docs/worklists.md.
//
//   ./raddle cc examples/worklist.cu -o /tmp/worklist
//   ./raddle run /tmp/worklist
#include <raddle/worklist.cuh>

#include <cstdio>

using List = raddle::Worklist;

constexpr unsigned kSide = 300;  // crossings a side; streets lead down and to the right

/// Computes each crossing's distance from the upper left corner. One of three streets to the right
/// is closed.
__global__ void walk(List::Device list, unsigned* distances) {
  list.for_each([&](std::uint32_t crossing, auto& out) {
    const unsigned distance = distances[crossing] + 1;
    const auto reach = [&](unsigned other) {
      if (atomicMin(&distances[other], distance) > distance) out.push(other);
    };
    const unsigned row = crossing / kSide, column = crossing % kSide;
    if (row + 1 < kSide) reach(crossing + kSide);
    if (column + 1 < kSide && (row + column) % 3 != 0) reach(crossing + 1);
  });
}

int main() try {
  const unsigned count = kSide * kSide;
  unsigned* distances = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&distances), count * sizeof(unsigned));
  cudaMemset(distances, 0xff, count * sizeof(unsigned));
  cudaMemset(distances, 0, sizeof(unsigned));

  List list(count);
  list.push({0});
  unsigned steps = 0;
  for (; list.advance() != 0; ++steps) list.launch(walk, 256, distances);

  unsigned last = 0;
  cudaMemcpy(&last, distances + count - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("the lower right corner is %u streets away; %u steps\n", last, steps);
  // Every way leads from the upper left to the lower right corner, so all have the same length.
  return last == 2 * (kSide - 1) ? 0 : 1;
} catch (const raddle::worklist::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
