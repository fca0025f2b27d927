// The constants of a function: rows with the same value for every lane.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "isa/lower/lir.h"
#include "isa/program.h"

namespace raddle::isa {

class ConstantPool {
 public:
  explicit ConstantPool(Function& out) : out_(out) {}

  /// A value of 1, 2, 4, 8 or 16 bytes; `high`: the upper half of 16. The same value has the same
  /// row.
  Ref constant(std::uint64_t low, unsigned bytes, std::uint64_t high = 0);
  /// The value of a constant of at most 8 bytes; nullopt for registers and lists.
  std::optional<std::uint64_t> value(const Ref& ref) const;
  /// A new row, which emission fills with the slots of LirInstruction::list.
  Ref list_row();

 private:
  Function& out_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Slot> known_[5];  // by log2 of the bytes
  std::unordered_map<Slot, std::uint64_t> values_;                    // of at most 8 bytes each
};

}  // namespace raddle::isa
