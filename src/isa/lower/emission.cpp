#include "isa/lower/emission.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "isa/lower/joint_sequence.h"
#include "isa/lower/spill_text.h"
#include "isa/passes/convergence.h"
#include "isa/semantics/miscellaneous.h"
#include "isa/semantics/movement.h"
#include "isa/semantics/parts.h"
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

/// The same registers for another scoreboard: each in the other half of the set.
RegisterSet other_side(const RegisterSet& set) {
  return {{set.rows[2], set.rows[3], set.rows[0], set.rows[1]},
          set.predicates << 32 | set.predicates >> 32};
}

void add_predicate(RegisterSet& set, std::uint16_t predicate) {
  if (predicate >= kFirstPredicate) set.predicates |= std::uint64_t{1} << (predicate % 64);
}

/// Physical places of virtual registers, and instructions that use them.
class Places {
 public:
  Places(const LirCode& code, const ptx::Allocation& allocation)
      : code_(code), allocation_(allocation), is_guard_(code.register_bytes().size(), false) {
    for (const LirInstruction& lir : code.instructions()) {
      if (lir.guard != ptx::kNoId) is_guard_[lir.guard] = true;
      for (const LirInstruction& part : lir.parts) {
        if (part.guard != ptx::kNoId) is_guard_[part.guard] = true;
      }
    }
  }

  Slot slot_of(const Ref& ref) const;
  Instruction physical(const LirInstruction& lir) const;
  /// Whether a predicate that the instruction writes guards another instruction.
  bool guards(const LirInstruction& lir) const {
    const bool own =
        (lir.p != ptx::kNoId && is_guard_[lir.p]) || (lir.q != ptx::kNoId && is_guard_[lir.q]);
    return own || std::any_of(lir.parts.begin(), lir.parts.end(),
                              [&](const LirInstruction& part) { return guards(part); });
  }
  void note_registers(const LirInstruction& lir, RegisterSet& reads, RegisterSet& writes) const;
  SourceRegisters source_registers(const LirInstruction& lir, const RegisterSet& reads) const;

 private:
  std::uint16_t predicate(std::uint32_t id, std::uint16_t otherwise) const {
    if (id == ptx::kNoId || allocation_.place[id] == ptx::Allocation::kUnused) return otherwise;
    return static_cast<std::uint16_t>(allocation_.place[id] + kFirstPredicate);
  }
  void note(RegisterSet& set, std::uint32_t id) const;

  const LirCode& code_;
  const ptx::Allocation& allocation_;
  std::vector<bool> is_guard_;  // [virtual register]
};

Slot Places::slot_of(const Ref& ref) const {
  switch (ref.kind) {
    case Ref::Kind::reg: {
      const std::uint32_t place = allocation_.place[ref.id];
      return place == ptx::Allocation::kUnused ? 0 : place * kRowBytes;
    }
    case Ref::Kind::constant:
      return ref.id;
    default:
      return 0;
  }
}

Instruction Places::physical(const LirInstruction& lir) const {
  Instruction out = lir.out;
  out.d = slot_of(lir.d);
  for (unsigned n = 0; n < 4; ++n) out.s[n] = slot_of(lir.s[n]);
  out.guard = predicate(lir.guard, kTruePredicate);
  out.guard_flip = lir.guard_negated ? kAllLanes : 0;
  out.guards = guards(lir);
  out.p = predicate(lir.p, kSinkPredicate);
  out.q = predicate(lir.q, kSinkPredicate);
  out.source_predicate = predicate(lir.source_predicate, kTruePredicate);
  out.source_flip = lir.source_negated ? kAllLanes : 0;
  if (lir.predicate_source != ptx::kNoId) {
    out.s[lir.predicate_slot] = predicate(lir.predicate_source, kTruePredicate) |
                                (lir.predicate_negated ? kConstantBit : 0);
  }
  return out;
}

void Places::note(RegisterSet& set, std::uint32_t id) const {
  if (code_.is_predicate(id)) {
    add_predicate(set, predicate(id, kSinkPredicate));
  } else {
    add_rows(set, slot_of(Ref::reg(id)), rows_of(code_.bytes(id)));
  }
}

void Places::note_registers(const LirInstruction& lir, RegisterSet& reads,
                            RegisterSet& writes) const {
  lir.for_each_read([&](std::uint32_t id) { note(reads, id); });
  lir.for_each_write([&](std::uint32_t id) { note(writes, id); });
}

