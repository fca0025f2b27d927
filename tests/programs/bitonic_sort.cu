// Bitonic sort of keys with values, a launch a step.
#include <algorithm>

#include "check.h"

__global__ void step(int* keys, int* values, int stride, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ stride;
  if (partner < i) return;
  const bool ascending = (i & length) == 0;
  if ((keys[i] > keys[partner]) != ascending) return;
  const int key = keys[i], value = values[i];
  keys[i] = keys[partner];
  values[i] = values[partner];
  keys[partner] = key;
  values[partner] = value;
}

int main() {
  const int count = 1024;
  std::vector<int> keys(count), values(count);
  for (int i = 0; i < count; ++i) {
    keys[i] = (i * 7919) % 4001 - 2000;
    values[i] = keys[i] * 2 + 1;
  }
  int* const device_keys = to_device(keys);
  int* const device_values = to_device(values);
  for (int length = 2; length <= count; length *= 2) {
    for (int stride = length / 2; stride > 0; stride /= 2) {
      step<<<count / 256, 256>>>(device_keys, device_values, stride, length);
    }
  }
  std::sort(keys.begin(), keys.end());
  const auto found = to_host(device_keys, count), carried = to_host(device_values, count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ_AT(i, found[i], keys[i]);
    EXPECT_EQ_AT(i, carried[i], keys[i] * 2 + 1);
  }
  return finish();
}
