// Turns operands into virtual registers and constants, with the checks of ptxas.
#pragma once

#include "isa/lower/addresses.h"

namespace raddle::isa {

class Operands {
 public:
  Operands(const ptx::Function& function, LirCode& code, ConstantPool& constants,
           Addresses& addresses, const Refusal& refuse)
      : function_(function),
        code_(code),
        constants_(constants),
        addresses_(addresses),
        refuse_(refuse) {}

  /// Sets what the operands of the next instructions may be (Takes).
  void set_takes(std::uint8_t takes) { takes_ = takes; }
  /// A source of type `type`: register, constant, symbol's address or special register.
  Ref source(const ptx::Operand& operand, ptx::Type type);
  /// A source of any type with this many bytes.
  Ref source_bytes(const ptx::Operand& operand, unsigned bytes);
  Ref constant(std::uint64_t low, unsigned bytes) { return constants_.constant(low, bytes); }
  /// The value of a constant in the encoding of `type`.
  std::uint64_t immediate_bits(const ptx::Operand& operand, ptx::Type type) const;
  /// Checks a cache policy: a 64-bit register without effect in raddle.
  void check_policy(const ptx::Operand& operand) const;
  Ref destination(const ptx::Operand& operand, ptx::Type type);
  /// As destination(), where `_` may stand for a discarded result.
  Ref destination_or_sink(const ptx::Operand& operand, ptx::Type type);
  /// Refuses a part, of `bytes` bytes, of a packed value in a register that is wider than one byte.
  void check_part(const ptx::Operand& part, unsigned bytes) const;
  /// Refuses a register of floats for integers and the reverse, and a register of wider floats.
  void check_class(std::uint32_t id, ptx::Type wanted) const;
  /// Refuses a register that is wider than `wanted` and of another class; for floats, any typed
  /// one.
  void check_wider(std::uint32_t id, ptx::Type wanted) const;
  /// Refuses a special register for a type that is no integer, or that is narrower than the
  /// register.
  void check_special_width(const ptx::Operand& special, ptx::Type wanted) const;
  /// Refuses a register that is declared with a type of its own.
  void check_untyped(const ptx::Operand& operand) const;
  /// Refuses a .f16x2 register for an operand with a type of its own, whatever the instruction's.
  void check_no_pair(const ptx::Operand& operand, ptx::Type wanted) const;
  /// The virtual register of a predicate.
  std::uint32_t predicate(const ptx::Operand& operand) const;
  std::uint32_t predicate_destination(const ptx::Operand& operand) const;
  /// A source that cannot be a constant.
  Ref register_of(const ptx::Operand& operand, ptx::Type type);
  void set_source_predicate(LirInstruction& lir, const ptx::Operand& operand) const;
  std::int64_t integer_constant(const ptx::Operand& operand) const;
  /// Refuses an integer constant outside `least` to `most`; `what` names it in the message.
  void check_range(const ptx::Operand& operand, std::int64_t least, std::int64_t most,
                   std::string_view what) const;
  /// Refuses a list of results that are all discarded: {_, _}.
  void expect_result(const std::vector<ptx::Operand>& results) const;
  /// The elements of {a, b, ...}, or the only element as a register alone.
  std::vector<ptx::Operand> registers(const ptx::Operand& operand, unsigned count) const;
  /// Refuses a register that cannot hold a `wanted`; `exact_class`: keeps floats and integers
  /// apart.
  void check_register(std::uint32_t id, ptx::Type wanted, bool exact_class) const;

 private:
  bool may_take(Takes what) const;
  Ref special(const ptx::Operand& operand, unsigned bytes);
  Ref packed(const ptx::Operand& vector, ptx::Type type);

  const ptx::Function& function_;
  LirCode& code_;
  ConstantPool& constants_;
  Addresses& addresses_;
  const Refusal& refuse_;
  std::uint8_t takes_ = 0;
};

bool is_warp_size(const ptx::Operand& special);
/// Whether it is %clock or the like. Its value depends on the blocks before, so it waits for the
/// block's turn on the functional machine.
bool reads_clock(const ptx::Operand& special);

/// The untyped type of 1, 2, 4, 8 or 16 bytes.
ptx::Type bits_type(unsigned bytes);

}  // namespace raddle::isa
