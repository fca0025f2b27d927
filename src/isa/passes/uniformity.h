// Which registers hold the same value in all lanes of a warp that run together, as far as an assembler
// knows (docs/machine_code.md).
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
  /// Blocks at whose end lanes may part, in the order in which they lie.
  const std::vector<BlockId>& parting() const { return parting_; }

 private:
  bool spread(BlockId block);
  bool note(const LirInstruction& lir);
  bool is_divergent(const LirInstruction& lir) const;
  void part(BlockId block);

  const FunctionBody& body_;
  std::vector<bool> differs_;  // [register]
  std::vector<BlockId> parting_;
  std::vector<bool> parts_;  // [BlockId] it is one of these
};

/// Blocks that control may come to from `from` before it comes to `end`, which is one of them if it
/// does. [BlockId]
std::vector<bool> reached_before(const FunctionBody& body, const std::vector<BlockId>& from,
                                 BlockId end);

}  // namespace raddle::isa
