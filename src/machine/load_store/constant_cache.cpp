#include "machine/load_store/constant_cache.h"

#include <algorithm>
#include <bit>

#include "base/stats.h"
#include "machine/load_store/config.h"
#include "memory/address_space.h"

namespace raddle::machine {

struct ConstantCacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", "warp instructions", "Loads of constants and parameters."};
  Counter hits{*this, "hits", "addresses", "Distinct words found in the cache."};
  Counter misses{*this, "misses", "addresses", "Distinct words whose line was not in the cache."};
  Formula hit_rate{*this, "hit_rate", "fraction", "Hits, of all words looked up.",
                   [this](const StatValues& of) { return of(hits) / (of(hits) + of(misses)); }};
};

namespace {

/// The start of the bank of constant memory that holds parameters. The addresses of parameters are
/// offsets, and parameters of launches by the host have a bank of their own.
Address bank_of(const isa::MemoryAccess& access, Address parameters_at) {
  if (access.space != isa::MemoryAccess::Space::parameter) return 0;
  return parameters_at != 0 ? parameters_at : memory::kParamWindow;
}

}  // namespace

ConstantCache::ConstantCache(const ConstantCacheConfig& config, StatGroup& parent)
    : entries_(config.bytes / config.line),
      line_shift_(static_cast<unsigned>(std::countr_zero(config.line.value()))),
      sets_(config.bytes / (config.line * config.ways)),
      ways_(config.ways),
      latency_(config.latency),
      stats_(parent.unit<ConstantCacheStats>("constant")) {}

ConstantCache::Cost ConstantCache::access(const isa::MemoryAccess& access, Address parameters_at,
                                          Transaction* transactions) {
  ++stats_.requests;
  Cost cost{0, latency_, 0};
  const Address bank = bank_of(access, parameters_at);
  for (LaneMask rest = access.lanes; rest != 0;) {
    const Address word = access.address[std::countr_zero(rest)] >> 2;
    LaneMask same = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      same |= static_cast<LaneMask>((access.address[lane] >> 2) == word) << lane;
    }
    rest &= ~same;
    ++cost.passes;
    const Address line = (bank + (word << 2)) >> line_shift_;
    if (look_up(line)) {
      ++stats_.hits;
    } else {
      ++stats_.misses;
      miss(line, transactions, cost.missing);
    }
  }
  if (cost.passes == 0) cost.passes = 1;
  return cost;
}

/// Returns whether the line is in the cache. A line without an entry gets the least recently used
/// entry of its set.
bool ConstantCache::look_up(Address line) {
  Entry* set = &entries_[line % sets_ * ways_];
  Entry* oldest = set;
  for (Entry* entry = set; entry != set + ways_; ++entry) {
    if (entry->line == line) {
      entry->used = ++clock_;
      return entry->expected == kPresent;
    }
    if (entry->used < oldest->used) oldest = entry;
  }
  *oldest = {line, ++clock_, kMissed};
  return false;
}

void ConstantCache::miss(Address line, Transaction* transactions, unsigned& missing) const {
  const Address first = line << line_shift_;
  const unsigned bytes = 1u << line_shift_;
  const unsigned sectors = ((1u << bytes / kSectorBytes) - 1)
                           << (first % kLineBytes / kSectorBytes);
  const Address at = first - first % kLineBytes;
  for (unsigned i = 0; i < missing; ++i) {
    if (transactions[i].line != at) continue;
    transactions[i].sectors |= static_cast<SectorMask>(sectors);
    return;
  }
  transactions[missing++] = {
      .line = at, .sectors = static_cast<SectorMask>(sectors), .read_only = true};
}

void ConstantCache::expect(std::uint32_t load) {
  for (Entry& entry : entries_) {
    if (entry.expected == kMissed) entry.expected = load;
  }
}

void ConstantCache::fill(std::uint32_t load) {
  for (Entry& entry : entries_) {
    if (entry.expected == load) entry.expected = kPresent;
  }
}

void ConstantCache::invalidate() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

}  // namespace raddle::machine
