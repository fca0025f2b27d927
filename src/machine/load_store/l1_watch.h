// Tells listeners about lookups and evictions in the L1 data cache, with the access that caused
// them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/l1/l1.h"
#include "machine/l1/listener.h"

namespace raddle::machine {

/// Sectors that a warp's loads found or missed in the L1 data cache.
struct Lookups {
  std::uint64_t hits = 0, misses = 0;
};

/// The load-store unit makes one only when there is a listener. `Accesses`: [number] is the access,
/// with path, own and code.
template <class Accesses>
class L1Watch : public L1::Watcher {
 public:
  L1Watch(const Accesses& accesses, unsigned slots)
      : accesses_(accesses), brought_(slots, kMaxWarps) {}

  void add(L1Listener& listener) { listeners_.push_back(&listener); }
  Lookups take_lookups(unsigned warp) { return std::exchange(lookups_[warp], {}); }

  void looked_up(std::uint32_t token, Address line, SectorMask hits, SectorMask misses,
                 Cycle now) override {
    const auto& access = accesses_[access_of(token)];
    if (!access.own) {
      lookups_[warp_of(access.path)].hits += count(hits);
      lookups_[warp_of(access.path)].misses += count(misses);
    }
    const L1Lookup lookup{access.path, access.own, access.code, line, hits, misses};
    for (L1Listener* listener : listeners_) listener->looked_up(lookup, now);
  }
  void assigned(std::uint32_t token, std::uint32_t slot, const Address* evicted,
                Cycle now) override {
    displaced(slot, evicted, now);
    const auto& access = accesses_[access_of(token)];
    brought_[slot] = access.own ? kMaxWarps : warp_of(access.path);
  }
  void displaced(std::uint32_t slot, const Address* evicted, Cycle now) override {
    if (evicted != nullptr) {
      for (L1Listener* listener : listeners_) listener->evicted({*evicted, brought_[slot]}, now);
    }
    brought_[slot] = kMaxWarps;
  }

 private:
  const Accesses& accesses_;
  std::vector<L1Listener*> listeners_;
  std::array<Lookups, kMaxWarps> lookups_{};
  std::vector<unsigned> brought_;  // [slot of the cache]: the warp whose access brought the line
};

}  // namespace raddle::machine
