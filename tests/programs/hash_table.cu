// An open-addressing hash table filled by compare-and-swap, then counted and looked up.
#include "check.h"

constexpr unsigned capacity = 4096, empty = 0xffffffff;

__device__ unsigned slot_of(unsigned key) { return key * 2654435761u >> 20; }
__global__ void insert(const unsigned* keys, int count, unsigned* table, unsigned* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (unsigned slot = slot_of(keys[i]);; slot = (slot + 1) % capacity) {
    const unsigned found = atomicCAS(&table[slot], empty, keys[i]);
    if (found == empty || found == keys[i]) {
      atomicAdd(&counts[slot], 1u);
      return;
    }
  }
}
__global__ void find(const unsigned* keys, int count, const unsigned* table, const unsigned* counts,
                     unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned slot = slot_of(keys[i]);
  while (table[slot] != keys[i] && table[slot] != empty) slot = (slot + 1) % capacity;
  out[i] = table[slot] == empty ? 0 : counts[slot];
}

int main() {
  const int count = 5000, distinct = 1700;
  std::vector<unsigned> keys(count), asked(2 * distinct);
  for (int i = 0; i < count; ++i) keys[i] = i % distinct * 977u;
  for (int i = 0; i < 2 * distinct; ++i) asked[i] = i * 977u;
  unsigned* const table = device_array<unsigned>(capacity);
  unsigned* const counts = device_array<unsigned>(capacity);
  unsigned* const out = device_array<unsigned>(asked.size());
  CHECK(cudaMemset(table, 0xff, capacity * sizeof(unsigned)));
  CHECK(cudaMemset(counts, 0, capacity * sizeof(unsigned)));
  insert<<<(count + 127) / 128, 128>>>(to_device(keys), count, table, counts);
  find<<<(2 * distinct + 127) / 128, 128>>>(to_device(asked), 2 * distinct, table, counts, out);
  const auto found = to_host(out, asked.size());
  for (int i = 0; i < 2 * distinct; ++i) {
    const unsigned expected = i >= distinct ? 0 : count / distinct + (i < count % distinct);
    EXPECT_EQ_AT(i, found[i], expected);
  }
  return finish();
}
