// From virtual registers to code: flow, passes, physical places.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "isa/lower/function_lowering.h"
#include "ptx/passes/passes.h"

namespace raddle::isa {
namespace {

unsigned rows_of(unsigned bytes) { return bytes <= 4 ? 1 : bytes / 4; }

void add_rows(RegisterSet& set, Slot slot, unsigned rows) {
  for (unsigned r = 0; r < rows; ++r) {
    const unsigned row = (slot / kRowBytes + r) % 256;
    set.rows[row / 64] |= std::uint64_t{1} << (row % 64);
  }
}

void add_predicate(RegisterSet& set, std::uint16_t predicate) {
  if (predicate >= kFirstPredicate) set.predicates |= std::uint64_t{1} << (predicate % 64);
}

}  // namespace

struct FunctionLowering::Places {
  ptx::Allocation allocation;
  std::uint16_t predicate(std::uint32_t id, std::uint16_t otherwise) const {
    if (id == ptx::kNoId || allocation.place[id] == ptx::Allocation::kUnused) return otherwise;
    return static_cast<std::uint16_t>(allocation.place[id] + kFirstPredicate);
  }
};

std::uint32_t FunctionLowering::target_of(const LirInstruction& lir) const {
  if (lir.local_target != ptx::kNoId) return lir.local_target;
  return start_[function_.labels[lir.label].instruction == ptx::kNoId
                    ? start_.size() - 1
                    : function_.labels[lir.label].instruction];
}

ptx::FlowFunction FunctionLowering::flow() const {
  ptx::FlowFunction flow;
  for (std::uint8_t bytes : bytes_) {
    ptx::FlowRegister reg;
    reg.file = bytes == 0 ? ptx::FlowRegister::File::predicate : ptx::FlowRegister::File::general;
    reg.rows = static_cast<std::uint8_t>(rows_of(bytes));
    flow.registers.push_back(reg);
  }
  const auto note = [](std::vector<std::uint32_t>& list, const Ref& ref) {
    if (ref.kind == Ref::Kind::reg) list.push_back(ref.id);
  };
  const auto note_id = [](std::vector<std::uint32_t>& list, std::uint32_t id) {
    if (id != ptx::kNoId) list.push_back(id);
  };
  for (const LirInstruction& lir : lir_) {
    ptx::FlowInstruction out;
    out.falls_through = lir.falls_through;
    out.conditional = lir.guard != ptx::kNoId;
    note(lir.reads_d ? out.reads : out.writes, lir.d);
    for (unsigned n = 0; n < 4; ++n) note(lir.writes_s[n] ? out.writes : out.reads, lir.s[n]);
    for (std::size_t n = 0; n < lir.list.size(); ++n) {
      note(n < lir.list_writes ? out.writes : out.reads, lir.list[n]);
    }
    note_id(out.reads, lir.guard);
    note_id(out.reads, lir.source_predicate);
    note_id(out.reads, lir.predicate_source);
    note_id(out.writes, lir.p);
    note_id(out.writes, lir.q);
    if (!lir.table.empty()) {
      for (std::uint32_t label : lir.table) {
        LirInstruction branch;
        branch.label = label;
        out.targets.push_back(target_of(branch));
      }
    } else if (lir.label != ptx::kNoId || lir.local_target != ptx::kNoId) {
      out.targets.push_back(target_of(lir));
    }
    flow.instructions.push_back(std::move(out));
  }
  return flow;
}

Slot FunctionLowering::slot_of(const Ref& ref, const Places& places) const {
  switch (ref.kind) {
    case Ref::Kind::reg: {
      const std::uint32_t place = places.allocation.place[ref.id];
      return place == ptx::Allocation::kUnused ? 0 : place * kRowBytes;
    }
    case Ref::Kind::constant:
      return ref.id;
    default:
      return 0;
  }
}

/// The slots of listed operands, into the row of constants that waits for them.
void FunctionLowering::fill_list(const LirInstruction& lir, const Places& places) {
  if (lir.list.empty()) return;
  std::vector<Slot> slots;
  for (const Ref& ref : lir.list) slots.push_back(slot_of(ref, places));
  std::memcpy(&out_.constants[lir.s[0].id & ~kConstantBit], slots.data(),
              slots.size() * sizeof(Slot));
}

Instruction FunctionLowering::physical(const LirInstruction& lir, const Places& places) const {
  Instruction out = lir.out;
  out.function = static_cast<std::uint16_t>(linked_.index);
  out.d = slot_of(lir.d, places);
  for (unsigned n = 0; n < 4; ++n) out.s[n] = slot_of(lir.s[n], places);
  out.guard = places.predicate(lir.guard, kTruePredicate);
  out.guard_flip = lir.guard_negated ? kAllLanes : 0;
  out.p = places.predicate(lir.p, kSinkPredicate);
  out.q = places.predicate(lir.q, kSinkPredicate);
  out.source_predicate = places.predicate(lir.source_predicate, kTruePredicate);
  out.source_flip = lir.source_negated ? kAllLanes : 0;
  if (lir.predicate_source != ptx::kNoId) {
    out.s[lir.predicate_slot] = places.predicate(lir.predicate_source, kTruePredicate) |
                                (lir.predicate_negated ? kConstantBit : 0);
  }
  return out;
}

void FunctionLowering::note_registers(const LirInstruction& lir, const Places& places,
                                      RegisterSet& reads, RegisterSet& writes) const {
  const auto note = [&](RegisterSet& set, const Ref& ref) {
    if (ref.kind == Ref::Kind::reg) add_rows(set, slot_of(ref, places), rows_of(bytes_[ref.id]));
  };
  note(lir.reads_d ? reads : writes, lir.d);
  for (unsigned n = 0; n < 4; ++n) note(lir.writes_s[n] ? writes : reads, lir.s[n]);
  for (std::size_t n = 0; n < lir.list.size(); ++n) {
    note(n < lir.list_writes ? writes : reads, lir.list[n]);
  }
  add_predicate(reads, places.predicate(lir.guard, kTruePredicate));
  add_predicate(reads, places.predicate(lir.source_predicate, kTruePredicate));
  add_predicate(reads, places.predicate(lir.predicate_source, kTruePredicate));
  add_predicate(writes, places.predicate(lir.p, kSinkPredicate));
  add_predicate(writes, places.predicate(lir.q, kSinkPredicate));
}

SourceRegisters FunctionLowering::source_registers(const LirInstruction& lir, const Places& places,
                                                   const RegisterSet& reads) const {
  constexpr unsigned kResidues = 16, kMost = 15;
  SourceRegisters sources;
  for (unsigned row = 0; row < 256 && sources.count < kMost; ++row) {
    if ((reads.rows[row / 64] >> (row % 64) & 1) == 0) continue;
    sources.residues += std::uint64_t{1} << (4 * (row % kResidues));
    ++sources.count;
  }
  for (unsigned n = 0; n < std::size(sources.width); ++n) {
    const Ref& ref = lir.s[n];
    if (ref.kind != Ref::Kind::reg || lir.writes_s[n]) continue;
    const auto same = [&](const Ref& other) {
      return other.kind == Ref::Kind::reg && other.id == ref.id;
    };
    if (std::any_of(lir.s.begin(), lir.s.begin() + n, same)) continue;
    sources.width[n] = static_cast<std::uint8_t>(rows_of(bytes_[ref.id]));
    sources.number[n] = static_cast<std::uint16_t>(slot_of(ref, places) / kRowBytes);
  }
  return sources;
}

void FunctionLowering::emit() {
  const ptx::FlowFunction flow_function = flow();
  const ptx::ControlFlowGraph cfg = ptx::build_cfg(flow_function);
  const auto post_dominators = ptx::immediate_post_dominators(cfg);
  const ptx::Liveness live = ptx::liveness(flow_function, cfg);
  Places places{ptx::allocate_registers(flow_function, cfg, live)};
#ifdef RADDLE_CHECK_INVARIANTS
  if (const auto wrong = ptx::check_allocation(flow_function, cfg, live, places.allocation);
      !wrong.empty()) {
    refuse("register allocation: {}", wrong);
  }
#endif
  out_.rows = places.allocation.rows;
  out_.registers = places.allocation.registers;
  out_.predicates = places.allocation.predicates + kFirstPredicate;
  out_.frame_end = frame_;
  out_.frame_bytes = (frame_ + 15) / 16 * 16;
  out_.first = static_cast<std::uint32_t>(program_.code.size());
  for (std::size_t n = 0; n < lir_.size(); ++n) {
    const LirInstruction& lir = lir_[n];
    Instruction instruction = physical(lir, places);
    fill_list(lir, places);
    if (instruction.kind == Kind::branch) {
      const std::uint32_t block = cfg.block_of[n];
      const std::uint32_t meets = post_dominators[block];
      instruction.reconverge =
          meets == ptx::kExitBlock ? kNoReconvergence : out_.first + cfg.blocks[meets].first;
      if (lir.table.empty()) {
        instruction.target = out_.first + target_of(lir);
      } else {
        std::vector<std::uint32_t> table;
        for (std::uint32_t target : flow_function.instructions[n].targets) {
          table.push_back(out_.first + target);
        }
        instruction.target = static_cast<std::uint32_t>(program_.branch_tables.size());
        program_.branch_tables.push_back(std::move(table));
      }
    }
    RegisterSet reads, writes;
    note_registers(lir, places, reads, writes);
    program_.code.push_back(instruction);
    program_.writes.push_back(writes);
    program_.sources.push_back(source_registers(lir, places, reads));
    reads.add(writes);
    program_.hazards.push_back(reads);
    InstructionInfo info;
    if (lir.from != nullptr) info.at = lir.from->at;
    info.module = linked_.module_index;
    program_.info.push_back(std::move(info));
  }
  out_.end = static_cast<std::uint32_t>(program_.code.size());
}

}  // namespace raddle::isa
