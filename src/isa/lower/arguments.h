// Parameters and results of functions: from registers to the frame's memory and back. A vector
// register is its elements one after the other; a predicate is a word that is 0 or 1.
#pragma once

#include "isa/lower/lowering.h"

namespace raddle::isa {

class Arguments {
 public:
  explicit Arguments(Lowering& lower) : lower_(lower) {}

  /// The register of a formal in .reg space (of a vector: all of them), from or to its place.
  void load_formal(const ptx::Variable& formal, std::uint32_t offset);
  void store_formal(const ptx::Variable& formal, std::uint32_t offset);
  /// Where in this function's frame the value of an actual parameter is (or, of a result, goes).
  /// Registers and constants get a place of their own there.
  std::uint32_t place(const ptx::Operand& operand, const ptx::Variable& formal, bool result);
  /// Refuses a .param variable that is not what the function has there: in size, type or alignment.
  void check_actual(const ptx::Operand& operand, const ptx::Variable& formal) const;
  /// What a call has left at `offset` of the frame, to the register that the program names.
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
