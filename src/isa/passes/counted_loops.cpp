#include "isa/passes/counted_loops.h"

#include <algorithm>

#include "isa/table.h"

namespace raddle::isa {
namespace {

/// A longer step is not counting; four steps of this length fit any counter.
constexpr std::int64_t kLongestStep = std::int64_t{1} << 24;

/// `value` as a signed number of `bits` bits.
std::int64_t extended(std::uint64_t value, unsigned bits) {
  return bits == 32 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

bool is_forbidden(const FunctionBody& body, const LirInstruction& branch) {
  const ptx::Function& function = body.function();
  if (function.nounroll_all) return true;
  if (branch.from == nullptr || branch.from->operands.empty()) return true;
  const ptx::Operand& target = branch.from->operands[0];
  if (target.kind != ptx::Operand::Kind::label) return true;
  const auto here = static_cast<std::size_t>(branch.from - function.instructions.data());
  if (here >= function.instructions.size()) return true;  // part of another function
  const std::uint32_t header = function.labels[target.id].instruction;
  return std::any_of(function.nounroll.begin(), function.nounroll.end(),
                     [&](std::uint32_t at) { return header <= at && at <= here; });
}

Compare opposite(Compare compare) {
  switch (compare) {
    case Compare::eq:
      return Compare::ne;
    case Compare::lt:
      return Compare::ge;
    case Compare::le:
      return Compare::gt;
    case Compare::gt:
      return Compare::le;
    case Compare::ge:
      return Compare::lt;
    default:
      return Compare::none;
  }
}

Compare mirrored(Compare compare) {
  switch (compare) {
    case Compare::lt:
      return Compare::gt;
    case Compare::le:
      return Compare::ge;
    case Compare::gt:
      return Compare::lt;
    case Compare::ge:
      return Compare::le;
    default:
      return compare;
  }
}

/// lo, ls, hi, hs are unsigned lt, le, gt, ge.
Compare signless(Compare compare) {
  switch (compare) {
    case Compare::lo:
      return Compare::lt;
    case Compare::ls:
      return Compare::le;
    case Compare::hi:
      return Compare::gt;
    case Compare::hs:
      return Compare::ge;
    default:
      return compare;
  }
}

bool is_integer_comparison(const LirInstruction& lir) {
  if (lir.row == nullptr || lir.opcode != "setp" || lir.conditional()) return false;
  if (lir.q != ptx::kNoId || lir.source_predicate != ptx::kNoId) return false;
  if (lir.form.operation != Operation::none) return false;
  const Type type = lir.form.type;
  return type == Type::s32 || type == Type::u32 || type == Type::b32 || type == Type::s64 ||
         type == Type::u64 || type == Type::b64;
}

/// The only instruction of the block that writes the register.
InstructionId only_writer(const FunctionBody& body, BlockId block, std::uint32_t reg) {
  InstructionId found = kNoInstruction;
  for (const InstructionId id : body.instructions(block)) {
    if (!body[id].writes(reg)) continue;
    if (found != kNoInstruction) return kNoInstruction;
    found = id;
  }
  return found;
}

/// Reads the counter, the bound and their comparison.
bool read_comparison(const FunctionBody& body, CountedLoop& loop, bool negated) {
  const LirInstruction& lir = body[loop.comparison];
  const auto changes = [&](const Ref& ref) {
    return ref.is_register() &&
           std::any_of(body.instructions(loop.block).begin(), body.instructions(loop.block).end(),
                       [&](InstructionId id) { return body[id].writes(ref.id); });
  };
  const Compare written = lir.form.compare;
  loop.relation = signless(written);
  loop.has_sign = is_signed(lir.form.type) && loop.relation == written;
  loop.bits = ptx::bits(lir.form.type);
  loop.counter = lir.s[0];
  loop.bound = lir.s[1];
  if (!changes(loop.counter)) {
    std::swap(loop.counter, loop.bound);
    loop.relation = mirrored(loop.relation);
  }
  if (negated) loop.relation = opposite(loop.relation);
  return loop.counter.is_register() && !changes(loop.bound) && loop.bound.kind != Ref::Kind::none;
}

/// Reads how much the counter grows in each round.
bool read_step(const FunctionBody& body, CountedLoop& loop) {
  BlockOffsets offsets(body);
  BlockOffsets::Value compared;
  for (const InstructionId id : body.instructions(loop.block)) {
    if (id == loop.comparison) compared = offsets.value(loop.counter.id);
    offsets.step(body[id]);
  }
  if (compared.base == ptx::kNoId) return false;
  const BlockOffsets::Value at_end = offsets.value(compared.base);
  if (at_end.base != compared.base) return false;
  loop.start = compared.base;
  loop.ahead = extended(static_cast<std::uint64_t>(compared.offset), loop.bits);
  loop.step = extended(static_cast<std::uint64_t>(at_end.offset), loop.bits);
  if (loop.step > kLongestStep || loop.step < -kLongestStep) return false;
  switch (loop.relation) {
    case Compare::ne:
      return loop.step != 0;
    case Compare::lt:
    case Compare::le:
      return loop.step > 0;
    case Compare::gt:
    case Compare::ge:
      return loop.step < 0;
    default:
      return false;
  }
}

}  // namespace

BlockOffsets::Value BlockOffsets::value(std::uint32_t reg) const {
  for (const auto& [written, value] : written_) {
    if (written == reg) return value;
  }
  return {reg, 0};
}

void BlockOffsets::step(const LirInstruction& lir) {
  Value made;
  if (const auto sum = offset_of(body_, lir); sum && sum->base.is_register()) {
    made = value(sum->base.id);
    made.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(made.offset) + sum->offset);
  }
  lir.for_each_write([&](std::uint32_t reg) {
    std::erase_if(written_, [&](const auto& one) { return one.first == reg; });
    written_.emplace_back(reg, made);
  });
}

bool CountedLoop::goes_on(std::uint64_t value, std::uint64_t limit) const {
  const std::int64_t a = extended(value, bits), b = extended(limit, bits);
  const std::uint64_t mask = bits == 32 ? 0xFFFFFFFF : ~std::uint64_t{0};
  const std::uint64_t x = value & mask, y = limit & mask;
  switch (relation) {
    case Compare::lt:
      return has_sign ? a < b : x < y;
    case Compare::le:
      return has_sign ? a <= b : x <= y;
    case Compare::gt:
      return has_sign ? a > b : x > y;
    case Compare::ge:
      return has_sign ? a >= b : x >= y;
    default:
      return x != y;
  }
}

std::optional<CountedLoop> counted_loop(const FunctionBody& body, BlockId block) {
  if (body.instructions(block).empty()) return std::nullopt;
  CountedLoop loop;
  loop.block = block;
  loop.branch = body.instructions(block).back();
  const LirInstruction& branch = body[loop.branch];
  if (branch.out.kind != Kind::branch || branch.indexed || branch.guard == ptx::kNoId) {
    return std::nullopt;
  }
  if (branch.targets != std::vector<std::uint32_t>{block} || is_forbidden(body, branch)) {
    return std::nullopt;
  }
  loop.comparison = only_writer(body, block, branch.guard);
  if (loop.comparison == kNoInstruction || !is_integer_comparison(body[loop.comparison])) {
    return std::nullopt;
  }
  if (!read_comparison(body, loop, branch.guard_negated) || !read_step(body, loop)) {
    return std::nullopt;
  }
  return loop;
}

namespace {

/// The constant that the register holds at the end of the block, where this block or a chain of
/// only predecessors sets it.
std::optional<std::uint64_t> constant_at_end(const FunctionBody& body, BlockId block,
                                             std::uint32_t reg) {
  constexpr int kReach = 8;
  for (int blocks = 0; blocks < kReach; ++blocks) {
    const auto& inside = body.instructions(block);
    for (auto id = inside.rbegin(); id != inside.rend(); ++id) {
      const LirInstruction& lir = body[*id];
      if (!lir.writes(reg)) continue;
      if (lir.row == nullptr || lir.opcode != "mov" || lir.conditional() || lir.d.id != reg ||
          lir.form.vector != 1 || lir.s[1].kind != Ref::Kind::none) {
        return std::nullopt;
      }
      if (lir.s[0].kind == Ref::Kind::constant) return body.constant_value(lir.s[0]);
      if (!lir.s[0].is_register()) return std::nullopt;
      reg = lir.s[0].id;
    }
    const auto before = body.predecessors(block);
    if (before.size() != 1 || before[0] == block) return std::nullopt;
    block = before[0];
  }
  return std::nullopt;
}

}  // namespace

std::optional<unsigned> rounds(const FunctionBody& body, const CountedLoop& loop, unsigned most) {
  const auto bound = body.constant_value(loop.bound);
  std::vector<BlockId> before = body.predecessors(loop.block);
  std::erase(before, loop.block);
  if (!bound || before.size() != 1) return std::nullopt;
  const auto start = constant_at_end(body, before[0], loop.start);
  if (!start) return std::nullopt;
  std::uint64_t counter = *start + static_cast<std::uint64_t>(loop.ahead);
  for (unsigned n = 1; n <= most; ++n) {
    if (!loop.goes_on(counter, *bound)) return n;
    counter += static_cast<std::uint64_t>(loop.step);
  }
  return std::nullopt;
}

}  // namespace raddle::isa
