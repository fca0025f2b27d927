// The order in which a function's code is emitted where passes have joined the two sides of
// branches (JointPlace, lir.h). One sequence replaces both sides, and all lanes of the branch run
// through it together. The branch becomes an instruction that records which lanes would have
// diverged. Each instruction runs for the lanes of its side; a pair runs for both, each half with
// its own registers. Register allocation came before, for the sides as they were.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/lower/lir_code.h"

namespace raddle::isa {

struct EmittedItem {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t first = 0;        // an instruction of the LirCode
  std::uint32_t second = kNone;   // one of the side that falls through, which issues with `first`
  bool begins = false;            // the branch of a joint sequence
  bool ends_segment = false;      // after it, lanes of one side may have nothing to do
  std::uint32_t segment_end = 0;  // of one side alone: the item after its segment or piece
};

struct EmissionOrder {
  std::vector<EmittedItem> items;
  std::vector<std::uint32_t> item_of;  // [instruction]: its item, or the one that replaces it
  bool joint = false;                  // there are joint sequences
};

/// Puts sides where their branch is. Throws Error if the places that a pass has given form no
/// sequence.
EmissionOrder emission_order(const LirCode& code, std::string_view function);

}  // namespace raddle::isa
