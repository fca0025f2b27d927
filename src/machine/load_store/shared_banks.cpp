#include "machine/load_store/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace raddle::machine {
namespace {

constexpr unsigned kBanks = 32;

/// Word i and word i + 32 of an aligned range of 64 words form one row of their bank, of twice the
/// width.
Address row_of_pair(Address word) { return word / (2 * kBanks) * kBanks + word % kBanks; }

/// The largest number of distinct words that lanes access in one bank. `in_pairs`: rows as in
/// row_of_pair() instead of words. `words`, [bank][n], holds the words of a bank seen so far. A
/// lane accesses at most one word of a bank, so kWarpSize bounds n.
unsigned most_words_of_a_bank(const Address* address, LaneMask lanes, unsigned shift,
                              unsigned words_per_lane, bool in_pairs = false) {
  std::array<std::array<Address, kWarpSize>, kBanks> words;
  std::array<std::uint8_t, kBanks> count{};
  unsigned most = 1;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned part = 0; part < words_per_lane; ++part) {
      Address word = (address[lane] >> shift) + part;
      if (in_pairs) word = row_of_pair(word);
      const unsigned bank = word % kBanks;
      const auto* seen = words[bank].data();
      if (std::find(seen, seen + count[bank], word) != seen + count[bank]) continue;
      words[bank][count[bank]++] = word;
      most = std::max<unsigned>(most, count[bank]);
    }
  }
  return most;
}

/// Whether all words lie in one round of the banks, so that no two of them share a bank. This is
/// true for most accesses, and cheap to test.
bool within_one_round(const Address* address, LaneMask lanes, unsigned shift,
                      unsigned words_per_lane) {
  Address least = kNever, most = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const bool active = ((lanes >> lane) & 1u) != 0;
    least = std::min(least, active ? address[lane] : kNever);
    most = std::max(most, active ? address[lane] : 0);
  }
  return (most >> shift) - (least >> shift) + words_per_lane <= kBanks;
}

/// Whether every active lane n has the address of lane n^`apart`, if that lane is active.
bool pairs_agree(const Address* address, LaneMask lanes, unsigned apart) {
  bool agree = true;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const bool both = ((lanes >> lane) & (lanes >> (lane ^ apart)) & 1u) != 0;
    agree &= !both || address[lane] == address[lane ^ apart];
  }
  return agree;
}

/// The largest number of lanes with the same word. An atomic is done once for each of them.
unsigned most_lanes_of_a_word(const Address* address, LaneMask lanes) {
  unsigned most = 1;
  for (LaneMask rest = lanes; rest != 0;) {
    const Address first = address[std::countr_zero(rest)] >> 2;
    LaneMask same = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      same |= static_cast<LaneMask>((address[lane] >> 2) == first) << lane;
    }
    same &= rest;
    most = std::max(most, static_cast<unsigned>(std::popcount(same)));
    rest &= ~same;
  }
  return most;
}

}  // namespace

unsigned shared_passes(const isa::MemoryAccess& access, unsigned bank_bytes, bool paired_lanes,
                       unsigned mode_bytes) {
  using Type = isa::MemoryAccess::Type;
  if (access.lanes == 0) return 1;
  if (access.type == Type::atomic || access.type == Type::reduction) {
    const unsigned banks =
        most_words_of_a_bank(access.address, access.lanes, 2, std::max(1u, access.bytes / 4u));
    return access.joined ? banks
                         : std::max(banks, most_lanes_of_a_word(access.address, access.lanes));
  }
  const bool in_pairs = mode_bytes < bank_bytes;
  const auto shift = static_cast<unsigned>(std::countr_zero(in_pairs ? mode_bytes : bank_bytes));
  const unsigned widths_per_lane = std::max(1u, access.bytes / bank_bytes);
  const unsigned words_per_lane = std::max(1u, unsigned{access.bytes} >> shift);
  const bool conflicts = !within_one_round(access.address, access.lanes, shift, words_per_lane);
  // A group of lanes accesses at most as many words as there are banks.
  const bool pairs = paired_lanes && widths_per_lane > 1 && access.type == Type::load &&
                     (pairs_agree(access.address, access.lanes, 1) ||
                      pairs_agree(access.address, access.lanes, 2));
  const unsigned group = kWarpSize / widths_per_lane * (pairs ? 2 : 1);
  const LaneMask group_mask = group == kWarpSize ? kAllLanes : (LaneMask{1} << group) - 1;
  unsigned passes = 0;
  for (unsigned first = 0; first < kWarpSize; first += group) {
    const LaneMask lanes = access.lanes & (group_mask << first);
    if (lanes == 0) continue;
    passes += conflicts
                  ? most_words_of_a_bank(access.address, lanes, shift, words_per_lane, in_pairs)
                  : 1;
  }
  return passes;
}

}  // namespace raddle::machine
