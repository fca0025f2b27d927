// Measures the host's time by hardware unit, for developers who make the simulator faster.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/gpu.h"

namespace raddle::machine {

/// The unit that the host simulates at a moment.
enum class HostUnit : std::uint8_t {
  none,
  front_end,
  execute,
  load_store,
  l1,
  interconnect,
  l2,
  dram,
  global_writes,
  dispatch,
  whole,  // the whole machine: time outside all units is spent on finding active units
  count_
};
inline constexpr std::size_t kHostUnits = static_cast<std::size_t>(HostUnit::count_);

/// One clock for each group of units that run one after the other. Unless gpu.measure_units is set
/// it is off and costs one test of a flag. Scopes may nest: the outer scope does not count the time
/// of the inner one.
class HostClock {
 public:
  explicit HostClock(bool on) : on_(on) {}

  class Scope {
   public:
    Scope(HostClock& clock, HostUnit unit) : clock_(clock) {
      if (clock.on_) [[unlikely]]
        outer_ = clock.change_to(unit);
    }
    ~Scope() {
      if (clock_.on_) [[unlikely]]
        clock_.change_to(outer_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    HostClock& clock_;
    HostUnit outer_ = HostUnit::none;
  };

  /// Ticks of now() for each unit; the value of `none` has no meaning.
  using Ticks = std::array<std::uint64_t, kHostUnits>;
  /// Adds the time spent in scopes of each unit.
  void add_to(Ticks& sum) const {
    for (std::size_t unit = 0; unit < kHostUnits; ++unit) sum[unit] += ticks_[unit];
  }

  /// A clock that is cheap to read; its frequency is unknown.
  static std::uint64_t now() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }

 private:
  HostUnit change_to(HostUnit unit) {
    const std::uint64_t now = HostClock::now();
    ticks_[static_cast<std::size_t>(unit_)] += now - since_;
    since_ = now;
    const HostUnit before = unit_;
    unit_ = unit;
    return before;
  }

  bool on_;
  HostUnit unit_ = HostUnit::none;
  std::uint64_t since_ = 0;
  Ticks ticks_{};
};

/// The length of a tick, measured from construction on.
class HostTickRate {
 public:
  HostTickRate();
  double seconds_per_tick() const;

 private:
  std::uint64_t ticks_;
  double seconds_;
};

/// The time of each unit, and as "cycle" the rest of the whole (on one thread).
std::vector<HostTime> host_times(const HostClock::Ticks& ticks, double seconds_per_tick);

}  // namespace raddle::machine
