// The virtualization unit of a core. Work ids that do not fit into the banks go to the core's part
// of the overflow buffer in memory, and return when the banks have room (section III.D).
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "machine/unit/sm_unit.h"
#include "mechanisms/hwwl/banks.h"
#include "mechanisms/hwwl/config.h"
#include "mechanisms/hwwl/stats.h"

namespace raddle::mechanisms::hwwl {

/// A core's part of the overflow buffer.
struct Buffer {
  Address base = 0;
  unsigned entries = 0;   // of 4 bytes, for both sides together
  machine::SmFault from;  // the instruction that set the buffer
};

class Overflow {
 public:
  Overflow(const HwwlConfig& config, machine::SmPort& port, Banks& banks, HwwlStats& stats)
      : config_(config),
        port_(port),
        banks_(banks),
        stats_(stats),
        intervals_(config.refill == "interval") {}

  /// Discards all work ids, and gives the buffer to one side, or half of it to each side. Call it
  /// between cycles.
  void use(const Buffer& buffer, bool double_buffered);

  /// Entries of one side.
  unsigned entries() const { return entries_; }
  /// Whether there is room for one more work id, in addition to the work ids on their way.
  bool room(unsigned side) const { return in(side) < entries_; }
  /// A push has been issued whose bank is full. spill() brings its work id later.
  void promise(unsigned side) { ++sides_[side].promised; }
  void take_back(unsigned side) { --sides_[side].promised; }
  void spill(unsigned side, std::uint32_t id);
  /// Work ids that are in the buffer, on the way to it, or being loaded for pulls.
  unsigned in(unsigned side) const {
    const Side& of = sides_[side];
    return of.promised + static_cast<unsigned>(of.pending.size()) + of.stored + of.for_pulls;
  }

  /// Whether a load can be issued now.
  bool can_load(unsigned side) const;
  /// Loads work ids for lanes whose banks are empty. can_load() must be true. Returns how many
  /// lanes get one. returned() gives `tag` back.
  unsigned load_for(unsigned side, unsigned lanes, std::uint32_t tag);

  struct Loaded {
    bool for_pull = false;
    std::uint32_t tag = 0;   // the argument of load_for()
    unsigned for_lanes = 0;  // number of values for lanes, the first; the others are for the banks
  };
  /// An access has returned (SmUnit::returned).
  Loaded returned(std::uint32_t access, const std::uint32_t* values);

  /// Stores the work ids that wait, and refills banks with free entries. It looks for free entries
  /// at every interval, or with refill on demand only from cycle `served_until` on, when no lane of
  /// the core pulls any more. `banks`: the banks to refill.
  void cycle(unsigned pull_side, LaneMask banks, Cycle served_until, Cycle now);
  /// Writes loaded work ids to the banks, at most one to each bank. The caller must have the port
  /// of the banks. Returns false if there is none to write.
  bool write_back();
  bool has_to_write() const { return !arrived_.empty(); }
  /// The first cycle after `now` in which cycle() has work.
  Cycle wake(unsigned pull_side, Cycle served_until, Cycle now) const;

 private:
  struct Side {
    unsigned first = 0, stored = 0;  // of the ring in memory
    unsigned promised = 0;
    unsigned for_pulls = 0;             // being loaded for lanes
    std::deque<std::uint32_t> pending;  // to be stored
  };
  /// An access that has not returned.
  struct Access {
    bool free = true, load = false;
    std::uint32_t epoch = 0;
    std::uint8_t side = 0;
    unsigned count = 0;
    Loaded loaded;
    std::array<std::uint8_t, kWarpSize> bank{};  // the banks of values that are not for lanes
  };
  struct Arrived {
    std::uint8_t side, bank;
    std::uint32_t id;
  };

  void store(unsigned side);
  bool refill(unsigned side, LaneMask banks);
  /// Reserves up to `most` entries, in turn in the given banks. Returns how many, and their banks.
  unsigned reserve(unsigned side, LaneMask banks, unsigned most, std::uint8_t* bank);
  std::uint32_t access(unsigned side, unsigned first, unsigned count, bool load);
  unsigned at_once(unsigned first, unsigned most) const;

  const HwwlConfig& config_;
  machine::SmPort& port_;
  Banks& banks_;
  HwwlStats& stats_;
  bool intervals_;  // refills at intervals, not only on demand
  Buffer buffer_;
  unsigned entries_ = 0;
  std::array<Side, Banks::kSides> sides_;
  std::vector<Access> accesses_;
  std::deque<Arrived> arrived_;
  unsigned loads_ = 0;  // under way
  std::uint32_t epoch_ = 0;
};

}  // namespace raddle::mechanisms::hwwl
