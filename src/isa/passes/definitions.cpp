#include "isa/passes/definitions.h"

#include <algorithm>

#include "isa/semantics/movement.h"
#include "isa/table.h"

namespace raddle::isa {

void Definitions::number_dominator_tree(const FunctionBody& body) {
  BlockId most = 0;
  for (const BlockId block : body.blocks()) most = std::max(most, block);
  std::vector<std::vector<BlockId>> below(most + 1);
  for (const BlockId block : body.blocks()) {
    const BlockId above = body.immediate_dominator(block);
    if (above != kNoBlock) below[above].push_back(block);
  }
  first_.assign(most + 1, 1);
  last_.assign(most + 1, 0);
  std::uint32_t number = 2;
  std::vector<std::pair<BlockId, std::size_t>> path = {{body.blocks().front(), 0}};
  first_[path[0].first] = number++;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == below[block].size()) {
      last_[block] = number;
      path.pop_back();
      continue;
    }
    const BlockId child = below[block][next++];
    first_[child] = number++;
    path.emplace_back(child, 0);
  }
}

namespace {

/// Whether the instruction may write only some lanes.
bool is_partial(const LirInstruction& lir) {
  const bool parts = std::any_of(lir.parts.begin(), lir.parts.end(), is_partial);
  return lir.guard != ptx::kNoId || parts;
}

}  // namespace

Definitions::Definitions(const FunctionBody& body)
    : single_(body.register_count(), kNoInstruction), reads_(body.register_count(), 0) {
  number_dominator_tree(body);
  std::vector<bool> twice(body.register_count(), false);
  for (const BlockId block : body.blocks()) {
    for (const InstructionId id : body.instructions(block)) {
      const LirInstruction& lir = body[id];
      lir.for_each_write([&](std::uint32_t reg) {
        if (single_[reg] != kNoInstruction || is_partial(lir)) twice[reg] = true;
        single_[reg] = id;
      });
      lir.for_each_read([&](std::uint32_t reg) { ++reads_[reg]; });
    }
  }
  // Every reader must come after the definition.
  std::vector<BlockId> passed(body.register_count(), kNoBlock);  // block that defined it before
  for (const BlockId block : body.blocks()) {
    if (first_[block] >= last_[block]) continue;  // not reachable
    for (const InstructionId id : body.instructions(block)) {
      const LirInstruction& lir = body[id];
      lir.for_each_read([&](std::uint32_t reg) {
        if (single_[reg] == kNoInstruction || twice[reg]) return;
        const BlockId from = body.block_of(single_[reg]);
        const bool before = from == block ? passed[reg] == block : dominates(from, block);
        if (!before) twice[reg] = true;
      });
      lir.for_each_write([&](std::uint32_t reg) { passed[reg] = block; });
    }
  }
  for (std::size_t reg = 0; reg < single_.size(); ++reg) {
    if (twice[reg]) single_[reg] = kNoInstruction;
  }
}

namespace {

bool is_copy(const FunctionBody& body, const LirInstruction& lir) {
  if (!lir.s[0].is_register() || !lir.d.is_register() || lir.s[1].kind != Ref::Kind::none) {
    return false;
  }
  const unsigned bytes = body.register_bytes(lir.d.id);
  if (body.register_bytes(lir.s[0].id) != bytes) return false;
  Form form;
  form.type = bytes == 8 ? Type::b64 : Type::b32;
  return (bytes == 4 || bytes == 8) && lir.out.execute == select_mov(form);
}

}  // namespace

OnlyUses::OnlyUses(const FunctionBody& body)
    : body_(body),
      definitions_(body),
      version_(body.register_count(), 0),
      at_definition_(body.register_count(), 0) {}

void OnlyUses::step(InstructionId id) {
  const LirInstruction& lir = body_[id];
  std::uint64_t sum = 0;
  lir.for_each_read([&](std::uint32_t reg) { sum += version_[reg]; });
  lir.for_each_write([&](std::uint32_t reg) {
    if (definitions_.single(reg) == id) at_definition_[reg] = sum;
  });
  lir.for_each_write([&](std::uint32_t reg) { ++version_[reg]; });
}

