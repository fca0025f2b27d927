// Parameters and results of functions: copies between registers and the frame's memory. The
// elements of a vector register lie one after the other; a predicate is a word that is 0 or 1.
#pragma once

#include "isa/lower/lowering.h"

namespace raddle::isa {

class Arguments {
 public:
  explicit Arguments(Lowering& lower) : lower_(lower) {}

  /// Copies the registers of a formal in .reg space (all elements of a vector) from or to its
  /// place.
  void load_formal(const ptx::Variable& formal, std::uint32_t offset);
  void store_formal(const ptx::Variable& formal, std::uint32_t offset);
  /// The place in this function's frame where the value of an actual parameter is, or where a
  /// result goes. Registers and constants get a new place there.
  std::uint32_t place(const ptx::Operand& operand, const ptx::Variable& formal, bool result);
  /// Refuses a .param variable that differs from the formal one in size, type or alignment.
  void check_actual(const ptx::Operand& operand, const ptx::Variable& formal) const;
  /// Copies the result that a call has left at `offset` of the frame to the register in the
  /// program.
  void receive_result(const ptx::Operand& to, const ptx::Variable& formal, std::uint32_t offset);

 private:
  void access_frame(bool store, Ref value, unsigned bytes, std::uint32_t offset);
  Ref word_of_predicate(const ptx::Operand& operand);
  void predicate_of_word(std::uint32_t predicate, Ref word);
  void pass_element(const ptx::Operand& operand, const ptx::Variable& formal, std::uint32_t offset);
  void receive_element(const ptx::Operand& to, const ptx::Variable& formal, std::uint32_t offset);

  Lowering& lower_;
};

}  // namespace raddle::isa
