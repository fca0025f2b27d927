#include "tasks/des.h"

#include <cstddef>

namespace raddle::workloads::narrow::des {

namespace {

// Positions count from 1, the most significant bit (FIPS 46-3, appendix 1).
constexpr std::uint8_t kInitial[64] = {
    58, 50, 42, 34, 26, 18, 10, 2,  60, 52, 44, 36, 28, 20, 12, 4,  62, 54, 46, 38, 30, 22,
    14, 6,  64, 56, 48, 40, 32, 24, 16, 8,  57, 49, 41, 33, 25, 17, 9,  1,  59, 51, 43, 35,
    27, 19, 11, 3,  61, 53, 45, 37, 29, 21, 13, 5,  63, 55, 47, 39, 31, 23, 15, 7};
constexpr std::uint8_t kExpansion[48] = {
    32, 1,  2,  3,  4,  5,  4,  5,  6,  7,  8,  9,  8,  9,  10, 11, 12, 13, 12, 13, 14, 15, 16, 17,
    16, 17, 18, 19, 20, 21, 20, 21, 22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1};
constexpr std::uint8_t kP[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                                 2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};
constexpr std::uint8_t kChoice1[56] = {57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18,
                                       10, 2,  59, 51, 43, 35, 27, 19, 11, 3,  60, 52, 44, 36,
                                       63, 55, 47, 39, 31, 23, 15, 7,  62, 54, 46, 38, 30, 22,
                                       14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};
constexpr std::uint8_t kChoice2[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,  26, 8,  16, 7,  27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};
constexpr std::uint8_t kShifts[16] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};
constexpr std::uint8_t kBoxes[8][64] = {
    {14, 4,  13, 1, 2,  15, 11, 8, 3, 10, 6, 12, 5,  9,  0,  7,  0,  15, 7,  4,  14, 2,
     13, 1,  10, 6, 12, 11, 9,  5, 3, 8,  4, 1,  14, 8,  13, 6,  2,  11, 15, 12, 9,  7,
     3,  10, 5,  0, 15, 12, 8,  2, 4, 9,  1, 7,  5,  11, 3,  14, 10, 0,  6,  13},
    {15, 1,  8,  14, 6,  11, 3,  4, 9,  7,  2, 13, 12, 0,  5,  10, 3,  13, 4,  7, 15, 2,
     8,  14, 12, 0,  1,  10, 6,  9, 11, 5,  0, 14, 7,  11, 10, 4,  13, 1,  5,  8, 12, 6,
     9,  3,  2,  15, 13, 8,  10, 1, 3,  15, 4, 2,  11, 6,  7,  12, 0,  5,  14, 9},
    {10, 0,  9,  14, 6, 3,  15, 5,  1,  13, 12, 7, 11, 4,  2,  8,  13, 7, 0,  9, 3, 4,
     6,  10, 2,  8,  5, 14, 12, 11, 15, 1,  13, 6, 4,  9,  8,  15, 3,  0, 11, 1, 2, 12,
     5,  10, 14, 7,  1, 10, 13, 0,  6,  9,  8,  7, 4,  15, 14, 3,  11, 5, 2,  12},
    {7, 13, 14, 3, 0, 6,  9, 10, 1,  2, 8,  5, 11, 12, 4,  15, 13, 8,  11, 5, 6, 15,
     0, 3,  4,  7, 2, 12, 1, 10, 14, 9, 10, 6, 9,  0,  12, 11, 7,  13, 15, 1, 3, 14,
     5, 2,  8,  4, 3, 15, 0, 6,  10, 1, 13, 8, 9,  4,  5,  11, 12, 7,  2,  14},
    {2,  12, 4, 1,  7,  10, 11, 6, 8, 5,  3, 15, 13, 0,  14, 9,  14, 11, 2,  12, 4,  7,
     13, 1,  5, 0,  15, 10, 3,  9, 8, 6,  4, 2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,
     6,  3,  0, 14, 11, 8,  12, 7, 1, 14, 2, 13, 6,  15, 0,  9,  10, 4,  5,  3},
    {12, 1,  10, 15, 9,  2,  6, 8,  0, 13, 3,  4,  14, 7,  5, 11, 10, 15, 4, 2, 7, 12,
     9,  5,  6,  1,  13, 14, 0, 11, 3, 8,  9,  14, 15, 5,  2, 8,  12, 3,  7, 0, 4, 10,
     1,  13, 11, 6,  4,  3,  2, 12, 9, 5,  15, 10, 11, 14, 1, 7,  6,  0,  8, 13},
    {4, 11, 2,  14, 15, 0,  8,  13, 3, 12, 9,  7, 5,  10, 6,  1,  13, 0,  11, 7,  4, 9,
     1, 10, 14, 3,  5,  12, 2,  15, 8, 6,  1,  4, 11, 13, 12, 3,  7,  14, 10, 15, 6, 8,
     0, 5,  9,  2,  6,  11, 13, 8,  1, 4,  10, 7, 9,  5,  0,  15, 14, 2,  3,  12},
    {13, 2, 8,  4, 6, 15, 11, 1,  10, 9,  3, 14, 5,  0,  12, 7,  1,  15, 13, 8, 10, 3,
     7,  4, 12, 5, 6, 11, 0,  14, 9,  2,  7, 11, 4,  1,  9,  12, 14, 2,  0,  6, 10, 13,
     15, 3, 5,  8, 2, 1,  14, 7,  4,  10, 8, 13, 15, 12, 9,  0,  3,  5,  6,  11}};

/// Bit i of the result is bit `positions[i]` of `value`, which has `width` bits.
template <std::size_t N>
std::uint64_t permuted(std::uint64_t value, unsigned width, const std::uint8_t (&positions)[N]) {
  std::uint64_t result = 0;
  for (std::uint8_t position : positions) result = result << 1 | (value >> (width - position) & 1);
  return result;
}

/// Row: first and last of the 6 bits; column: the others.
unsigned box(unsigned s, unsigned bits) {
  return kBoxes[s][((bits >> 4 & 2) | (bits & 1)) * 16 + (bits >> 1 & 15)];
}

/// 48 bits each.
void schedule(std::uint64_t key, std::uint64_t (&rounds)[16]) {
  const std::uint64_t chosen = permuted(key, 64, kChoice1);
  std::uint64_t c = chosen >> 28, d = chosen & 0xfffffff;
  for (unsigned round = 0; round < 16; ++round) {
    const unsigned by = kShifts[round];
    c = (c << by | c >> (28 - by)) & 0xfffffff;
    d = (d << by | d >> (28 - by)) & 0xfffffff;
    rounds[round] = permuted(c << 28 | d, 56, kChoice2);
  }
}

}  // namespace