InstructionId OnlyUses::maker_of_several(std::uint32_t reg, BlockId block) const {
  const InstructionId made = definitions_.single(reg);
  if (made == kNoInstruction || body_.block_of(made) == kNoBlock || body_[made].conditional()) {
    return kNoInstruction;
  }
  bool single = true;
  std::uint64_t sum = 0;
  body_[made].for_each_read([&](std::uint32_t read) {
    single &= definitions_.single(read) != kNoInstruction;
    sum += version_[read];
  });
  const bool same = body_.block_of(made) == block && at_definition_[reg] == sum;
  return single || same ? made : kNoInstruction;
}

std::optional<Offset> offset_of(const FunctionBody& body, const LirInstruction& lir) {
  if (lir.conditional() || !lir.d.is_register() || lir.reads_d) return std::nullopt;
  if (lir.out.kind != Kind::compute) return std::nullopt;
  if (is_copy(body, lir)) return Offset{lir.s[0], 0};
  if (lir.row == nullptr) return std::nullopt;
  const bool adds = lir.opcode == "add", subtracts = lir.opcode == "sub";
  if ((!adds && !subtracts) || lir.form.sat || lir.form.carry_out) return std::nullopt;
  switch (lir.form.type) {
    case Type::u32:
    case Type::s32:
    case Type::u64:
    case Type::s64:
      break;
    default:
      return std::nullopt;
  }
  const bool wide = ptx::bits(lir.form.type) == 64;
  if (lir.s[0].is_register()) {
    const auto added = body.constant_value(lir.s[1]);
    if (!added) return std::nullopt;
    const std::uint64_t extended = wide ? *added
                                        : static_cast<std::uint64_t>(static_cast<std::int64_t>(
                                              static_cast<std::int32_t>(*added)));
    return Offset{lir.s[0], subtracts ? ~extended + 1 : extended};
  }
  if (!adds || !lir.s[1].is_register()) return std::nullopt;
  const auto added = body.constant_value(lir.s[0]);
  if (!added) return std::nullopt;
  return Offset{lir.s[1], wide ? *added
                               : static_cast<std::uint64_t>(
                                     static_cast<std::int64_t>(static_cast<std::int32_t>(*added)))};
}

namespace {
constexpr std::uint64_t kConstantRoot = ~std::uint64_t{0};
}

AddressValues::AddressValues(const FunctionBody& body, const Definitions& definitions)
    : body_(body),
      definitions_(definitions),
      local_(body.register_count()),
      known_in_(body.register_count(), 0),
      single_(body.register_count()),
      next_root_(body.register_count()) {}

void AddressValues::begin_block() { ++block_; }

/// The value of a register with a single definition is known at all its readers.
AddressValue AddressValues::single_value(std::uint32_t reg) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> path;  // with the offset to the next
  AddressValue value;
  for (std::uint32_t at = reg;;) {
    if (single_[at]) {
      value = *single_[at];
      break;
    }
    const auto step = offset_of(body_, body_[definitions_.single(at)]);
    const bool on = step && definitions_.single(step->base.id) != kNoInstruction;
    path.emplace_back(at, on ? step->offset : 0);
    if (!on) {
      value = {at, 0};
      break;
    }
    at = step->base.id;
  }
  for (auto last = path.rbegin(); last != path.rend(); ++last) {
    value.offset += last->second;
    single_[last->first] = value;
  }
  return value;
}

AddressValue AddressValues::value(const Ref& ref) {
  if (ref.kind == Ref::Kind::constant) {
    const auto constant = body_.constant_value(ref);
    return constant ? AddressValue{kConstantRoot, *constant} : AddressValue{next_root_++, 0};
  }
  if (!ref.is_register()) return {next_root_++, 0};
  if (definitions_.single(ref.id) != kNoInstruction) return single_value(ref.id);
  if (known_in_[ref.id] != block_) {
    known_in_[ref.id] = block_;
    local_[ref.id] = {next_root_++, 0};
  }
  return local_[ref.id];
}

void AddressValues::step(const LirInstruction& lir) {
  const auto step = offset_of(body_, lir);
  const AddressValue base = step ? value(step->base) : AddressValue{};
  lir.for_each_write([&](std::uint32_t reg) {
    if (definitions_.single(reg) != kNoInstruction) return;
    known_in_[reg] = block_;
    local_[reg] =
        step ? AddressValue{base.root, base.offset + step->offset} : AddressValue{next_root_++, 0};
  });
}

}  // namespace raddle::isa
