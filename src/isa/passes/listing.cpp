#include "isa/passes/listing.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/lower/spill_text.h"
#include "isa/passes/convergence.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

std::string block_names(const std::vector<BlockId>& blocks) {
  std::string text;
  for (const BlockId block : blocks) text += fmt::format(" B{}", block);
  return text;
}

/// For an instruction without a row.
const char* kind_name(const LirInstruction& lir) {
  if (is_barrier_set(lir)) return "(BSSY)";
  if (is_barrier_wait(lir)) return "(BSYNC)";
  switch (lir.out.kind) {
    case Kind::branch:
      return "(branch)";
    case Kind::ret:
      return "(ret)";
    case Kind::exit:
      return "(exit)";
    default:
      return "(added by lowering)";
  }
}

bool same(const LirInstruction& a, const LirInstruction& b) {
  return a.row == b.row && a.out.execute == b.out.execute && a.out.immediate == b.out.immediate &&
         a.out.elements == b.out.elements && a.out.klass == b.out.klass && a.d == b.d &&
         a.s == b.s && a.guard == b.guard && a.guard_negated == b.guard_negated && a.p == b.p &&
         a.q == b.q && a.source_predicate == b.source_predicate &&
         a.source_negated == b.source_negated && a.predicate_source == b.predicate_source &&
         a.predicate_negated == b.predicate_negated && a.parts.size() == b.parts.size();
}

}  // namespace

Listing::Listing(const ptx::Function& function, const std::vector<LirInstruction>& code,
                 const SourceText& text)
    : function_(function), text_(text) {
  for (const LirInstruction& lir : code) before_.emplace(lir.from, lir);
}

bool Listing::as_written(const LirInstruction& lir) const {
  const auto [first, last] = before_.equal_range(lir.from);
  return std::any_of(first, last, [&](const auto& one) { return same(one.second, lir); });
}

std::string Listing::register_name(std::uint32_t id) const {
  return id < function_.registers.size() ? function_.registers[id].name : fmt::format("%t{}", id);
}

std::string Listing::operand(const FunctionBody& body, const Ref& ref) const {
  if (ref.is_register()) return register_name(ref.id);
  const auto value = body.constant_value(ref);
  return value ? fmt::format("{:#x}", *value) : "(constant)";
}

std::string Listing::of(const FunctionBody& body) const {
  std::string out;
  for (const BlockId block : body.blocks()) {
    const std::vector<BlockId> next = body.successors(block);
    out += fmt::format("B{}:{}{}\n", block, next.empty() ? "" : " to", block_names(next));
    for (const InstructionId id : body.instructions(block)) {
      out += "  " + line(body, body[id]) + "\n";
      for (const LirInstruction& part : body[id].parts) out += "  + " + line(body, part) + "\n";
    }
  }
  return out;
}

std::string Listing::line(const FunctionBody& body, const LirInstruction& lir) const {
  if (!lir.parts.empty()) return "(issued as one)";
  if (lir.spilled != ptx::kNoId) return spill_text(function_, lir);
  const std::string written = lir.from == nullptr ? std::string() : text_.at(lir.from->at);
  if (lir.row == nullptr) return written.empty() || !as_written(lir) ? kind_name(lir) : written;
  return written.empty() || as_written(lir) ? written : made(body, lir, written);
}

/// "@!%p1 ld.shared.f32.v4 {%f1, ...}, [%r2+16]"; with modifiers where they are still the written
/// ones.
std::string Listing::made(const FunctionBody& body, const LirInstruction& lir,
                          const std::string& written) const {
  std::string text;
  if (lir.guard != ptx::kNoId) {
    text = fmt::format("@{}{} ", lir.guard_negated ? "!" : "", register_name(lir.guard));
  }
  const std::string_view name = lir.row->mnemonic;
  std::size_t at = written.starts_with('@') ? written.find_first_of(" \t") : 0;
  at = written.find_first_not_of(" \t", at == std::string::npos ? 0 : at);
  const bool kept = at != std::string::npos && written.compare(at, name.size(), name) == 0;
  text += kept ? written.substr(at, written.find_first_of(" \t", at) - at) : std::string(name);
  if (!kept && lir.form.type != Type::none) text += fmt::format(".{}", ptx::name(lir.form.type));
  if (lir.out.kind == Kind::memory && lir.form.vector > 1) {
    text += fmt::format(".v{}", lir.form.vector);
  }
  std::vector<std::string> operands;
  const auto predicate = [&](std::uint32_t id, bool negated) {
    if (id != ptx::kNoId)
      operands.push_back(fmt::format("{}{}", negated ? "!" : "", register_name(id)));
  };
  predicate(lir.p, false);
  predicate(lir.q, false);
  const bool memory = lir.out.kind == Kind::memory;
  if (lir.d.kind != Ref::Kind::none) operands.push_back(operand(body, lir.d));
  for (unsigned n = 0; n < 4; ++n) {
    if (memory && n == 0) {
      operands.push_back(fmt::format("[{}{:+}]", operand(body, lir.s[0]), lir.out.immediate));
    } else if (lir.s[n].kind != Ref::Kind::none) {
      operands.push_back(operand(body, lir.s[n]));
    }
  }
  predicate(lir.predicate_source, lir.predicate_negated);
  predicate(lir.source_predicate, lir.source_negated);
  for (std::size_t n = 0; n < operands.size(); ++n) {
    text += fmt::format("{} {}", n == 0 ? "" : ",", operands[n]);
  }
  return text;
}

}  // namespace raddle::isa
