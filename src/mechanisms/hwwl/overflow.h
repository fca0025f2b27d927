// The virtualization unit of a core: work ids for which its banks have no room go to its part of
// the overflow buffer in memory, and come back when there is room (section III.D).
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "machine/unit/sm_unit.h"
#include "mechanisms/hwwl/banks.h"
#include "mechanisms/hwwl/config.h"
#include "mechanisms/hwwl/stats.h"

namespace raddle::mechanisms::hwwl {

/// A core's part of the buffer.
struct Buffer {
  Address base = 0;
  unsigned entries = 0;   // of 4 bytes, for both sides together
  machine::SmFault from;  // who gave it
};

class Overflow {
 public:
  Overflow(const HwwlConfig& config, machine::SmPort& port, Banks& banks, HwwlStats& stats)
      : config_(config),
        port_(port),
        banks_(banks),
        stats_(stats),
        intervals_(config.refill == "interval") {}

  /// Forgets what it has, and divides the buffer among one side or two. Between cycles.
  void use(const Buffer& buffer, bool double_buffered);

  /// Entries of a side.
  unsigned entries() const { return entries_; }
  /// Whether one more work id finds a place, beside those that are on their way to it.
  bool room(unsigned side) const { return in(side) < entries_; }
  /// A push whose bank is full has been issued; spill() brings its work id.
  void promise(unsigned side) { ++sides_[side].promised; }
  void take_back(unsigned side) { --sides_[side].promised; }
  void spill(unsigned side, std::uint32_t id);
  /// Work ids that are in the buffer, on the way to it, or loaded for pulls.
  unsigned in(unsigned side) const {
    const Side& of = sides_[side];
    return of.promised + static_cast<unsigned>(of.pending.size()) + of.stored + of.for_pulls;
  }

  /// Whether something can be loaded now.
  bool can_load(unsigned side) const;
  /// Loads work ids for lanes whose banks are empty; can_load() was true. How many lanes will get
  /// one; returned() gives `tag` back.
  unsigned load_for(unsigned side, unsigned lanes, std::uint32_t tag);

  struct Loaded {
    bool for_pull = false;
    std::uint32_t tag = 0;   // of load_for()
    unsigned for_lanes = 0;  // so many of the values, the first; the rest is for the banks
  };
  /// An access has come back (SmUnit::returned).
  Loaded returned(std::uint32_t access, const std::uint32_t* values);

  /// Stores what waits, and looks for free entries: at every interval, or only from cycle
  /// `served_until` on, since when no lane of the core pulls.
  /// `banks`: those that are to be refilled.
  void cycle(unsigned pull_side, LaneMask banks, Cycle served_until, Cycle now);
  /// What has been loaded goes to the banks, one work id each; the caller has their port. False:
  /// there is nothing.
  bool write_back();
  bool has_to_write() const { return !arrived_.empty(); }
  /// When cycle() has something to do, after `now`.
  Cycle wake(unsigned pull_side, Cycle served_until, Cycle now) const;

 private:
  struct Side {
    unsigned first = 0, stored = 0;  // of the ring in memory
    unsigned promised = 0;
    unsigned for_pulls = 0;             // being loaded for lanes
    std::deque<std::uint32_t> pending;  // to be stored
  };
  /// An access that has not come back.
  struct Access {
    bool free = true, load = false;
    std::uint32_t epoch = 0;
    std::uint8_t side = 0;
    unsigned count = 0;
    Loaded loaded;
    std::array<std::uint8_t, kWarpSize> bank{};  // of those that go to the banks
  };
  struct Arrived {
    std::uint8_t side, bank;
    std::uint32_t id;
  };

  void store(unsigned side);
  bool refill(unsigned side, LaneMask banks);
  /// Reserves entries for up to `most`, in turn; returns how many, and their banks.
  unsigned reserve(unsigned side, LaneMask banks, unsigned most, std::uint8_t* bank);
  std::uint32_t access(unsigned side, unsigned first, unsigned count, bool load);
  unsigned at_once(unsigned first, unsigned most) const;

  const HwwlConfig& config_;
  machine::SmPort& port_;
  Banks& banks_;
  HwwlStats& stats_;
  bool intervals_;  // it looks for free entries by itself
  Buffer buffer_;
  unsigned entries_ = 0;
  std::array<Side, Banks::kSides> sides_;
  std::vector<Access> accesses_;
  std::deque<Arrived> arrived_;
  unsigned loads_ = 0;  // on the way
  std::uint32_t epoch_ = 0;
};

}  // namespace raddle::mechanisms::hwwl
