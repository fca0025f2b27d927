#include "order_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::tests {
namespace {

using isa::Class;
using isa::FunctionBody;
using isa::InstructionId;
using isa::Kind;
using isa::LirInstruction;
using Access = isa::MemoryBehaviour::Access;

/// Registers hold made-up numbers (those of 32 bits with more bits than that); additions, subtractions and moves are carried out, and whatever
/// else writes a register puts another made-up number there. Two addresses whose difference is the
/// same whatever the numbers are differ by that much.
class MadeUpValues {
 public:
  explicit MadeUpValues(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t address(const FunctionBody& body, const LirInstruction& lir) {
    return value(body, lir.s[0], true) + static_cast<std::uint64_t>(lir.out.immediate);
  }
  void step(const FunctionBody& body, const LirInstruction& lir) {
    const bool computes = lir.row != nullptr && !lir.conditional() && lir.out.kind == Kind::compute;
    const std::string_view name = computes ? lir.row->mnemonic : std::string_view();
    const bool whole = !lir.form.sat && !lir.form.carry_out && lir.form.vector == 1 &&
                       ptx::bits(lir.form.type) >= 32 && lir.d.is_register();
    std::uint64_t made = 0;
    bool known = false;
    if (whole && (name == "add" || name == "sub") && is_integer(lir.form.type)) {
      const bool wide = ptx::bits(lir.form.type) == 64;
      const std::uint64_t a = value(body, lir.s[0], wide), b = value(body, lir.s[1], wide);
      made = name == "add" ? a + b : a - b;
      known = true;
    } else if (whole && name == "mov" && lir.s[0].is_register() &&
               lir.s[1].kind == isa::Ref::Kind::none) {
      made = value(body, lir.s[0], true);
      known = true;
    }
    lir.for_each_write([&](std::uint32_t reg) { values_[reg] = known ? made : fresh(); });
  }

 private:
  static bool is_integer(isa::Type type) {
    return type == isa::Type::u32 || type == isa::Type::s32 || type == isa::Type::u64 ||
           type == isa::Type::s64;
  }
  std::uint64_t fresh() {
    std::uint64_t z = (seed_ += 0x9E3779B97F4A7C15u);  // splitmix64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t value(const FunctionBody& body, const isa::Ref& ref, bool wide) {
    if (ref.is_register()) {
      const auto [found, is_new] = values_.try_emplace(ref.id, 0);
      if (is_new) found->second = fresh();
      return found->second;
    }
    const auto constant = body.constant_value(ref);
    if (!constant) return fresh();
    // Of 32 bits it may stand for a negative number.
    return !wide && *constant >> 31 == 1 ? *constant | 0xFFFF'FFFF'0000'0000u : *constant;
  }

  std::uint64_t seed_;
  std::unordered_map<std::uint32_t, std::uint64_t> values_;
};

Recorded record(const FunctionBody& body) {
  Recorded made;
  made.function = body.name();
  MadeUpValues one(1), other(2);
  for (const isa::BlockId block : body.blocks()) {
    auto& code = made.blocks.emplace_back();
    auto& addresses = made.addresses.emplace_back();
    made.ids.push_back(body.instructions(block));
    for (const InstructionId id : body.instructions(block)) {
      code.push_back(body[id]);
      addresses.emplace_back(one.address(body, body[id]), other.address(body, body[id]));
      one.step(body, body[id]);
      other.step(body, body[id]);
    }
  }
  return made;
}

std::vector<std::uint32_t> reads(const LirInstruction& lir) {
  std::vector<std::uint32_t> found;
  lir.for_each_read([&](std::uint32_t reg) { found.push_back(reg); });
  return found;
}
std::vector<std::uint32_t> writes(const LirInstruction& lir) {
  std::vector<std::uint32_t> found;
  lir.for_each_write([&](std::uint32_t reg) { found.push_back(reg); });
  return found;
}
bool share(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t reg) {
    return std::find(b.begin(), b.end(), reg) != b.end();
  });
}

/// Nothing goes past it.
bool stands_alone(const LirInstruction& lir) {
  constexpr std::uint8_t kAlone = isa::kChangesState | isa::kTakesStack;
  if (lir.jumps() || !lir.falls_through || (lir.effects & kAlone) != 0) return true;
  switch (lir.out.kind) {
    case Kind::call:
    case Kind::ret:
    case Kind::exit:
    case Kind::branch:
    case Kind::builtin:
    case Kind::unit:
      return true;
    case Kind::other:
      return lir.out.klass != Class::fence;
    default:
      return false;
  }
}

bool orders_memory(const LirInstruction& lir) {
  return lir.out.kind == Kind::barrier || lir.out.kind == Kind::warp_sync ||
         lir.out.kind == Kind::other || (lir.effects & isa::kReadsLanes) != 0;
}
bool is_memory(const LirInstruction& lir) {
  return orders_memory(lir) || lir.out.kind == Kind::memory;
}
bool is_weak(const LirInstruction& lir) {
  return lir.memory.order == isa::Order::none || lir.memory.order == isa::Order::weak;
}
bool is_named(const LirInstruction& lir, std::initializer_list<std::string_view> names) {
  return lir.row != nullptr &&
         std::find(names.begin(), names.end(), lir.row->mnemonic) != names.end();
}

/// Memory that a kernel does not write.
bool is_constant(const LirInstruction& lir) {
  return lir.out.kind == Kind::memory && lir.memory.access == Access::load &&
         (lir.memory.space == isa::Space::param || lir.memory.space == isa::Space::constant);
}

