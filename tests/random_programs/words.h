// Input words, and the hash of results. Used by the simulator's side and by programs that run on
// the host (fuzz/programs/host.h), which use nothing else of raddle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace raddle::tests {

inline constexpr unsigned kInputWords = 4096, kGlobalWords = 4096, kOutWords = 16,
                          kScratchWords = 32;

inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t mixed = state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

/// The words of `in`: any bits, small numbers, floats of moderate size and special values in turn.
inline std::vector<std::uint32_t> program_input() {
  constexpr std::uint32_t kSpecial[] = {
      0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x7f800000, 0xff800000,
      0x7fc00000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x40490fdb,
      0x7f7fffff, 0x3c003c00, 0x7bff0400, 0xfc007e00, 0x80008000, 0x00ff00ff, 0x4b000000,
      0xcf000000, 0x4f800000, 0x3f7fffff, 0x12345678, 0x7fff8000, 0x0000ffff, 0x42c80000,
      0x3eaaaaab, 0x447a0000, 0x55555555, 0x3ff00000};
  std::vector<std::uint32_t> words(kInputWords);
  std::uint64_t state = 12345;
  for (unsigned i = 0; i < kInputWords; ++i) {
    const std::uint64_t random = next_random(state);
    const auto low = static_cast<std::uint32_t>(random);
    const auto high = static_cast<std::uint32_t>(random >> 32);
    switch (i % 4) {
      case 0:
        words[i] = low;
        break;
      case 1:
        words[i] = low & 0xff;
        break;
      case 2:
        words[i] = (low & 0x807fffff) | (100 + high % 50) << 23;
        break;
      default:
        words[i] = kSpecial[high % std::size(kSpecial)];
    }
  }
  return words;
}

inline std::uint64_t hash_words(const std::uint32_t* words, std::size_t count) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace raddle::tests
