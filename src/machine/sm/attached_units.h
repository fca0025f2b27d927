// The units of the multiprocessor that are SmUnits: the texture unit, and those of mechanisms.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "machine/sm/unit_port.h"

namespace raddle::machine {

struct Grid;

class AttachedUnits {
 public:
  explicit AttachedUnits(const UnitPort::Parts& parts) : parts_(parts) {}

  /// The texture unit executes memory instructions; it has no number and no cycle() of its own.
  /// `now`: the present cycle of the SM, or its last one.
  void make_texture_unit(const GpuConfig& config, const Cycle& now);
  SmUnit& texture() { return texture_->unit(); }

  /// Adds the unit that `make` makes. It executes instructions with this number in
  /// isa::Instruction::unit. Returns false if `make` makes no unit. Call it before the first block.
  /// `now`: the present cycle, also while the SM sleeps.
  using MakeUnit = std::function<std::unique_ptr<SmUnit>(SmPort&)>;
  bool add(unsigned number, const Cycle& now, MessageEndpoint* messages, const MakeUnit& make);
  /// Mechanisms have brought no unit.
  bool empty() const { return attached_.empty(); }

  // Instructions.
  SmUnit& unit_of(const isa::Instruction& instruction) const {
    return by_number_[instruction.unit]->unit();
  }
  bool can_issue(const isa::Instruction& instruction, Cycle now) const {
    return unit_of(instruction).can_issue(instruction, now);
  }
  bool collects_operands(const isa::Instruction& instruction) const {
    return instruction.kind != isa::Kind::unit ||
           unit_of(instruction).collects_operands(instruction);
  }
  /// A `unit_result` or `unit_write` event.
  void result_event(WarpEvent event, Cycle now) {
    by_number_[UnitPort::unit_of(event)]->result_event(event, now);
  }
  void lanes_ended(const isa::WarpContext& warp, LaneMask lanes, Cycle now);
  /// Whether units must be told of all memory instructions, through tell_watchers().
  bool watched() const { return !watchers_.empty(); }
  void tell_watchers(PathId id, std::uint32_t code, const isa::MemoryAccess& access, Cycle now);

  // Time.
  void cycle(Cycle now);
  Cycle wake() const;
  /// A unit whose wake() is before `told`.
  struct Due {
    unsigned number;  // isa::Instruction::unit
    Cycle wake;
  };
  std::optional<Due> due_before(Cycle told) const;
  /// After the cycle: units change state that others see.
  bool ask_commit() const;
  void commit();

  // Ends and departures; the texture unit takes no part.
  void block_ended(const isa::BlockContext& block, Cycle now);
  void grid_ends(const Grid& grid, Cycle now);
  /// No unit has an operation in flight.
  bool idle() const;
  /// Adds unfinished operations to a report.
  void describe_unfinished(std::string& text, unsigned& lines, unsigned most) const {
    for (const auto& port : attached_) port->describe_unfinished(text, lines, most);
  }
  /// For a warp that leaves before its end: whether its operations in units have ended; the bytes
  /// of its state in units; and units forget its waiting lanes, all of which are woken where it
  /// continues.
  bool drained(unsigned warp) const;
  std::uint64_t state_bytes(unsigned warp) const;
  void leave(unsigned warp, Cycle now);

 private:
  UnitPort::Parts parts_;
  std::unique_ptr<UnitPort> texture_;
  std::vector<std::unique_ptr<UnitPort>> attached_;  // units with a cycle() of their own
  std::vector<UnitPort*> by_number_;                 // isa::Instruction::unit
  std::vector<UnitPort*> watchers_;                  // SmUnit::watches_accesses()
};

}  // namespace raddle::machine
