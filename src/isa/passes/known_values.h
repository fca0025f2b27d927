// Values of registers in terms of other registers, for passes that walk over a function once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/passes/definitions.h"

namespace raddle::isa {

/// The register on which a value depends, which must be unchanged; kNoId: none.
inline std::uint32_t register_of(const Ref& ref) { return ref.is_register() ? ref.id : ptx::kNoId; }
inline std::uint32_t register_of(const Offset& sum) { return register_of(sum.base); }

/// Follows a walk over the function, block by block. A register has the value that an instruction
/// gives it everywhere if that is its only definition, and else after it in the same block. The
/// value is known as long as the register on which it depends has not been written since.
template <class Value>
class KnownValues {
 public:
  explicit KnownValues(const FunctionBody& body)
      : body_(body),
        definitions_(body),
        version_(body.register_count(), 0),
        local_(body.register_count()) {}

  const Definitions& definitions() const { return definitions_; }

  void begin_block() { ++block_; }
  /// Advances past the instruction; `given`: the known value of its `d`, if any.
  void step(const LirInstruction& lir, const std::optional<Value>& given) {
    lir.for_each_write([&](std::uint32_t reg) {
      ++version_[reg];
      local_[reg].block = 0;
    });
    if (!given || register_of(*given) == lir.d.id) return;
    local_[lir.d.id] = {block_, *given, version(*given)};
  }

  /// The value of the register here. `given_by(lir)`: as `given`.
  template <class GivenBy>
  std::optional<Value> find(std::uint32_t reg, GivenBy given_by) const {
    const Local& local = local_[reg];
    if (local.block == block_ && version(local.value) == local.version) return local.value;
    const InstructionId single = definitions_.single(reg);
    if (single == kNoInstruction) return std::nullopt;
    const std::optional<Value> value = given_by(body_[single]);
    if (!value) return std::nullopt;
    const std::uint32_t from = register_of(*value);
    const bool lasting = from == ptx::kNoId || definitions_.single(from) != kNoInstruction;
    return lasting ? value : std::nullopt;
  }

 private:
  struct Local {
    std::uint32_t block = 0;  // where it is valid
    Value value;
    std::uint32_t version = 0;  // of register_of(value)
  };

  std::uint32_t version(const Value& value) const {
    const std::uint32_t from = register_of(value);
    return from == ptx::kNoId ? 0 : version_[from];
  }

  const FunctionBody& body_;
  Definitions definitions_;
  std::vector<std::uint32_t> version_;  // [register] number of writes so far
  std::vector<Local> local_;            // [register]
  std::uint32_t block_ = 0;
};

}  // namespace raddle::isa
