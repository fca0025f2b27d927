// Arrays of a thread with indices that are known only at run time: local memory.
#include "check.h"

__host__ __device__ inline unsigned shuffle_and_hash(unsigned seed) {
  unsigned char deck[52];
  for (int i = 0; i < 52; ++i) deck[i] = static_cast<unsigned char>(i);
  unsigned state = seed;
  for (int i = 51; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    const int j = static_cast<int>((state >> 16) % (i + 1));
    const unsigned char card = deck[i];
    deck[i] = deck[j];
    deck[j] = card;
  }
  unsigned hash = 2166136261u;
  for (int i = 0; i < 52; ++i) hash = (hash ^ deck[i]) * 16777619u;
  return hash;
}
__global__ void shuffle_all(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = shuffle_and_hash(i);
}

int main() {
  unsigned* const out = device_array<unsigned>(256);
  shuffle_all<<<2, 128>>>(out);
  const auto found = to_host(out, 256);
  for (unsigned i = 0; i < 256; ++i) EXPECT_EQ_AT(i, found[i], shuffle_and_hash(i));
  return finish();
}
