// The data encryption standard (FIPS 46-3): tables, key schedule, and the cipher in the two forms
// that programs know: bit by bit as the standard defines it, and with S-boxes and permutation P in
// one table.
#pragma once

#include <cstdint>

#if defined(__CUDACC__) || defined(__CUDA__)
#define RADDLE_DES_FUNCTION __host__ __device__
#else
#define RADDLE_DES_FUNCTION
#endif

namespace raddle::workloads::narrow::des {

/// Round keys of three ciphers in a row (TDEA, encrypt-decrypt-encrypt); each is 8 groups of 6 bits,
/// one a byte.
struct Keys {
  std::uint64_t rounds[48];
};

/// What S-box `s` makes of 6 bits, after P: [s][bits].
struct Tables {
  std::uint32_t sp[8][64];
};

/// By the standard; 64-bit blocks, most significant bit first.
std::uint64_t encrypt_by_standard(std::uint64_t block, std::uint64_t key, bool decrypt);

Tables make_tables();
/// Three keys of 64 bits, with parity.
Keys make_keys(const std::uint64_t (&keys)[3]);

/// One block, by TDEA.
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // `sp` is of the side on which it is called
#endif
template <class GetTable>
RADDLE_DES_FUNCTION std::uint64_t encrypt(std::uint64_t block, const std::uint64_t* rounds,
                                          const GetTable& sp) {
  auto left = static_cast<std::uint32_t>(block >> 32), right = static_cast<std::uint32_t>(block);
  const auto swap = [](std::uint32_t& a, std::uint32_t& b, unsigned by, std::uint32_t mask) {
    const std::uint32_t different = ((a >> by) ^ b) & mask;
    b ^= different;
    a ^= different << by;
  };
  // The initial permutation, as exchanges of bits.
  swap(left, right, 4, 0x0f0f0f0fu);
  swap(left, right, 16, 0x0000ffffu);
  swap(right, left, 2, 0x33333333u);
  swap(right, left, 8, 0x00ff00ffu);
  swap(left, right, 1, 0x55555555u);
  for (unsigned cipher = 0; cipher < 3; ++cipher) {
    for (unsigned round = 0; round < 16; ++round) {
      const std::uint64_t key = rounds[16 * cipher + round];
      // The expansion E: group s is the 4 bits from 4 s on, counted from the left, with the bits
      // before and behind them; the first bit of all is behind the last.
      const std::uint32_t turned = right << 1 | right >> 31;
      std::uint32_t mixed = 0;
      for (unsigned s = 0; s < 8; ++s) {
        const std::uint32_t group = s == 0   ? (right & 1) << 5 | right >> 27
                                    : s == 7 ? turned
                                             : right >> (27 - 4 * s);
        mixed ^= sp(s, (group ^ static_cast<std::uint32_t>(key >> (8 * s))) & 63);
      }
      const std::uint32_t next = left ^ mixed;
      left = right;
      right = next;
    }
    const std::uint32_t last = left;  // the halves are exchanged after the last round
    left = right;
    right = last;
  }
  swap(left, right, 1, 0x55555555u);
  swap(right, left, 8, 0x00ff00ffu);
  swap(right, left, 2, 0x33333333u);
  swap(left, right, 16, 0x0000ffffu);
  swap(left, right, 4, 0x0f0f0f0fu);
  return std::uint64_t{left} << 32 | right;
}

}  // namespace raddle::workloads::narrow::des
