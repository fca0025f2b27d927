// Edit distance by anti-diagonals in one block: a barrier a diagonal.
#include <algorithm>
#include <string>

#include "check.h"

constexpr int longest = 200;

__global__ void distance(const char* a, int a_length, const char* b, int b_length, int* out) {
  __shared__ int diagonals[3][longest + 1];
  const int i = threadIdx.x;
  for (int d = 0; d <= a_length + b_length; ++d) {
    const int j = d - i;
    if (i <= a_length && j >= 0 && j <= b_length) {
      const int* const last = diagonals[(d + 2) % 3];
      const int* const before = diagonals[(d + 1) % 3];
      int best = i == 0 ? j : i;
      if (i > 0 && j > 0) {
        best = min(min(last[i - 1], last[i]) + 1, before[i - 1] + (a[i - 1] != b[j - 1]));
      }
      diagonals[d % 3][i] = best;
      if (i == a_length && j == b_length) *out = best;
    }
    __syncthreads();
  }
}
int reference(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> table(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = static_cast<int>(i + j);
      } else {
        table[i][j] = std::min(std::min(table[i - 1][j], table[i][j - 1]) + 1,
                               table[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      }
    }
  }
  return table[a.size()][b.size()];
}

int main() {
  std::string long_a, long_b;
  for (int i = 0; i < longest; ++i) {
    long_a += static_cast<char>('a' + i * i % 11);
    long_b += static_cast<char>('a' + i * i * 3 % 13);
  }
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"kitten", "sitting"}, {"", "abc"}, {"flaw", "lawn"}, {long_a, long_b}};
  int* const out = device_array<int>(1);
  for (const auto& [a, b] : pairs) {
    distance<<<1, longest + 1>>>(
        to_device(std::vector<char>(a.begin(), a.end())), static_cast<int>(a.size()),
        to_device(std::vector<char>(b.begin(), b.end())), static_cast<int>(b.size()), out);
    EXPECT_EQ(to_host(out, 1)[0], reference(a, b));
  }
  EXPECT_EQ(reference("kitten", "sitting"), 3);
  return finish();
}
