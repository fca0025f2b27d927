// Which registers hold the same value in all lanes of a warp that run together, as far as an
// assembler knows (docs/machine_code.md).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

class Uniformity {
 public:
  explicit Uniformity(const FunctionBody& body);

  /// Whether the register may differ between lanes; predicates too.
  bool differs(std::uint32_t reg) const { return differs_[reg]; }
  /// Blocks at whose end lanes may diverge, in the order of the code.
  const std::vector<BlockId>& parting() const { return parting_; }

 private:
  bool spread(BlockId block);
  bool note(const LirInstruction& lir);
  bool is_divergent(const LirInstruction& lir) const;
  void part(BlockId block);

  const FunctionBody& body_;
  std::vector<bool> differs_;  // [register]
  std::vector<BlockId> parting_;
  std::vector<bool> parts_;  // [BlockId] it is in parting_
};

/// [BlockId] Blocks that control may reach from `from` before it reaches `end`; includes `end` if
/// it is reached.
std::vector<bool> reached_before(const FunctionBody& body, const std::vector<BlockId>& from,
                                 BlockId end);

}  // namespace raddle::isa
