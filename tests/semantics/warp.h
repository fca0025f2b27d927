// A warp with a few registers, to run single instructions.
#pragma once

#include <array>
#include <cstring>

#include "isa/table.h"
#include "isa/warp_context.h"

namespace raddle::isa {

class TestWarp {
 public:
  static constexpr unsigned kRows = 16;

  TestWarp() {
    context.rows = rows_.data();
    context.constants = constants_.data();
    context.predicates = predicates.data();
    context.active = kAllLanes;
    predicates[kTruePredicate] = kAllLanes;
  }

  static Slot row(unsigned n) { return n * kRowBytes; }
  std::uint32_t* u32(unsigned first_row) {
    return context.destination<std::uint32_t>(row(first_row));
  }
  std::uint64_t* u64(unsigned first_row) {
    return context.destination<std::uint64_t>(row(first_row));
  }
  std::uint32_t* constant(unsigned n) {
    return reinterpret_cast<std::uint32_t*>(constants_.data() + row(n));
  }

  void run(Execute execute, const Instruction& instruction) { execute(context, instruction); }

  WarpContext context;
  std::array<LaneMask, 8> predicates = {};

 private:
  alignas(64) std::array<std::byte, kRows * kRowBytes> rows_ = {};
  alignas(64) std::array<std::byte, 4 * kRowBytes> constants_ = {};
};

}  // namespace raddle::isa
