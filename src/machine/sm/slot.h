// What a warp scheduler does with a cycle.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::machine {

/// What a scheduler did with a cycle: issued, or why it could not. The first that holds counts.
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
