// How many registers a stretch of a basic block needs at once, for any order of its instructions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/target.h"

namespace raddle::isa {

/// 32-bit registers, and predicates.
struct RegisterCount {
  int general = 0, predicates = 0;
  RegisterCount& operator+=(const RegisterCount& o) {
    general += o.general;
    predicates += o.predicates;
    return *this;
  }
};
RegisterCount registers_of(const FunctionBody& body, std::uint32_t reg);

/// Registers whose values are needed at a place; walks backwards through blocks.
class LiveSet {
 public:
  explicit LiveSet(const FunctionBody& body) : body_(body), live_(body.register_count(), false) {}
  /// Goes to the end of the block.
  void begin(BlockId block);
  /// Goes back to the place before the instruction.
  void step_back(const LirInstruction& lir);
  bool operator[](std::uint32_t reg) const { return live_[reg]; }
  const RegisterCount& count() const { return count_; }
  /// Calls f(register) for each live register.
  template <class F>
  void for_each(F f) const {
    for (const std::uint32_t reg : touched_) {
      if (live_[reg]) f(reg);
    }
  }

 private:
  void set(std::uint32_t reg, bool live);
  const FunctionBody& body_;
  std::vector<bool> live_;
  std::vector<std::uint32_t> touched_;
  RegisterCount count_;
};

/// Registers reserved for the needs of assemblers: a pointer to local memory, and pairs that begin
/// at even numbers.
inline constexpr int kRegisterSlack = 2;

/// General registers that the function's directives (.maxntid, .minnctapersm, .maxnreg) allow.
int allowed_registers(const FunctionBody& body, const PassTarget& target);

/// The most registers that the function needs at any place.
RegisterCount most_needed(const FunctionBody& body);

/// The values that a stretch of instructions reads and writes. An instruction that writes only some
/// lanes reads the value and continues it. Orders may differ as long as each reader still finds the
/// same value.
class StretchValues {
 public:
  StretchValues(const FunctionBody& body, std::span<const InstructionId> stretch,
                const LiveSet& live_behind);

  /// At the beginning of the stretch, including values that it does not touch.
  RegisterCount at_start() const { return start_; }
  /// Starts a new order.
  void restart();
  /// The change in live registers if the n-th instruction of the stretch issued.
  RegisterCount change(std::uint32_t n) const;
  /// Registers that the instruction needs while it runs, beyond those that are live before it.
  RegisterCount written(std::uint32_t n) const;
  void issue(std::uint32_t n);

 private:
  struct Value {
    std::uint32_t reg = 0;
    std::uint32_t uses = 0;  // in the stretch, plus one if the value is needed after it
  };
  const FunctionBody& body_;
  std::vector<Value> values_;
  std::vector<std::vector<std::uint32_t>> uses_,
      makes_;                        // [instruction] values; uses without twins
  std::vector<std::uint32_t> left_;  // [value] uses to come
  RegisterCount start_;
};

}  // namespace raddle::isa
