// Merge sort by merge paths: each thread finds its part of both inputs by bisection along a
// diagonal. Keys have 64 bits; values move with their keys.
#include <algorithm>
#include <cstdint>

#include "check.h"

__global__ void merge(const std::int64_t* keys, const short* values, std::int64_t* keys_out,
                      short* values_out, int n, int run) {
  constexpr int kPart = 4;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kPart;
  if (begin >= n) return;
  const int pair = begin / (2 * run) * 2 * run, diagonal = begin - pair;
  const int a = pair, a_count = min(run, n - a), b = pair + a_count,
            b_count = max(0, min(run, n - b));
  int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (keys[a + middle] <= keys[b + diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int i = low, j = diagonal - low;
  for (int k = begin; k < begin + kPart && k < pair + a_count + b_count; ++k) {
    const bool left = j >= b_count || (i < a_count && keys[a + i] <= keys[b + j]);
    const int from = left ? a + i++ : b + j++;
    keys_out[k] = keys[from];
    values_out[k] = values[from];
  }
}

int main() {
  const int n = 3001;
  std::vector<std::int64_t> keys(n);
  std::vector<short> values(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = static_cast<std::int64_t>((i * 0x9e3779b97f4a7c15ull) >> 40) * (i % 3 == 0 ? -1 : 1);
    values[i] = static_cast<short>(i);
  }
  std::int64_t *a = to_device(keys), *b = device_array<std::int64_t>(n);
  short *va = to_device(values), *vb = device_array<short>(n);
  // Runs of one, in threads of four: the first merges are those of single keys.
  for (int run = 1; run < n; run *= 2) {
    if (run < 4) {  // a thread's part must not cross a pair of runs
      std::vector<int> order(4);
      for (int at = 0; at < n; at += 4) {
        order.clear();
        for (int i = at; i < std::min(at + 4, n); ++i) order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](int x, int y) { return keys[x] < keys[y]; });
        const std::vector<std::int64_t> k(keys.begin() + at, keys.begin() + at + order.size());
        const std::vector<short> v(values.begin() + at, values.begin() + at + order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
          keys[at + i] = k[order[i] - at];
          values[at + i] = v[order[i] - at];
        }
      }
      a = to_device(keys);
      va = to_device(values);
      run = 2;
      continue;
    }
    merge<<<(n / 4 + 64) / 64, 64>>>(a, va, b, vb, n, run);
    std::swap(a, b);
    std::swap(va, vb);
  }
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return keys[x] < keys[y]; });
  const std::vector<std::int64_t> sorted = to_host(a, n);
  const std::vector<short> followed = to_host(va, n);
  for (int i = 0; i < n; ++i) {
    EXPECT(sorted[i] == keys[order[i]]);
    EXPECT_EQ_AT(i, followed[i], values[order[i]]);
  }
  return finish();
}