SourceRegisters Places::source_registers(const LirInstruction& lir,
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
    if (!ref.is_register() || lir.writes_s[n]) continue;
    if (std::find(lir.s.begin(), lir.s.begin() + n, ref) != lir.s.begin() + n) continue;
    sources.width[n] = static_cast<std::uint8_t>(rows_of(code_.bytes(ref.id)));
    sources.number[n] = static_cast<std::uint16_t>(slot_of(ref) / kRowBytes);
  }
  return sources;
}

/// Fills the constant row of listed operands with their slots.
void fill_list(const LirInstruction& lir, const Places& places, Function& out) {
  if (lir.list.empty()) return;
  std::vector<Slot> slots;
  for (const Ref& ref : lir.list) slots.push_back(places.slot_of(ref));
  std::memcpy(&out.constants[lir.s[0].id & ~kConstantBit], slots.data(),
              slots.size() * sizeof(Slot));
}

/// Sets where a branch goes and where its paths reconverge (kNoReconvergence: nowhere). `place`:
/// maps an instruction of the LirCode to its place.
template <class Place>
void aim(Instruction& branch, const LirInstruction& lir, std::uint32_t meets, Place place,
         Program& program) {
  branch.reconverge = meets;
  if (!lir.indexed) {
    branch.target = place(lir.targets.at(0));
    return;
  }
  std::vector<std::uint32_t> table;
  for (const std::uint32_t target : lir.targets) table.push_back(place(target));
  branch.target = static_cast<std::uint32_t>(program.branch_tables.size());
  program.branch_tables.push_back(std::move(table));
}

}  // namespace

ptx::FlowInstruction flow_of(const LirInstruction& lir) {
  ptx::FlowInstruction out;
  out.falls_through = lir.falls_through;
  out.conditional = lir.keeps_others();
  lir.for_each_read([&](std::uint32_t id) { out.reads.push_back(id); });
  lir.for_each_write([&](std::uint32_t id) { out.writes.push_back(id); });
  out.targets = lir.targets;
  return out;
}

std::vector<ptx::FlowRegister> flow_registers(const LirCode& code) {
  std::vector<ptx::FlowRegister> registers;
  for (std::uint32_t id = 0; id < code.register_bytes().size(); ++id) {
    const unsigned bytes = code.bytes(id);
    ptx::FlowRegister reg;
    reg.constant_bank = code.in_constant_bank(id);
    reg.file = bytes == 0 ? ptx::FlowRegister::File::predicate : ptx::FlowRegister::File::general;
    reg.rows = static_cast<std::uint8_t>(rows_of(bytes));
    registers.push_back(reg);
  }
  return registers;
}

ptx::FlowFunction flow_of(const LirCode& code) {
  ptx::FlowFunction flow;
  flow.registers = flow_registers(code);
  for (const LirInstruction& lir : code.instructions()) flow.instructions.push_back(flow_of(lir));
  return flow;
}

namespace {

/// Appends a function's instructions to a program.
class Emission {
 public:
  /// `sides`: the predicate with the lanes of sides, where there are joint sequences.
  Emission(const LinkedFunction& linked, const LirCode& code, const Places& places,
           std::uint16_t sides, Program& program)
      : linked_(linked),
        code_(code.instructions()),
        places_(places),
        sides_(sides),
        own_hazards_(std::any_of(code_.begin(), code_.end(),
                                 [](const LirInstruction& lir) { return lir.joint.own_hazards; })),
        program_(program) {}

  /// Fills up to where a function may begin; control never comes there.
  void pad() {
    LirInstruction nothing = bare(execute_nothing, Kind::exit, Class::branch, nullptr);
    while (program_.code.size() % program_.alignment != 0) append(nothing, nothing.out);
  }
  /// Appends all instructions, and then the parts of merged ones, after all code that control
  /// reaches.
  void append_all(const EmissionOrder& order, const ptx::ControlFlowGraph& cfg,
                  const std::vector<std::uint32_t>& post_dominators) {
    const auto likely = ptx::likely_convergence_points(cfg, post_dominators);
    const auto first = static_cast<std::uint32_t>(program_.code.size());
    for (const EmittedItem& item : order.items) {
      const LirInstruction& lir = code_[item.first];
      const auto place = [&](std::uint32_t n) {
        return first + (leaves_piece(lir, code_[n]) ? item.segment_end : order.item_of[n]);
      };
      if (item.begins) {
        append_beginning(lir);
      } else if (item.second != EmittedItem::kNone) {
        const LirInstruction pair = pair_of(item);
        append(pair, pair.out);
      } else {
        Instruction out = on_its_side(lir);
        if (out.kind == Kind::branch && !lir.targets.empty()) {
          const std::uint32_t meets = post_dominators[cfg.block_of[item.first]];
          aim(out, lir,
              meets == ptx::kExitBlock ? kNoReconvergence : place(cfg.blocks[meets].first), place,
              program_);
          note_likely_point(likely[cfg.block_of[item.first]], cfg, place);
        }
        if (out.of_side) out.reconverge = first + item.segment_end;
        if (lir.joint.parting) out.target = out.reconverge;
        if (is_idle_branch(lir) && !lir.joint.parting) {
          const auto& meet = cfg.blocks[post_dominators[cfg.block_of[item.first]]];
          const auto next = static_cast<std::uint32_t>(program_.code.size()) + 1;
          out.target = lir.joint.last ? place(meet.first) : next;
        }
        append(lir, out);
      }
      program_.code.back().ends_segment = item.ends_segment;
    }
    for (std::uint32_t n = 0; n < order.items.size(); ++n) {
      const EmittedItem& item = order.items[n];
      if (item.second != EmittedItem::kNone) {
        append_parts({code_[item.first], code_[item.second]}, first + n);
      } else if (!code_[item.first].parts.empty()) {
        append_parts(code_[item.first].parts, first + n);
      }
    }
  }

