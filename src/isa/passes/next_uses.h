// The distance from a place of a function to the next use of a register's value. (M. Braun, S.
// Hack: Register Spilling and Live-Range Splitting for SSA-Form Programs, CC 2009, section 4.1:
// distances over the paths of the program; paths out of a loop are long.)
#pragma once

#include <cstdint>
#include <vector>

#include "isa/passes/loops.h"

namespace raddle::isa {

class NextUses {
 public:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  /// Extra distance for leaving a loop, so that uses inside the loop come first.
  static constexpr std::uint32_t kLoopExit = 100'000;

  /// For general registers of threads; the function must not change.
  NextUses(const FunctionBody& body, const Loops& loops);

  /// A register that may hold a needed value at the beginning of the block, and the number of
  /// instructions before its use. Lists are in ascending order of registers.
  struct Use {
    std::uint32_t reg = 0, distance = kNever;
  };
  const std::vector<Use>& at_start(BlockId block) const { return in_[block]; }
  /// kNever: the value is not needed there.
  std::uint32_t at_start(BlockId block, std::uint32_t reg) const { return find(in_[block], reg); }

  /// Goes to a block. Then distances are available from the beginning of its instructions on.
  void enter(BlockId block);
  /// The distance from the place before the block's n-th instruction.
  std::uint32_t operator()(std::uint32_t reg, std::uint32_t n) const;

  /// Whether the register takes room that spilling can free.
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
  std::vector<std::vector<std::uint32_t>> ended_;  // [block] the first mention is a write
  std::vector<std::vector<bool>> defined_;         // [block][register] some path has written it
  std::vector<std::vector<Mention>> mentions_;     // [register] in the current block
  std::vector<std::uint32_t> mentioned_;
  std::vector<std::uint32_t> out_;  // [register] after the current block
  std::uint32_t length_ = 0;        // of the current block
};

}  // namespace raddle::isa
