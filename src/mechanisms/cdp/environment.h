// The settings, the machine, the statistics and the durations of calls, which all parts of the
// device runtime use.
#pragma once

#include "machine/mechanism.h"
#include "mechanisms/cdp/config.h"
#include "mechanisms/cdp/stats.h"

namespace raddle::mechanisms::cdp {

/// The duration of calls and launches. It is 0 on a machine without timing, and with cdp.ideal.
class CallTime {
 public:
  CallTime(bool timed, bool ideal) : timed_(timed), ideal_(ideal) {}
  /// The duration of a call by `threads` threads of a warp, in SM cycles.
  Cycle of(const CallCost& cost, unsigned threads) const {
    return ideal_ || !timed_ ? 0 : Cycle{cost.base} + Cycle{cost.each} * threads;
  }
  /// Whether the machine models time.
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
