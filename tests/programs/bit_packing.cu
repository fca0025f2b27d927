// Packs variable-length codes without gaps: offsets by a warp scan, atomicOr for words that threads
// share. Unpacks them with funnel shifts.
#include "check.h"

constexpr int kSymbols = 32 * 20;

__device__ inline int warp_scan(int value) {
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 >= step) value += other;
  }
  return value;
}

__global__ void pack(const unsigned* codes, const unsigned char* lengths, unsigned* words,
                     int* offsets) {
  int base = 0;
  for (int i = threadIdx.x; i < kSymbols; i += 32) {
    const int length = lengths[i], end = warp_scan(length), at = base + end - length;
    offsets[i] = at;
    const unsigned long long placed = static_cast<unsigned long long>(codes[i]) << (at % 32);
    atomicOr(&words[at / 32], static_cast<unsigned>(placed));
    if (placed >> 32 != 0) atomicOr(&words[at / 32 + 1], static_cast<unsigned>(placed >> 32));
    base += __shfl_sync(0xffffffff, end, 31);
  }
}

__global__ void unpack(const unsigned* words, const int* offsets, const unsigned char* lengths,
                       unsigned* codes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = offsets[i];
  const unsigned bits = __funnelshift_r(words[at / 32], words[at / 32 + 1], at % 32);
  codes[i] = bits & ((1u << lengths[i]) - 1);
}

int main() {
  std::vector<unsigned> codes(kSymbols);
  std::vector<unsigned char> lengths(kSymbols);
  int bits = 0;
  for (int i = 0; i < kSymbols; ++i) {
    lengths[i] = static_cast<unsigned char>(1 + (i * 11) % 23);
    codes[i] = (i * 2654435761u) & ((1u << lengths[i]) - 1);
    bits += lengths[i];
  }
  const int count = bits / 32 + 2;
  unsigned *words = device_array<unsigned>(count), *back = device_array<unsigned>(kSymbols);
  unsigned char* lengths_d = to_device(lengths);
  int* offsets = device_array<int>(kSymbols);
  CHECK(cudaMemset(words, 0, count * sizeof(unsigned)));
  pack<<<1, 32>>>(to_device(codes), lengths_d, words, offsets);
  unpack<<<kSymbols / 64, 64>>>(words, offsets, lengths_d, back);
  EXPECT(to_host(back, kSymbols) == codes);
  std::vector<unsigned> packed(count, 0);
  int at = 0;
  for (int i = 0; i < kSymbols; ++i) {
    for (int b = 0; b < lengths[i]; ++b, ++at) packed[at / 32] |= (codes[i] >> b & 1) << (at % 32);
  }
  EXPECT(to_host(words, count) == packed);
  return finish();
}
