// How far it is from a place of a function to the next use of a register's value.
// (M. Braun, S. Hack: Register Spilling and Live-Range Splitting for SSA-Form Programs, CC 2009,
// section 4.1: distances over the ways of the program, those out of a loop being long.)
#pragma once

#include <cstdint>
#include <vector>

#include "isa/passes/loops.h"

namespace raddle::isa {

class NextUses {
 public:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  /// What leaving a loop adds: what is used in it comes first.
  static constexpr std::uint32_t kLoopExit = 100'000;

  /// Of general registers of threads; the function must not change.
  NextUses(const FunctionBody& body, const Loops& loops);

  /// The registers that may hold a value which is needed at the beginning of the block, ascending,
  /// and how many instructions there are before its use.
  struct Use {
    std::uint32_t reg = 0, distance = kNever;
  };
  const std::vector<Use>& at_start(BlockId block) const { return in_[block]; }
  /// kNever: it is not needed there.
  std::uint32_t at_start(BlockId block, std::uint32_t reg) const { return find(in_[block], reg); }

  /// Goes to a block; distances can be asked for from the beginning of its instructions on.
  void enter(BlockId block);
  /// From before the block's n-th instruction.
  std::uint32_t operator()(std::uint32_t reg, std::uint32_t n) const;

  /// Whether the register takes room that spilling can give back.
  static bool counts(const FunctionBody& body, std::uint32_t reg) {
    return body.register_bytes(reg) != 0 && !body.in_constant_bank(reg);
  }

 private:
  /// Where a block names the register: a use, or the end of the value.
  struct Mention {
    std::uint32_t at = 0;
    bool use = false;
  };
  static std::uint32_t find(const std::vector<Use>& uses, std::uint32_t reg);
  template <class F>
  void for_each_mention(BlockId block, F f) const;
  void find_exposed(BlockId block);
  void find_defined();
  std::vector<Use> behind(BlockId block) const;
  bool update(BlockId block);

  const FunctionBody& body_;
  const Loops& loops_;
  std::vector<std::vector<Use>> in_, exposed_;     // [block]
  std::vector<std::vector<std::uint32_t>> ended_;  // [block] first mentioned by a write
  std::vector<std::vector<bool>> defined_;         // [block][register] some way has written it
  std::vector<std::vector<Mention>> mentions_;     // [register] in the block entered
  std::vector<std::uint32_t> mentioned_;
  std::vector<std::uint32_t> out_;  // [register] behind the block entered
  std::uint32_t length_ = 0;        // of the block entered
};

}  // namespace raddle::isa
