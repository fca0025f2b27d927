// The times at which the banks of a channel may take each command, by the rules of JEDEC GDDR5 and
// HBM.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"
#include "machine/dram/config.h"

namespace raddle::machine {

/// All times are in ticks. A command is allowed from the tick that its earliest_...() returns.
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

  /// These functions issue a command at tick `now`, at which it must be allowed. column() returns
  /// the tick at which the data have been transferred.
  Cycle column(unsigned bank, bool write, Cycle now);
  void activate(unsigned bank, std::uint32_t row, Cycle now);
  void precharge(unsigned bank, Cycle now);
  /// The precharge that belongs to a column command. It happens as soon as the bank can take it.
  void auto_precharge(unsigned bank);
  /// Closes and refreshes all banks, from `now` on or as soon as they allow it.
  void refresh(Cycle now);

 private:
  struct Bank {
    std::uint32_t row = kClosed;
    unsigned group = 0;
    Cycle column = 0, activate = 0, precharge = 0;  // the earliest tick of each command
    Cycle closed = 0;                               // when its last precharge ends
  };
  struct Timing {
    explicit Timing(const DramConfig& config);
    unsigned cl, wl, rcd, rp, ras, rc, rrd, faw, ccd, ccd_same, rtp, wr, wtr, turnaround, rfc;
    unsigned burst;
  };
  static constexpr unsigned kMostGroups = 16;
  static constexpr unsigned kActivations = 4;  // allowed within the window tFAW

  const Timing t_;
  std::vector<Bank> banks_;
  Cycle column_[2] = {};                     // the earliest read and write of any group
  Cycle group_column_[kMostGroups][2] = {};  // of each group, after a command to the same group
  Cycle activate_ = 0;                       // the earliest activation of any bank
  Cycle activations_[kActivations] = {};     // when each of the last four leaves the window tFAW
  unsigned oldest_activation_ = 0;
};

}  // namespace raddle::machine
