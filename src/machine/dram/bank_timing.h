// When the banks of a channel may take which command: the rules of JEDEC GDDR5 and HBM.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"
#include "machine/dram/config.h"

namespace raddle::machine {

/// All times are ticks. A command may go at or after the time that earliest() gives.
class BankTiming {
 public:
  static constexpr std::uint32_t kClosed = ~std::uint32_t{0};

  explicit BankTiming(const DramConfig& config);

  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  std::uint32_t open_row(unsigned bank) const { return banks_[bank].row; }

  Cycle earliest_column(unsigned bank, bool write) const {
    const Bank& b = banks_[bank];
    return std::max({b.column, column_[write], group_column_[b.group][write]});
  }
  Cycle earliest_activate(unsigned bank) const {
    return std::max(banks_[bank].activate, activate_);
  }
  Cycle earliest_precharge(unsigned bank) const { return banks_[bank].precharge; }

  /// Issue a command at tick `now`, at which it was allowed. column() returns the tick at which the
  /// data has been transferred.
  Cycle column(unsigned bank, bool write, Cycle now);
  void activate(unsigned bank, std::uint32_t row, Cycle now);
  void precharge(unsigned bank, Cycle now);
  /// A column command's own precharge, as soon as the bank can take it.
  void auto_precharge(unsigned bank);
  /// All banks are closed and refreshed, from `now` on or as soon as they can be.
  void refresh(Cycle now);

 private:
  struct Bank {
    std::uint32_t row = kClosed;
    unsigned group = 0;
    Cycle column = 0, activate = 0, precharge = 0;  // the earliest of each command to this bank
    Cycle closed = 0;                               // when its last precharge has ended
  };
  struct Timing {
    explicit Timing(const DramConfig& config);
    unsigned cl, wl, rcd, rp, ras, rc, rrd, faw, ccd, ccd_same, rtp, wr, wtr, turnaround, rfc;
    unsigned burst;
  };
  static constexpr unsigned kMostGroups = 16;
  static constexpr unsigned kActivations = 4;  // that the window tFAW admits

  const Timing t_;
  std::vector<Bank> banks_;
  Cycle column_[2] = {};                     // the earliest read, write of any group
  Cycle group_column_[kMostGroups][2] = {};  // of each group, after a command to itself
  Cycle activate_ = 0;                       // the earliest activation of any bank
  Cycle activations_[kActivations] = {};     // when each of the last four leaves the window tFAW
  unsigned oldest_activation_ = 0;
};

}  // namespace raddle::machine