 private:
  /// For the branch that comes next. `block` is where its paths probably reconverge.
  template <class Place>
  void note_likely_point(std::uint32_t block, const ptx::ControlFlowGraph& cfg, Place place) {
    if (block == ptx::kExitBlock) return;
    const std::uint32_t first = cfg.blocks[block].first;
    if (code_[first].joint.region != 0) return;  // all lanes of its branch pass it
    const auto branch = static_cast<std::uint32_t>(program_.code.size());
    program_.likely_points.push_back({branch, place(first)});
  }
  /// Whether it exchanges values between lanes without synchronising them. An instruction that only
  /// asks which lanes run has no value to exchange.
  static bool exchanges_values(const LirInstruction& lir) {
    const bool has_value =
        lir.source_predicate != ptx::kNoId ||
        std::any_of(lir.s.begin(), lir.s.end(), [](const Ref& ref) { return ref.is_register(); });
    return (lir.effects & kReadsLanes) != 0 && lir.out.kind != Kind::warp_sync && has_value;
  }
  void append(const LirInstruction& lir, Instruction instruction) {
    if (exchanges_values(lir)) {
      program_.functions[linked_.index].exchanges_lanes = true;
    }
    instruction.function = static_cast<std::uint16_t>(linked_.index);
    fill_list(lir, places_, program_.functions[linked_.index]);
    RegisterSet reads, writes;
    places_.note_registers(lir, reads, writes);
    program_.sources.push_back(places_.source_registers(lir, reads));
    instruction.has_result = !writes.empty();
    program_.code.push_back(instruction);
    if (own_hazards_) separate(lir, reads, writes);
    program_.writes.push_back(writes);
    reads.add(writes);
    program_.hazards.push_back(reads);
    InstructionInfo info;
    if (lir.from != nullptr) info.at = lir.from->at;
    if (lir.spilled != ptx::kNoId) info.text = spill_text(*linked_.function, lir);
    if (is_barrier_set(lir) && instruction.kind == Kind::compute) info.text = "(BSSY)";
    if (is_barrier_wait(lir)) info.text = "(BSYNC)";
    info.module = linked_.module_index;
    program_.info.push_back(std::move(info));
  }
  void append_parts(const std::vector<LirInstruction>& parts, std::uint32_t at) {
    program_.code[at].target = static_cast<std::uint32_t>(program_.code.size());
    program_.code[at].immediate = static_cast<std::int64_t>(parts.size());
    for (const LirInstruction& part : parts) append(part, on_its_side(part));
  }

