// The cipher of the workload tasks, in both forms, compared with published examples: NIST SP
// 800-17, appendix A (variable plaintext and permutation known-answer tests), and NIST SP 800-67,
// appendix B.1.
#include "tasks/des.h"

#include <gtest/gtest.h>

namespace raddle::workloads::narrow {
namespace {

std::uint64_t encrypted(std::uint64_t block, const std::uint64_t (&keys)[3]) {
  const des::Keys made = des::make_keys(keys);
  const des::Tables tables = des::make_tables();
  return des::encrypt(block, made.rounds,
                      [&](unsigned s, unsigned bits) { return tables.sp[s][bits]; });
}

struct Known {
  std::uint64_t key, plain, cipher;
};
constexpr Known kKnown[] = {{0x0101010101010101, 0x8000000000000000, 0x95f8a5e5dd31d900},
                            {0x0101010101010101, 0x4000000000000000, 0xdd7f121ca5015619},
                            {0x0101010101010101, 0x0000000000000001, 0x166b40b44aba4bd6},
                            {0x8001010101010101, 0x0000000000000000, 0x95a8d72813daa94d},
                            {0x10316e028c8f3b4a, 0x0000000000000000, 0x82dcbafbdeab6602},
                            {0x7ca110454a1a6e57, 0x01a1d6d039776742, 0x690f5b0d9a26939b}};

TEST(Des, MeetsKnownAnswers) {
  for (const Known& one : kKnown) {
    EXPECT_EQ(des::encrypt_by_standard(one.plain, one.key, false), one.cipher);
    EXPECT_EQ(des::encrypt_by_standard(one.cipher, one.key, true), one.plain);
    // Three times the same key is the single cipher.
    EXPECT_EQ(encrypted(one.plain, {one.key, one.key, one.key}), one.cipher);
  }
}

TEST(Des, TripleMeetsTheExampleOfTheStandard) {
  const std::uint64_t keys[3] = {0x0123456789abcdef, 0x23456789abcdef01, 0x456789abcdef0123};
  EXPECT_EQ(encrypted(0x5468652071756663, keys), 0xa826fd8ce53b855f);
  EXPECT_EQ(encrypted(0x6b2062726f776e20, keys), 0xcce21c8112256fe6);
  EXPECT_EQ(encrypted(0x666f78206a756d70, keys), 0x68d5c05dd9b6b900);
}

}  // namespace
}  // namespace raddle::workloads::narrow
