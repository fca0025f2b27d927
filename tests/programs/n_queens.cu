// Counts the solutions of the queens problem: bit masks, a stack in local memory, lanes of a warp
// at very different depths. An atomic counter distributes partial boards.
#include "check.h"

struct Board {
  unsigned columns, left, right;
};

__global__ void count(const Board* boards, int total, int size, int* next,
                      unsigned long long* solutions) {
  const unsigned full = (1u << size) - 1;
  unsigned long long found = 0;
  while (true) {
    const int mine = atomicAdd(next, 1);
    if (mine >= total) break;
    Board stack[16];
    unsigned open[16];
    int depth = 0;
    stack[0] = boards[mine];
    open[0] = full & ~(stack[0].columns | stack[0].left | stack[0].right);
    while (depth >= 0) {
      if (open[depth] == 0) {
        found += stack[depth].columns == full;
        --depth;
        continue;
      }
      const unsigned place = open[depth] & -open[depth];
      open[depth] ^= place;
      const Board now = stack[depth];
      ++depth;
      stack[depth] = {now.columns | place, (now.left | place) << 1, (now.right | place) >> 1};
      open[depth] = full & ~(stack[depth].columns | stack[depth].left | stack[depth].right);
    }
  }
  atomicAdd(solutions, found);
}

int main() {
  // Solutions for boards of side 4 to 8.
  const unsigned long long expected[] = {2, 10, 4, 40, 92};
  for (int size = 4; size <= 8; ++size) {
    std::vector<Board> boards;
    const unsigned full = (1u << size) - 1;
    for (int a = 0; a < size; ++a) {
      const Board one{1u << a, 2u << a, (1u << a) >> 1};
      for (int b = 0; b < size; ++b) {
        const unsigned place = 1u << b;
        if ((place & (one.columns | one.left | one.right) & full) != 0) continue;
        boards.push_back({one.columns | place, (one.left | place) << 1, (one.right | place) >> 1});
      }
    }
    int* next = to_device(std::vector<int>{0});
    auto* solutions = to_device(std::vector<unsigned long long>{0});
    count<<<2, 64>>>(to_device(boards), static_cast<int>(boards.size()), size, next, solutions);
    EXPECT_EQ(to_host(solutions, 1)[0], expected[size - 4]);
  }
  return finish();
}
