// AES-128 of many blocks: byte tables in shared and constant memory, shifts of rows, products in a
// finite field. Compared with the test vector of FIPS 197, appendix C.1.
#include <cstdint>

#include "check.h"

using Byte = unsigned char;
__constant__ Byte round_keys[176];

__host__ __device__ inline Byte twice(Byte b) {
  return static_cast<Byte>(b << 1 ^ (b & 0x80 ? 0x1b : 0));
}

// The substitution table, made as FIPS 197 5.1.1 says: inverse, then an affine map.
static std::vector<Byte> substitution() {
  std::vector<Byte> table(256);
  for (int b = 0; b < 256; ++b) {
    Byte inverse = 0;
    for (int c = 1; c < 256 && b != 0; ++c) {
      Byte product = 0, power = static_cast<Byte>(b);
      for (int bit = 0; bit < 8; ++bit) {
        if (c >> bit & 1) product ^= power;
        power = twice(power);
      }
      if (product == 1) inverse = static_cast<Byte>(c);
    }
    unsigned word = inverse * 0x0101u;
    table[b] = static_cast<Byte>(inverse ^ word >> 4 ^ word >> 5 ^ word >> 6 ^ word >> 7 ^ 0x63);
  }
  return table;
}

__global__ void encrypt(const Byte* box, const uint4* in, uint4* out, int count) {
  __shared__ Byte table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = box[i];
  __syncthreads();
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count) return;
  union {
    uint4 all;
    Byte bytes[16];
  } state, moved;
  state.all = in[n];
  for (int i = 0; i < 16; ++i) state.bytes[i] ^= round_keys[i];
  for (int round = 1; round <= 10; ++round) {
    for (int i = 0; i < 16; ++i) moved.bytes[i] = table[state.bytes[(i + 4 * (i % 4)) % 16]];
    for (int c = 0; c < 16 && round < 10; c += 4) {
      const Byte all =
          moved.bytes[c] ^ moved.bytes[c + 1] ^ moved.bytes[c + 2] ^ moved.bytes[c + 3];
      const Byte first = moved.bytes[c];
      for (int i = 0; i < 4; ++i) {
        const Byte next = i == 3 ? first : moved.bytes[c + i + 1];
        moved.bytes[c + i] ^= static_cast<Byte>(all ^ twice(moved.bytes[c + i] ^ next));
      }
    }
    for (int i = 0; i < 16; ++i) state.bytes[i] = moved.bytes[i] ^ round_keys[16 * round + i];
  }
  out[n] = state.all;
}

int main() {
  const std::vector<Byte> box = substitution();
  EXPECT_EQ(box[0x53], 0xed);  // FIPS 197, 5.1.1
  std::vector<Byte> keys(176);
  for (int i = 0; i < 16; ++i) keys[i] = static_cast<Byte>(i);
  Byte constant = 1;
  for (int i = 16; i < 176; i += 4) {
    Byte word[4] = {keys[i - 4], keys[i - 3], keys[i - 2], keys[i - 1]};
    if (i % 16 == 0) {
      const Byte first = word[0];
      for (int b = 0; b < 4; ++b) word[b] = box[b == 3 ? first : word[b + 1]];
      word[0] ^= constant;
      constant = twice(constant);
    }
    for (int b = 0; b < 4; ++b) keys[i + b] = keys[i - 16 + b] ^ word[b];
  }
  CHECK(cudaMemcpyToSymbol(round_keys, keys.data(), keys.size()));
  const int count = 200;
  std::vector<uint4> text(count, make_uint4(0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc));
  uint4* out = device_array<uint4>(count);
  encrypt<<<2, 128>>>(to_device(box), to_device(text), out, count);
  const std::vector<uint4> cipher = to_host(out, count);
  for (const uint4& one : cipher) {
    EXPECT(one.x == 0xd8e0c469 && one.y == 0x30047b6a && one.z == 0x80b7cdd8 &&
           one.w == 0x5ac5b470);
  }
  return finish();
}
