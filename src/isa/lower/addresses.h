// Places of symbols, and the operands that are addresses.
#pragma once

#include "isa/lower/constant_pool.h"
#include "isa/lower/frame_layout.h"
#include "isa/lower/linkage.h"
#include "isa/lower/lir_code.h"
#include "isa/lower/refusal.h"

namespace raddle::isa {

struct SymbolPlace {
  enum class Kind : std::uint8_t { absolute, frame, dynamic_shared, parameter } kind;
  std::uint64_t value = 0;
  ptx::Space space = ptx::Space::generic;
};

class Addresses {
 public:
  Addresses(const LinkedFunction& linked, Linkage& linkage, const FrameLayout& frame, LirCode& code,
            ConstantPool& constants, const Refusal& refuse)
      : linked_(linked),
        linkage_(linkage),
        frame_(frame),
        code_(code),
        constants_(constants),
        refuse_(refuse) {}

  /// Sets what the operands of the next instructions may be (Takes).
  void set_takes(std::uint8_t takes) { takes_ = takes; }
  SymbolPlace place_of(const ptx::Operand& symbol) const;
  /// The address of a symbol as a value of 4 or 8 bytes.
  Ref of_symbol(const ptx::Operand& symbol, unsigned bytes);
  /// Sets s[0], immediate and address flags for an operand in brackets; returns the state space to
  /// access. `named`: the space that the instruction names.
  ptx::Space form(LirInstruction& lir, const ptx::Operand& operand, ptx::Space named);

 private:
  SymbolPlace place_of(const LinkedVariable& linked, std::uint64_t offset) const;
  Ref in_constant_window(std::uint32_t reg);
  bool is_float(std::uint32_t reg) const;
  ptx::Space form_of_symbol(LirInstruction& lir, const ptx::Operand& symbol, ptx::Space named);

  std::uint8_t takes_ = 0;
  const LinkedFunction& linked_;
  Linkage& linkage_;
  const FrameLayout& frame_;
  LirCode& code_;
  ConstantPool& constants_;
  const Refusal& refuse_;
};

}  // namespace raddle::isa
