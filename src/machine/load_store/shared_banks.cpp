#include "machine/load_store/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace raddle::machine {
namespace {

constexpr unsigned kBanks = 32;

/// Word i and word i + 32 of an aligned stretch of 64 are one row of their bank, of twice the width.
Address row_of_pair(Address word) { return word / (2 * kBanks) * kBanks + word % kBanks; }

/// The most distinct words that lanes want of one bank; `in_pairs`: of rows as row_of_pair(). Words
/// of a bank already seen are kept in `words`, [bank][n]; lanes want at most one each of a bank, hence
/// the bound.
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

/// All words lie within one round of the banks, so no two of them share a bank: true of the
/// accesses of most programs, and cheap to see.
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

/// Every active lane n wants what lane n^`apart` wants, if that is active too.
bool pairs_agree(const Address* address, LaneMask lanes, unsigned apart) {
  bool agree = true;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const bool both = ((lanes >> lane) & (lanes >> (lane ^ apart)) & 1u) != 0;
    agree &= !both || address[lane] == address[lane ^ apart];
  }
  return agree;
}

/// How often lanes want the same word: an atomic is done once for each.
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
  // A group of lanes wants no more words than there are banks.
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
