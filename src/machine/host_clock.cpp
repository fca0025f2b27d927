#include "machine/host_clock.h"

#include <algorithm>

namespace raddle::machine {
namespace {

constexpr const char* kNames[kHostUnits] = {
    "none", "front_end", "execute",       "load_store", "l1",   "interconnect",
    "l2",   "dram",      "global_writes", "dispatch",   "whole"};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

HostTickRate::HostTickRate() : ticks_(HostClock::now()), seconds_(seconds_now()) {}

double HostTickRate::seconds_per_tick() const {
  return (seconds_now() - seconds_) / static_cast<double>(HostClock::now() - ticks_);
}

std::vector<HostTime> host_times(const HostClock::Ticks& ticks, double seconds_per_tick) {
  constexpr auto kWhole = static_cast<std::size_t>(HostUnit::whole);
  std::vector<HostTime> times;
  double units = 0;
  for (std::size_t unit = 1; unit < kWhole; ++unit) {
    times.push_back({kNames[unit], static_cast<double>(ticks[unit]) * seconds_per_tick});
    units += times.back().seconds;
  }
  const double whole = static_cast<double>(ticks[kWhole]) * seconds_per_tick;
  times.push_back({"cycle", std::max(0.0, whole - units)});
  return times;
}

}  // namespace raddle::machine
