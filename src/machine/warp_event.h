// An event at a known cycle for which a path of a warp waits.
#pragma once

#include <cstdint>

#include "machine/scoreboard/timing_wheel.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

struct WarpEvent {
  enum class Kind : std::uint8_t {
    result,         // of an arithmetic instruction
    memory_result,  // of a memory instruction
    memory_write,   // a memory result that had to wait for a result bus
    unit_result,    // of an instruction that a unit has executed
    unit_write,     // a unit's result that had to wait for a result bus
    wake            // the warp may fetch again, or has slept enough
  } kind = Kind::result;
  PathId path = 0;         // the path that waits
  std::uint32_t code = 0;  // index in Program::code of the cause; for a unit's result, its number
};
using WarpEvents = TimingWheel<WarpEvent>;

}  // namespace raddle::machine
