// Finds the number whose MD5 digest is given: rotations, constant tables, unrolled rounds.
#include <cstdint>
#include <cstring>

#include "check.h"

__constant__ std::uint32_t sines[64];
__constant__ int shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

// RFC 1321 for a message of 8 digits.
__host__ __device__ inline void digest(std::uint32_t number, const std::uint32_t* k, const int* s,
                                       std::uint32_t out[4]) {
  unsigned char text[64] = {};
  for (int i = 7; i >= 0; --i) {
    text[i] = static_cast<unsigned char>('0' + number % 10);
    number /= 10;
  }
  text[8] = 0x80;
  text[56] = 64;
  std::uint32_t words[16];
  for (int i = 0; i < 16; ++i) {
    words[i] = text[4 * i] | text[4 * i + 1] << 8 | text[4 * i + 2] << 16 |
               static_cast<std::uint32_t>(text[4 * i + 3]) << 24;
  }
  std::uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int i = 0; i < 64; ++i) {
    std::uint32_t f;
    int g;
    switch (i / 16) {
      case 0:
        f = (b & c) | (~b & d);
        g = i;
        break;
      case 1:
        f = (d & b) | (~d & c);
        g = (5 * i + 1) % 16;
        break;
      case 2:
        f = b ^ c ^ d;
        g = (3 * i + 5) % 16;
        break;
      default:
        f = c ^ (b | ~d);
        g = 7 * i % 16;
        break;
    }
    f += a + k[i] + words[g];
    a = d;
    d = c;
    c = b;
    const int turn = s[4 * (i / 16) + i % 4];
    b += f << turn | f >> (32 - turn);
  }
  out[0] = a + 0x67452301;
  out[1] = b + 0xefcdab89;
  out[2] = c + 0x98badcfe;
  out[3] = d + 0x10325476;
}

__global__ void search(uint4 wanted, std::uint32_t first, std::uint32_t* found) {
  const std::uint32_t number = first + blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t d[4];
  digest(number, sines, shifts, d);
  if (d[0] == wanted.x && d[1] == wanted.y && d[2] == wanted.z && d[3] == wanted.w) *found = number;
}

int main() {
  std::uint32_t k[64];
  for (int i = 0; i < 64; ++i) {
    k[i] = static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(i + 1.0)) * 4294967296.0));
  }
  CHECK(cudaMemcpyToSymbol(sines, k, sizeof k));
  const int s[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
  std::uint32_t wanted[4];
  digest(1234, k, s, wanted);
  std::uint32_t* found = to_device(std::vector<std::uint32_t>{0});
  search<<<16, 128>>>(make_uint4(wanted[0], wanted[1], wanted[2], wanted[3]), 0, found);
  EXPECT_EQ(to_host(found, 1)[0], 1234u);
  // MD5("12345678") = 25d55ad283aa400af464c76d713c07ad.
  digest(12345678, k, s, wanted);
  EXPECT_EQ(wanted[0], 0xd25ad525u);
  EXPECT_EQ(wanted[3], 0xad073c71u);
  search<<<4, 128>>>(make_uint4(0xd25ad525, 0x0a40aa83, 0x6dc764f4, 0xad073c71), 12345400, found);
  EXPECT_EQ(to_host(found, 1)[0], 12345678u);
  return finish();
}
