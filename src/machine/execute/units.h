// The functional units of one multiprocessor: which pipes are free, and when busy pipes become
// free.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/types.h"
#include "isa/instruction.h"

namespace raddle::machine {

struct ExecuteConfig;  // execute/config.h

/// `integer`: for GPUs with integer units apart from the floating-point units (Volta and later).
enum class Unit : std::uint8_t {
  core,
  integer,
  special,
  double_precision,
  load_store,
  tensor,
  control,
  count_
};
inline constexpr std::size_t kUnits = static_cast<std::size_t>(Unit::count_);

class ExecuteUnits {
 public:
  ExecuteUnits(const ExecuteConfig& config, unsigned schedulers);

  /// Whether an instruction of this class can start in cycle `now` for this scheduler.
  bool can_issue(isa::Class klass, unsigned scheduler, Cycle now) const {
    const Timing& t = timing(klass);
    for (std::uint32_t rest = t.pipes & share_[scheduler]; rest != 0; rest &= rest - 1) {
      if (busy_until_[t.unit][static_cast<unsigned>(std::countr_zero(rest))] <= now) return true;
    }
    return false;
  }
  /// Takes a pipe; can_issue() was true. It takes the last free pipe, because the first ones can
  /// execute more classes. `steps`: number of intervals.
  void issue(isa::Class klass, unsigned scheduler, Cycle now, unsigned steps = 1) {
    const Timing& t = timing(klass);
    std::uint32_t rest = t.pipes & share_[scheduler];
    unsigned pipe = std::bit_width(rest) - 1u;
    while (busy_until_[t.unit][pipe] > now) {
      rest ^= 1u << pipe;
      pipe = std::bit_width(rest) - 1u;
    }
    busy_until_[t.unit][pipe] = now + t.interval * steps;
  }
  /// Cycles from issue to the issue of a user of the result.
  unsigned latency(isa::Class klass) const { return timing(klass).latency; }
  unsigned latency(const isa::Instruction& instruction) const {
    const Timing& t = timing(instruction.klass);
    const unsigned latency = t.latency + (steps(instruction) - 1) * t.interval;
    return instruction.guards && latency < guard_latency_ ? guard_latency_ : latency;
  }
  /// Whether the latency is known at issue. It is unknown for units with shared queues.
  bool fixed_latency(isa::Class klass) const {
    const auto unit = static_cast<Unit>(timing(klass).unit);
    return unit != Unit::special && unit != Unit::load_store;
  }
  /// How many intervals an instruction occupies its pipe. If all machine instructions of a sequence
  /// (Instruction::unit) are of its class, each takes one interval. For other sequences the
  /// interval is that of the whole sequence.
  static unsigned steps(const isa::Instruction& instruction) {
    if (instruction.klass <= isa::Class::int_shift) {
      return instruction.kind == isa::Kind::compute ? instruction.unit + 1u : 1;
    }
    return instruction.klass == isa::Class::tensor ? instruction.elements : 1;
  }

 private:
  static constexpr unsigned kMostPipes = 16;
  struct Timing {
    std::uint8_t unit = 0;
    std::uint32_t pipes = 0;  // a bit for each pipe
    std::uint32_t interval = 1, latency = 1;
  };
  const Timing& timing(isa::Class klass) const { return timing_[static_cast<std::size_t>(klass)]; }

  std::array<Timing, isa::kClassNumbers> timing_;
  unsigned guard_latency_;
  std::array<std::array<Cycle, kMostPipes>, kUnits> busy_until_{};
  std::array<std::uint32_t, 8> share_{};  // [scheduler]: the pipes it may use
};

}  // namespace raddle::machine
