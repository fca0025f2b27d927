// What becomes of a warp whose lanes go different ways.
#pragma once

#include <cstdint>

namespace raddle::machine {

enum class Divergence : std::uint8_t {
  simt_stack,           // before Volta: one path runs until it meets the others
  independent_threads,  // Volta and later: every path gets its turn
};

}  // namespace raddle::machine