std::uint64_t encrypt_by_standard(std::uint64_t block, std::uint64_t key, bool decrypt) {
  std::uint64_t rounds[16];
  schedule(key, rounds);
  const std::uint64_t start = permuted(block, 64, kInitial);
  std::uint64_t left = start >> 32, right = start & 0xffffffff;
  for (unsigned round = 0; round < 16; ++round) {
    const std::uint64_t mixed =
        permuted(right, 32, kExpansion) ^ rounds[decrypt ? 15 - round : round];
    std::uint64_t chosen = 0;
    for (unsigned s = 0; s < 8; ++s) {
      chosen = chosen << 4 | box(s, static_cast<unsigned>(mixed >> (42 - 6 * s) & 63));
    }
    const std::uint64_t next = left ^ permuted(chosen, 32, kP);
    left = right;
    right = next;
  }
  const std::uint64_t last = right << 32 | left;
  std::uint64_t result = 0;  // the inverse of the initial permutation
  for (unsigned i = 0; i < 64; ++i) result |= (last >> (63 - i) & 1) << (64 - kInitial[i]);
  return result;
}

Tables make_tables() {
  Tables tables;
  for (unsigned s = 0; s < 8; ++s) {
    for (unsigned bits = 0; bits < 64; ++bits) {
      const std::uint64_t alone = std::uint64_t{box(s, bits)} << (28 - 4 * s);
      tables.sp[s][bits] = static_cast<std::uint32_t>(permuted(alone, 32, kP));
    }
  }
  return tables;
}

Keys make_keys(const std::uint64_t (&keys)[3]) {
  Keys made;
  for (unsigned cipher = 0; cipher < 3; ++cipher) {
    std::uint64_t rounds[16];
    schedule(keys[cipher], rounds);
    for (unsigned round = 0; round < 16; ++round) {
      const std::uint64_t bits = rounds[cipher == 1 ? 15 - round : round];
      std::uint64_t groups = 0;
      for (unsigned s = 0; s < 8; ++s) groups |= (bits >> (42 - 6 * s) & 63) << (8 * s);
      made.rounds[16 * cipher + round] = groups;
    }
  }
  return made;
}

}  // namespace raddle::workloads::narrow::des
