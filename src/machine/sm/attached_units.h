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

  /// The texture unit executes memory instructions, and has neither number nor clock of its own.
  /// `now`: the cycle in which the SM is, or was.
  void make_texture_unit(const GpuConfig& config, const Cycle& now);
  SmUnit& texture() { return texture_->unit(); }

  /// Adds the unit that `make` makes, which executes instructions with this number in
  /// isa::Instruction::unit; false when it makes none. Before the first block. `now`: the cycle,
  /// also while the SM sleeps.
  using MakeUnit = std::function<std::unique_ptr<SmUnit>(SmPort&)>;
  bool add(unsigned number, const Cycle& now, MessageEndpoint* messages, const MakeUnit& make);
  /// Mechanisms have brought none.
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
  /// Whether units are told of all memory instructions: tell_watchers().
  bool watched() const { return !watchers_.empty(); }
  void tell_watchers(PathId id, std::uint32_t code, const isa::MemoryAccess& access, Cycle now);

  // Time.
  void cycle(Cycle now);
  Cycle wake() const;
  /// A unit of which wake() is before `told`.
  struct Due {
    unsigned number;  // isa::Instruction::unit
    Cycle wake;
  };
  std::optional<Due> due_before(Cycle told) const;
  /// After the cycle: what units change for others.
  bool ask_commit() const;
  void commit();

  // Ends and departures; nothing is asked of the texture unit.
  void block_ended(const isa::BlockContext& block, Cycle now);
  void grid_ends(const Grid& grid, Cycle now);
  /// Nothing is under way.
  bool idle() const;
  /// What is under way and does not end, for a report.
  void describe_unfinished(std::string& text, unsigned& lines, unsigned most) const {
    for (const auto& port : attached_) port->describe_unfinished(text, lines, most);
  }
  /// Of a warp that leaves before its end: whether nothing of it is under way in units; they have
  /// so many bytes of its state; they forget its lanes that wait (all of which are to be woken
  /// where it goes on).
  bool drained(unsigned warp) const;
  std::uint64_t state_bytes(unsigned warp) const;
  void leave(unsigned warp, Cycle now);

 private:
  UnitPort::Parts parts_;
  std::unique_ptr<UnitPort> texture_;
  std::vector<std::unique_ptr<UnitPort>> attached_;  // with a clock of their own
  std::vector<UnitPort*> by_number_;                 // isa::Instruction::unit
  std::vector<UnitPort*> watchers_;                  // SmUnit::watches_accesses()
};

}  // namespace raddle::machine
