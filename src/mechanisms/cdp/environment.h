// What all parts of the device runtime refer to: settings, the machine, statistics, and how long
// calls take.
#pragma once

#include "machine/mechanism.h"
#include "mechanisms/cdp/config.h"
#include "mechanisms/cdp/stats.h"

namespace raddle::mechanisms::cdp {

/// What calls and launches take. Without timing, or if launching is to take none, nothing.
class CallTime {
 public:
  CallTime(bool timed, bool ideal) : timed_(timed), ideal_(ideal) {}
  /// Of a call by so many threads of a warp, in SM cycles.
  Cycle of(const CallCost& cost, unsigned threads) const {
    return ideal_ || !timed_ ? 0 : Cycle{cost.base} + Cycle{cost.each} * threads;
  }
  /// Whether the machine has time at all.
  bool timed() const { return timed_; }
  /// Whether launches take neither time nor traffic (cdp.ideal).
  bool ideal() const { return ideal_; }
  void make_ideal() { ideal_ = true; }

 private:
  bool timed_, ideal_;
};

struct Environment {
  const CdpConfig& config;
  machine::LaunchPath& path;
  CdpStats& stats;
  CallTime time;
};

}  // namespace raddle::mechanisms::cdp
