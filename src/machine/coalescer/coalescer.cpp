#include "machine/coalescer/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/stats.h"
#include "isa/form.h"
#include "machine/coalescer/config.h"

namespace raddle::machine {

struct CoalescerStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", "accesses",
                   "Accesses of a warp to global memory, or to a word of local memory."};
  Counter transactions{*this, "transactions", "transactions", "128-byte lines they touched."};
  Counter sectors{*this, "sectors", "sectors", "32-byte sectors they touched."};
  Histogram<32> lines{*this, "lines", "transactions", "Transactions of an access."};
};

namespace {

/// The lanes of `lanes` whose address, shifted right by `shift` bits, equals `value`.
LaneMask equal_lanes(const Address* address, LaneMask lanes, unsigned shift, Address value) {
  LaneMask equal = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    equal |= LaneMask{(address[lane] >> shift) == value} << lane;
  }
  return equal & lanes;
}

SectorMask sectors_of(const Address* address, LaneMask lanes) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned sector = address[lane] / kSectorBytes % kSectors;
    sectors |= (lanes >> lane & 1) << sector;
  }
  return static_cast<SectorMask>(sectors);
}

/// Atomics on one line: the number of addresses, and the largest number of lanes that share an
/// address. A pass operates once on each address of a sector. `passes` is the number of passes over
/// all sectors, and `wide_passes` counts the passes with several addresses.
struct Sharing {
  unsigned addresses = 0, most = 0, passes = 0, wide_passes = 0;
};

Sharing sharing_of(const Address* address, LaneMask lanes, bool joined) {
  Sharing found;
  struct Most {
    unsigned first = 0, second = 0;  // the two largest numbers of lanes that share an address
  };
  std::array<Most, kSectors> of_sector{};
  while (lanes != 0) {
    const Address first = address[std::countr_zero(lanes)];
    const LaneMask same = equal_lanes(address, lanes, 0, first);
    const unsigned sharing = joined ? 1 : static_cast<unsigned>(std::popcount(same));
    Most& here = of_sector[first / kSectorBytes % kSectors];
    here.second = std::max(here.second, std::min(here.first, sharing));
    here.first = std::max(here.first, sharing);
    found.most = std::max(found.most, sharing);
    ++found.addresses;
    lanes &= ~same;
  }
  for (const Most& most : of_sector) {
    found.passes += most.first;
    found.wide_passes += most.second;
  }
  return found;
}

/// The sectors in which the lanes write every byte. Each lane writes `bytes` bytes.
SectorMask whole_sectors(const Address* address, LaneMask lanes, unsigned bytes) {
  std::array<std::uint32_t, kSectors> written{};  // a bit per byte
  for (; lanes != 0; lanes &= lanes - 1) {
    const Address first = address[std::countr_zero(lanes)];
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bytes) - 1);
    written[first / kSectorBytes % kSectors] |= mask << (first % kSectorBytes);
  }
  unsigned whole = 0;
  for (unsigned sector = 0; sector < kSectors; ++sector) {
    whole |= static_cast<unsigned>(written[sector] == ~std::uint32_t{0}) << sector;
  }
  return static_cast<SectorMask>(whole);
}

constexpr unsigned kLineShift = std::countr_zero(kLineBytes);

}  // namespace

Coalescer::Coalescer(const CoalescerConfig& config, StatGroup& parent)
    : request_bytes_(config.request_bytes), stats_(parent.unit<CoalescerStats>("coalescer")) {}

unsigned Coalescer::coalesce(const isa::MemoryAccess& access, Transaction* transactions) {
  const unsigned bytes = std::max<unsigned>(access.bytes, 1);
  const unsigned group = std::clamp(request_bytes_ / bytes, 1u, kWarpSize);
  ++stats_.requests;
  unsigned made = 0;
  if (group == kWarpSize) {
    made = coalesce_lanes(access, access.lanes, transactions);
    stats_.lines.add(made);
    return made;
  }
  for (unsigned first = 0; first < kWarpSize; first += group) {
    const LaneMask lanes = access.lanes & (((LaneMask{1} << group) - 1) << first);
    if (lanes != 0) made += coalesce_lanes(access, lanes, transactions + made);
  }
  stats_.lines.add(made);
  return made;
}

unsigned Coalescer::coalesce_lanes(const isa::MemoryAccess& access, LaneMask lanes,
                                   Transaction* transactions) {
  unsigned made = 0;
  while (lanes != 0) {
    const Address line = access.address[std::countr_zero(lanes)] >> kLineShift;
    const LaneMask here = equal_lanes(access.address, lanes, kLineShift, line);
    Transaction& transaction = transactions[made++];
    transaction.line = line << kLineShift;
    transaction.lanes = here;
    transaction.sectors = sectors_of(access.address, here);
    transaction.whole = 0;
    if (access.type == AccessType::store) {
      transaction.whole = whole_sectors(access.address, here, access.bytes);
    }
    transaction.type = access.type;
    transaction.local = access.space == isa::MemoryAccess::Space::local;
    transaction.read_only = access.cache == static_cast<std::uint8_t>(isa::CacheOperator::nc);
    transaction.requested = access.cache == static_cast<std::uint8_t>(isa::CacheOperator::ca);
    transaction.bypass_l1 = access.bypass_l1;
    transaction.operations = transaction.contention = 0;
    transaction.passes = transaction.wide_passes = 0;
    if (is_atomic(access.type)) {
      const Sharing sharing = sharing_of(access.address, here, access.joined);
      const auto lanes_here = static_cast<unsigned>(std::popcount(here));
      transaction.operations =
          static_cast<std::uint8_t>(access.joined ? sharing.addresses : lanes_here);
      transaction.contention = static_cast<std::uint8_t>(sharing.most);
      transaction.passes = static_cast<std::uint8_t>(sharing.passes);
      transaction.wide_passes = static_cast<std::uint8_t>(sharing.wide_passes);
    }
    stats_.sectors += count(transaction.sectors);
    lanes &= ~here;
  }
  stats_.transactions += made;
  return made;
}

}  // namespace raddle::machine
