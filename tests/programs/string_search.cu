// All places of a pattern in a text: one thread a place, with early exits.
#include <algorithm>
#include <string>

#include "check.h"

__global__ void search(const char* text, int length, const char* pattern, int pattern_length,
                       int* places, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + pattern_length > length) return;
  for (int k = 0; k < pattern_length; ++k) {
    if (text[i + k] != pattern[k]) return;
  }
  places[atomicAdd(count, 1)] = i;
}

int main() {
  std::string text;
  for (int i = 0; i < 500; ++i) text += i % 7 == 0 ? "abracadabra" : i % 3 == 0 ? "abra" : "cad ";
  const std::string pattern = "abracad";
  int* const places = device_array<int>(text.size());
  int* const count = to_device<int>({0});
  search<<<(text.size() + 127) / 128, 128>>>(
      to_device(std::vector<char>(text.begin(), text.end())), static_cast<int>(text.size()),
      to_device(std::vector<char>(pattern.begin(), pattern.end())),
      static_cast<int>(pattern.size()), places, count);
  std::vector<int> expected;
  for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) {
    expected.push_back(static_cast<int>(at));
  }
  const int found_count = to_host(count, 1)[0];
  EXPECT_EQ(found_count, expected.size());
  auto found = to_host(places, found_count);
  std::sort(found.begin(), found.end());
  for (int i = 0; i < found_count; ++i) EXPECT_EQ_AT(i, found[i], expected[i]);
  return finish();
}