  /// Whether a jump leaves a piece of a side: it then goes to the piece's end, because the code
  /// there may belong to the other side.
  static bool leaves_piece(const LirInstruction& from, const LirInstruction& to) {
    const JointPlace &a = from.joint, &b = to.joint;
    return a.piece != 0 && (a.region != b.region || a.piece != b.piece);
  }
  /// Only lanes of one side reach the instructions of a piece.
  Instruction on_its_side(const LirInstruction& lir) const {
    Instruction out = places_.physical(lir);
    if (is_idle_branch(lir)) out.kind = Kind::branch;
    out.of_side = lir.joint.region != 0 && lir.joint.side != JointPlace::Side::both &&
                  (lir.joint.piece == 0 || lir.joint.parting);
    if (lir.joint.last) {  // for no lanes: all go past it, to its target
      out.of_side = true;
      out.side = kTruePredicate;
      return out;
    }
    out.side_negated = lir.joint.side == JointPlace::Side::falls;
    if (out.of_side) out.side = sides_;
    return out;
  }
  /// Idle branches stand where the stack has no room for more entries, and at the beginning of a
  /// piece. They stand for no PTX instruction. A BSSY of the convergence pass (is_barrier_set()) is
  /// none if it belongs to a side.
  static bool is_idle_branch(const LirInstruction& lir) {
    return lir.joint.parting || lir.joint.last ||
           (lir.joint.region != 0 && lir.joint.side == JointPlace::Side::both &&
            is_barrier_set(lir));
  }
  /// Replaces the branch by an instruction that records which lanes it would have taken. The next
  /// instructions wait for it as after any branch.
  void append_beginning(const LirInstruction& branch) {
    LirInstruction lir = bare(execute_keep_sides, Kind::branch, Class::branch, branch.from);
    lir.out.extra = kJointBranch;
    lir.out.immediate = branch.joint.entries;
    lir.out.reconverge = kNoReconvergence;
    lir.source_predicate = branch.guard;
    lir.source_negated = branch.guard_negated;
    Instruction out = places_.physical(lir);
    out.p = sides_;
    append(lir, out);
  }
  LirInstruction pair_of(const EmittedItem& item) const {
    const LirInstruction& first = code_[item.first];
    const bool memory = first.out.kind == Kind::memory;
    LirInstruction whole = bare(memory ? execute_joint_access : execute_parts, first.out.kind,
                                first.out.klass, first.from);
    if (memory) {
      whole.out.bytes = first.out.bytes;
      whole.out.elements = first.out.elements;
    }
    whole.out.unit = std::max(first.out.unit, code_[item.second].out.unit);
    whole.out.operands_apart = first.joint.operands_apart;
    whole.parts = {first, code_[item.second]};
    whole.out.guards = places_.guards(whole);
    return whole;
  }
  /// Two scoreboards are halves of one set. Instructions of all lanes are in both halves, those of
  /// one side only in its own. A register with a number of 128 or more shares its place with a
  /// register of the other half, so lanes may then wait for a result that they do not need.
  void separate(const LirInstruction& lir, RegisterSet& reads, RegisterSet& writes) const {
    const bool pair = !lir.parts.empty() && lir.parts[0].joint.region != 0;
    if (pair) {
      reads = writes = {};
      for (const LirInstruction& part : lir.parts) {
        RegisterSet part_reads, part_writes;
        places_.note_registers(part, part_reads, part_writes);
        separate(part, part_reads, part_writes);
        reads.add(part_reads);
        writes.add(part_writes);
      }
    } else if (lir.joint.region != 0 && lir.joint.side == JointPlace::Side::falls) {
      reads = other_side(reads);
      writes = other_side(writes);
    } else if (lir.joint.region == 0 || lir.joint.side != JointPlace::Side::jumps) {
      reads.add(other_side(reads));
      writes.add(other_side(writes));
    }
  }

  const LinkedFunction& linked_;
  const std::vector<LirInstruction>& code_;
  const Places& places_;
  const std::uint16_t sides_;
  const bool own_hazards_;
  Program& program_;
};

}  // namespace

void emit(const LinkedFunction& linked, const LirCode& code, std::uint32_t frame_bytes,
          const Refusal& refuse, Program& program) {
  const ptx::FlowFunction flow = flow_of(code);
  const ptx::ControlFlowGraph cfg = ptx::build_cfg(flow);
  const auto post_dominators = ptx::immediate_post_dominators(cfg);
  const ptx::Liveness live = ptx::liveness(flow, cfg);
  const ptx::Allocation allocation = ptx::allocate_registers(flow, cfg, live);
#ifdef RADDLE_CHECK_INVARIANTS
  if (const auto wrong = ptx::check_allocation(flow, cfg, live, allocation); !wrong.empty()) {
    refuse("register allocation: {}", wrong);
  }
#else
  static_cast<void>(refuse);
#endif
  const Places places(code, allocation);
  Function& out = program.functions[linked.index];
  out.rows = allocation.rows;
  out.registers =
      std::min(allocation.registers, std::max(allocation.at_once, code.register_limit()));
  out.bounded = code.register_limit() != LirCode::kNoLimit;
  out.predicates = allocation.predicates + kFirstPredicate;
  out.frame_end = frame_bytes;
  out.frame_bytes = (frame_bytes + 15) / 16 * 16;
  const EmissionOrder order = emission_order(code, linked.function->name);
  const auto sides = static_cast<std::uint16_t>(out.predicates);
  if (order.joint) ++out.predicates;
  Emission emission(linked, code, places, sides, program);
  emission.pad();
  out.first = static_cast<std::uint32_t>(program.code.size());
  emission.append_all(order, cfg, post_dominators);
  out.end = static_cast<std::uint32_t>(program.code.size());
}

}  // namespace raddle::isa
