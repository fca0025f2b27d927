// The order in which a function's code is emitted where passes have joined the two sides of branches
// (JointPlace, lir.h): in place of both sides one sequence, through which all lanes of the branch go
// together. The branch becomes an instruction that keeps which lanes it would have parted; each
// instruction is for those of its side, a pair for both, each with registers of its own. Registers have
// been allocated before, for the sides as they were.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/lower/lir_code.h"

namespace raddle::isa {

struct EmittedItem {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t first = 0;        // an instruction of the LirCode
  std::uint32_t second = kNone;   // of the side that falls through, issued with `first`
  bool begins = false;            // the branch of a joint sequence
  bool ends_segment = false;      // behind it lanes of one side may have nothing to do
  std::uint32_t segment_end = 0;  // of one side alone: the item behind its segment, or its piece
};

struct EmissionOrder {
  std::vector<EmittedItem> items;
  std::vector<std::uint32_t> item_of;  // [instruction]: its item, or that which takes its place
  bool joint = false;                  // there are joint sequences
};

/// Sides go to where their branch is. Throws Error if a pass has given places that make no sequence.
EmissionOrder emission_order(const LirCode& code, std::string_view function);

}  // namespace raddle::isa
