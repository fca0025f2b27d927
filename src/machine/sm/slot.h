// The outcome of a warp scheduler's cycle.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::machine {

/// A scheduler issued in a cycle, or the reason why it could not. The first reason that holds
/// counts.
enum class Slot : std::uint8_t {
  issued,
  unit_busy,
  operands,
  execution,
  memory,
  no_instruction,
  fetch,
  barrier,
  fence,
  runtime,
  unit,
  asleep,
  preempted,
  no_warp,
  count_
};
inline constexpr std::size_t kSlots = static_cast<std::size_t>(Slot::count_);

}  // namespace raddle::machine
