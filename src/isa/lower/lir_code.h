// A function's code while it is being lowered: its instructions so far and its virtual registers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isa/lower/lir.h"

namespace raddle::isa {

class LirCode {
 public:
  /// Returns the instruction's index.
  std::uint32_t push(LirInstruction lir) {
    instructions_.push_back(std::move(lir));
    return size() - 1;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(instructions_.size()); }
  LirInstruction& operator[](std::uint32_t n) { return instructions_[n]; }
  const std::vector<LirInstruction>& instructions() const { return instructions_; }
  std::vector<LirInstruction> take() { return std::exchange(instructions_, {}); }
  void put_back(std::vector<LirInstruction> all) { instructions_ = std::move(all); }

  /// Adds a virtual register of so many bytes, 0 for a predicate.
  std::uint32_t new_register(unsigned bytes) {
    bytes_.push_back(static_cast<std::uint8_t>(bytes));
    in_constant_bank_.push_back(false);
    return static_cast<std::uint32_t>(bytes_.size() - 1);
  }
  Ref scratch(unsigned bytes) { return Ref::reg(new_register(bytes)); }
  unsigned bytes(std::uint32_t id) const { return bytes_[id]; }
  bool is_predicate(std::uint32_t id) const { return bytes_[id] == 0; }
  const std::vector<std::uint8_t>& register_bytes() const { return bytes_; }

  /// Hardware reads the value from a constant bank and not from a register.
  void keep_in_constant_bank(std::uint32_t id) { in_constant_bank_[id] = true; }
  bool in_constant_bank(std::uint32_t id) const { return in_constant_bank_[id]; }

  /// The most registers that an assembler may use.
  static constexpr std::uint32_t kNoLimit = ~std::uint32_t{0};
  void limit_registers(std::uint32_t count) { register_limit_ = count; }
  std::uint32_t register_limit() const { return register_limit_; }

  /// The code of the next PTX instruction begins here: its labels lead here.
  void mark_start() { start_.push_back(size()); }
  /// Turns labels into targets, after all instructions are there.
  void resolve(const std::vector<ptx::Label>& labels) {
    for (LirInstruction& lir : instructions_) {
      for (const std::uint32_t label : std::exchange(lir.labels, {})) {
        const std::uint32_t at = labels[label].instruction;
        lir.targets.push_back(at == ptx::kNoId ? start_.back() : start_[at]);
      }
    }
  }

 private:
  std::vector<LirInstruction> instructions_;
  std::vector<std::uint32_t> start_;  // [ptx instruction, and one past the last]
  std::vector<std::uint8_t> bytes_;
  std::vector<bool> in_constant_bank_;
  std::uint32_t register_limit_ = kNoLimit;
};

}  // namespace raddle::isa
