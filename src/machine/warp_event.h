// What a warp waits for at a known cycle.
#pragma once

#include <cstdint>

#include "machine/scoreboard/timing_wheel.h"

namespace raddle::machine {

struct WarpEvent {
  enum class Kind : std::uint8_t {
    result,         // of an arithmetic instruction
    memory_result,  // of a memory instruction
    memory_write,   // its result, which had to wait for a result bus
    wake            // the warp may fetch again, or has slept enough
  } kind = Kind::result;
  std::uint8_t warp = 0;   // slot
  std::uint32_t code = 0;  // index in Program::code of the instruction that caused it
};
using WarpEvents = TimingWheel<WarpEvent>;

}  // namespace raddle::machine