using Addresses = std::pair<std::uint64_t, std::uint64_t>;
bool certainly_apart(const LirInstruction& a, const LirInstruction& b, const Addresses& at_a,
                     const Addresses& at_b) {
  if (!is_named(a, {"ld", "ldu", "st", "atom", "red"})) return false;
  if (!is_named(b, {"ld", "ldu", "st", "atom", "red"})) return false;
  const auto kind = [](const LirInstruction& lir) {
    return lir.out.extra & (isa::kAddress32 | isa::kFrameRelative);
  };
  if (kind(a) != kind(b)) return false;
  const auto distance = static_cast<std::int64_t>(at_b.first - at_a.first);
  if (static_cast<std::int64_t>(at_b.second - at_a.second) != distance) return false;
  return distance >= 0 ? distance >= a.out.bytes : -distance >= b.out.bytes;
}

/// Whether b, which was behind a, may come before it; why not.
std::string objection(const LirInstruction& a, const LirInstruction& b, const Addresses& at_a,
                      const Addresses& at_b) {
  if (stands_alone(a) || stands_alone(b)) return "past an instruction that stands alone";
  if (share(writes(a), reads(b))) return "before what it reads is written";
  if (share(reads(a), writes(b))) return "writes what is still to be read";
  if (share(writes(a), writes(b))) return "writes before an earlier write";
  constexpr std::uint8_t kCarry = isa::kReadsCarry | isa::kWritesCarry;
  const bool carries = ((a.effects | b.effects) & isa::kWritesCarry) != 0;
  if (carries && (a.effects & kCarry) != 0 && (b.effects & kCarry) != 0) return "the carry";
  if (!is_memory(a) || !is_memory(b) || is_constant(a) || is_constant(b)) return "";
  if (orders_memory(a) || orders_memory(b)) return "past a barrier, fence or exchange";
  if (!is_weak(a) && !(is_named(a, {"atom", "red"}) && a.memory.order == isa::Order::relaxed)) {
    return "past an ordered access";
  }
  if (!is_weak(b) && !(is_named(b, {"atom", "red"}) && b.memory.order == isa::Order::relaxed)) {
    return "an ordered access past another";
  }
  const bool load_a = a.memory.access == Access::load, load_b = b.memory.access == Access::load;
  if (load_a && load_b) return "";
  for (const LirInstruction* one : {&a, &b}) {
    const bool unchanging = one->form.cache == isa::CacheOperator::nc;
    if (unchanging && one->memory.access == Access::load && is_named(*one, {"ld"})) return "";
  }
  const bool spaces_known = is_named(a, {"ld", "ldu", "st", "atom", "red"}) &&
                            is_named(b, {"ld", "ldu", "st", "atom", "red"});
  const isa::Space space_a = a.memory.space, space_b = b.memory.space;
  if (spaces_known && space_a != isa::Space::generic && space_b != isa::Space::generic &&
      space_a != space_b) {
    return "";
  }
  if (certainly_apart(a, b, at_a, at_b)) return "";
  return "may touch the same memory";
}

class Checked : public isa::Pass {
 public:
  Checked(std::shared_ptr<const isa::Pass> pass, std::vector<std::string>& complaints,
          std::size_t& swapped)
      : pass_(std::move(pass)), complaints_(complaints), swapped_(swapped) {}
  const char* name() const override { return pass_->name(); }
  const char* meaning() const override { return pass_->meaning(); }
  void run(FunctionBody& body, isa::PassNotes& notes) const override {
    const Recorded before = record(body);
    pass_->run(body, notes);
    for (std::size_t n = 0; n < before.ids.size(); ++n) {
      check(before, n, body.instructions(body.blocks()[n]));
    }
  }

 private:
  void check(const Recorded& before, std::size_t block,
             const std::vector<InstructionId>& after) const {
    const auto& ids = before.ids[block];
    if (!std::is_permutation(ids.begin(), ids.end(), after.begin(), after.end())) {
      complaints_.push_back(before.function + ": instructions were lost or added");
      return;
    }
    std::unordered_map<InstructionId, std::size_t> was;
    for (std::size_t n = 0; n < ids.size(); ++n) was[ids[n]] = n;
    for (std::size_t n = 0; n < after.size(); ++n) {
      for (std::size_t m = n + 1; m < after.size(); ++m) {
        const std::size_t late = was[after[n]], early = was[after[m]];
        if (late < early) continue;
        ++swapped_;
        const auto& code = before.blocks[block];
        const auto& addresses = before.addresses[block];
        const std::string wrong =
            objection(code[early], code[late], addresses[early], addresses[late]);
        if (wrong.empty()) continue;
        complaints_.push_back(
            fmt::format("{}: line {} before line {}: {}", before.function,
                        code[late].from != nullptr ? code[late].from->at.line : 0,
                        code[early].from != nullptr ? code[early].from->at.line : 0, wrong));
      }
    }
  }

  std::shared_ptr<const isa::Pass> pass_;
  std::vector<std::string>& complaints_;
  std::size_t& swapped_;
};

}  // namespace

std::shared_ptr<const isa::Pass> checked(std::shared_ptr<const isa::Pass> pass,
                                         std::vector<std::string>& complaints,
                                         std::size_t& swapped) {
  return std::make_shared<Checked>(std::move(pass), complaints, swapped);
}

}  // namespace raddle::tests
