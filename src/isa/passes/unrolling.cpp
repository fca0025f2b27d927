// Loop unrolling: several rounds of a loop become one block, whose loads can be under way together
// and whose counters are added once. (S. Muchnick, Advanced Compiler Design and Implementation,
// 17.4.3.) A loop with a known number of rounds becomes straight code. Other loops run four rounds
// at a time as long as at least four rounds are certainly left, and the original loop runs the
// rest. The size limits of loops were read from machine code (docs/machine_code.md).
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "isa/passes/built_in.h"
#include "isa/passes/counted_loops.h"
#include "isa/passes/dependences.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

constexpr unsigned kRounds = 4;
/// Sizes (machine_size) of a loop that is unrolled by four, of one that becomes straight code, and
/// of that code. Unrolling a loop of two rounds gains nothing.
constexpr std::size_t kLargest = 49, kLargestWhole = 96, kLargestCode = 500;
constexpr unsigned kFewestRounds = 3;

/// Calls f(register id, whether it is written) for each register that the instruction names.
template <class F>
void for_each_name(LirInstruction& lir, F f) {
  const auto note = [&](Ref& ref, bool written) {
    if (ref.is_register()) f(ref.id, written);
  };
  note(lir.d, !lir.reads_d);
  for (unsigned n = 0; n < 4; ++n) note(lir.s[n], lir.writes_s[n]);
  for (std::uint32_t* predicate : {&lir.guard, &lir.source_predicate, &lir.predicate_source}) {
    if (*predicate != ptx::kNoId) f(*predicate, false);
  }
  for (std::uint32_t* predicate : {&lir.p, &lir.q}) {
    if (*predicate != ptx::kNoId) f(*predicate, true);
  }
}

/// Divisions and roots that round have a second path for denormal numbers: in machine code a loop
/// with one has several blocks.
bool has_slow_way(const LirInstruction& lir) {
  if (lir.row == nullptr) return false;
  const std::string_view name = lir.opcode;
  if (name != "div" && name != "rem" && name != "rcp" && name != "sqrt") return false;
  if (ptx::is_float(lir.form.type)) return !lir.form.approx && !lir.form.full;
  return ptx::bits(lir.form.type) == 64;
}

/// Whether a round may run it with other lanes than before.
bool can_be_copied(const LirInstruction& lir) {
  return goes_by_lane(lir) && lir.list.empty() && lir.parts.empty() && !has_slow_way(lir);
}

/// The size that the assembler seems to count, before other passes have run: nothing for address
/// computations, which rounds share, and more for accesses to global memory.
std::size_t machine_size(const LirInstruction& lir) {
  if (lir.row == nullptr) return 1;
  const std::string_view name = lir.opcode;
  if (lir.out.kind == Kind::memory) {
    if (lir.memory.space != Space::global && lir.memory.space != Space::generic) return 1;
    return lir.memory.access == MemoryBehaviour::Access::store ? 4 : 2;
  }
  const bool integer = !ptx::is_float(lir.form.type);
  const bool double_word = integer && ptx::bits(lir.form.type) == 64;
  if (lir.form.half == Half::wide || name == "mov" || name == "cvta") return 0;
  if (name == "add" && double_word) return 0;
  if ((name == "div" || name == "rem") && integer) return 20;
  return 1;
}

/// Copies of the rounds of a loop, one after the other. Each value has a register of its own; the
/// values of the last round have the loop's registers.
class Copies {
 public:
  Copies(FunctionBody& body, const CountedLoop& loop) : body_(body) {
    inside_ = body.instructions(loop.block);
    inside_.pop_back();
    BlockOffsets offsets(body);
    for (const InstructionId id : inside_) {
      const LirInstruction& lir = body[id];
      lir.for_each_write([&](std::uint32_t reg) {
        ++writes_[reg];
        if (lir.conditional()) shared_[reg] = true;
      });
      offsets.step(lir);
    }
    for (const auto& [reg, count] : writes_) {
      const auto at_end = offsets.value(reg);
      if (at_end.base == reg && at_end.offset != 0) steps_[reg] = at_end.offset;
    }
    find_slopes();
  }

  std::vector<LirInstruction> make(unsigned count) {
    std::vector<LirInstruction> made;
    for (unsigned round = 0; round < count; ++round) {
      BlockOffsets offsets(body_);
      auto left = writes_;
      for (const InstructionId id : inside_) {
        LirInstruction lir = copy(id, round, offsets);
        offsets.step(body_[id]);
        rename_writes(lir, left, round + 1 == count);
        made.push_back(std::move(lir));
      }
    }
    return made;
  }

 private:
  using Slope = std::optional<std::int64_t>;

  static bool is_sum(const LirInstruction& lir) {
    if (lir.row == nullptr || lir.opcode != "add" || lir.conditional()) return false;
    if (lir.out.kind != Kind::compute || lir.form.sat || lir.form.carry_out) return false;
    const Type type = lir.form.type;
    return type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64;
  }

  /// How much the sums of counters and of loop-invariant values grow from round to round.
  void find_slopes() {
    std::unordered_map<std::uint32_t, Slope> made;  // [register] in this round
    const auto slope_of = [&](const Ref& ref) -> Slope {
      if (!ref.is_register()) return 0;
      if (const auto here = made.find(ref.id); here != made.end()) return here->second;
      if (const auto step = steps_.find(ref.id); step != steps_.end()) return step->second;
      return writes_.count(ref.id) == 0 ? Slope(0) : Slope();
    };
    for (const InstructionId id : inside_) {
      const LirInstruction& lir = body_[id];
      Slope slope;
      if (is_sum(lir)) {
        const Slope a = slope_of(lir.s[0]), b = slope_of(lir.s[1]);
        if (a && b) slope = *a + *b;
        if (slope && *slope != 0 && writes_[lir.d.id] == 1) slopes_[id] = *slope;
      }
      lir.for_each_write([&](std::uint32_t reg) { made[reg] = slope; });
    }
  }

  /// The instruction with its operands of this round; a counter's value is made from that of the
  /// first round.
  LirInstruction copy(InstructionId id, unsigned round, const BlockOffsets& offsets) {
    const LirInstruction& original = body_[id];
    const auto sum = offset_of(body_, original);
    if (sum && sum->base.is_register() && round != 0) {
      const auto from = offsets.value(sum->base.id);
      const auto step = steps_.find(from.base);
      if (step != steps_.end() && !shared_[from.base] && now(from.base) != from.base) {
        const auto offset = static_cast<std::uint64_t>(from.offset) + sum->offset +
                            static_cast<std::uint64_t>(step->second) * round;
        return counted(original, from.base, offset);
      }
    }
    if (const auto slope = slopes_.find(id); slope != slopes_.end() && round != 0) {
      return counted(original, first_.at(original.d.id),
                     static_cast<std::uint64_t>(slope->second) * round);
    }
    LirInstruction lir = original;
    for_each_name(lir, [&](std::uint32_t& reg, bool written) {
      if (!written) reg = now(reg);
    });
    return lir;
  }

  LirInstruction counted(const LirInstruction& original, std::uint32_t base, std::uint64_t offset) {
    const unsigned bytes = body_.register_bytes(original.d.id);
    LirInstruction lir = body_.make("add", {bytes == 8 ? "s64" : "s32"}, original);
    lir.d = original.d;
    lir.s[0] = Ref::reg(base);
    lir.s[1] = body_.constant(bytes == 8 ? offset : offset & 0xFFFFFFFF, bytes);
    return lir;
  }

  void rename_writes(LirInstruction& lir, std::unordered_map<std::uint32_t, unsigned>& left,
                     bool last_round) {
    for_each_name(lir, [&](std::uint32_t& reg, bool written) {
      if (!written) return;
      const std::uint32_t original = reg;
      const bool last = --left[original] == 0 && last_round;
      if (shared_[original]) return;
      reg = last ? original : body_.new_register(body_.register_bytes(original));
      now_[original] = reg;
      first_.try_emplace(original, reg);
    });
  }

  std::uint32_t now(std::uint32_t reg) const {
    const auto found = now_.find(reg);
    return found == now_.end() ? reg : found->second;
  }

  FunctionBody& body_;
  std::vector<InstructionId> inside_;                       // without the jump at the end
  std::unordered_map<std::uint32_t, unsigned> writes_;      // [register] writes in a round
  std::unordered_map<std::uint32_t, std::int64_t> steps_;   // [register] of counters
  std::unordered_map<InstructionId, std::int64_t> slopes_;  // of sums
  std::unordered_map<std::uint32_t, std::uint32_t>
      first_;                                             // [register] its name in the first round
  std::unordered_map<std::uint32_t, bool> shared_;        // lanes may keep old values: one register
  std::unordered_map<std::uint32_t, std::uint32_t> now_;  // [register] the name of its value
};

/// Writes the instructions that test whether enough rounds are left.
class Guards {
 public:
  Guards(FunctionBody& body, const CountedLoop& loop)
      : body_(body), loop_(loop), line_(body[loop.branch]) {}

  /// Whether the counter can be compared with a limit without overflow: for this bound if it is a
  /// constant, else the code tests it.
  bool possible() const {
    const auto bound = body_.constant_value(loop_.bound);
    if (loop_.relation == Compare::ne || !bound) return true;
    CountedLoop order = loop_;
    order.relation = loop_.step > 0 ? Compare::ge : Compare::le;
    return order.goes_on(*bound, farthest());
  }

  /// Appends to the block before the loop: a predicate whether the loop continues after each of the
  /// first kRounds rounds, except the last.
  std::uint32_t enters(BlockId entry) {
    std::uint32_t counter = loop_.start;
    if (loop_.ahead != 0) {
      counter = add(entry, counter, static_cast<std::uint64_t>(loop_.ahead)).id;
    }
    if (loop_.relation == Compare::ne) return far_from_bound(entry, counter, kRounds - 2);
    limit_ = limit(entry, kRounds - 1);
    std::uint32_t safe = ptx::kNoId;
    if (loop_.bound.is_register()) {
      safe = compare(entry, loop_.step > 0 ? "ge" : "le", loop_.bound, number(farthest()));
    }
    return compare(entry, relation(), Ref::reg(counter), limit(entry, kRounds - 2), safe);
  }

  /// Appends to the unrolled rounds: the same predicate for the rounds that follow this value of
  /// the counter.
  std::uint32_t goes_on(BlockId rounds, std::uint32_t counter) {
    if (loop_.relation == Compare::ne) return far_from_bound(rounds, counter, kRounds - 1);
    return compare(rounds, relation(), Ref::reg(counter), limit_);
  }

 private:
  std::string_view relation() const {
    switch (loop_.relation) {
      case Compare::lt:
        return "lt";
      case Compare::le:
        return "le";
      case Compare::gt:
        return "gt";
      default:
        return "ge";
    }
  }
  std::string_view type() const {
    if (loop_.bits == 64) return loop_.has_sign ? "s64" : "u64";
    return loop_.has_sign ? "s32" : "u32";
  }
  unsigned bytes() const { return loop_.bits / 8; }
  Ref number(std::uint64_t value) {
    return body_.constant(loop_.bits == 64 ? value : value & 0xFFFFFFFF, bytes());
  }

  /// The limit for the counter under which the loop continues for `more` rounds.
  Ref limit(BlockId block, unsigned more) {
    const std::uint64_t room = static_cast<std::uint64_t>(loop_.step) * more;
    const auto known = body_.constant_value(loop_.bound);
    return known ? number(*known - room) : add(block, loop_.bound.id, 0 - room);
  }

  /// The last bound from which (kRounds - 1) steps back are possible without overflow.
  std::uint64_t farthest() const {
    const std::uint64_t all = loop_.bits == 64 ? ~std::uint64_t{0} : 0xFFFFFFFF;
    const std::uint64_t least = loop_.has_sign ? (all >> 1) + 1 : 0, most = least - 1;
    const auto room = static_cast<std::uint64_t>(loop_.step) * (kRounds - 1);
    return ((loop_.step > 0 ? least : most) + room) & all;
  }

  Ref append(BlockId block, LirInstruction lir) {
    const Ref made = lir.d;
    body_.insert(block, body_.instructions(block).size(), std::move(lir));
    return made;
  }
  Ref add(BlockId block, std::uint32_t reg, std::uint64_t offset) {
    LirInstruction lir = body_.make("add", {type()}, line_);
    lir.d = Ref::reg(body_.new_register(bytes()));
    lir.s[0] = Ref::reg(reg);
    lir.s[1] = number(offset);
    return append(block, std::move(lir));
  }
  std::uint32_t compare(BlockId block, std::string_view how, const Ref& a, const Ref& b,
                        std::uint32_t also = ptx::kNoId) {
    LirInstruction lir = also == ptx::kNoId ? body_.make("setp", {how, type()}, line_)
                                            : body_.make("setp", {how, "and", type()}, line_);
    lir.p = body_.new_register(0);
    lir.s[0] = a;
    lir.s[1] = b;
    lir.source_predicate = also;
    const std::uint32_t made = lir.p;
    append(block, std::move(lir));
    return made;
  }

  /// For loops that end when counter and bound are equal: their unsigned distance is more than the
  /// steps of the rounds.
  std::uint32_t far_from_bound(BlockId block, std::uint32_t counter, unsigned more) {
    const bool up = loop_.step > 0;
    Ref distance = Ref::reg(counter);
    if (up || body_.constant_value(loop_.bound) != std::uint64_t{0}) {
      LirInstruction lir = body_.make("sub", {loop_.bits == 64 ? "u64" : "u32"}, line_);
      lir.d = Ref::reg(body_.new_register(bytes()));
      lir.s[0] = up ? loop_.bound : distance;
      lir.s[1] = up ? distance : loop_.bound;
      distance = append(block, std::move(lir));
    }
    const std::uint64_t step = static_cast<std::uint64_t>(up ? loop_.step : -loop_.step);
    LirInstruction lir = body_.make("setp", {"gt", loop_.bits == 64 ? "u64" : "u32"}, line_);
    lir.p = body_.new_register(0);
    lir.s[0] = distance;
    lir.s[1] = number(step * more);
    const std::uint32_t made = lir.p;
    append(block, std::move(lir));
    return made;
  }

  FunctionBody& body_;
  const CountedLoop& loop_;
  const LirInstruction line_;
  Ref limit_;
};

class Unrolling {
 public:
  explicit Unrolling(FunctionBody& body) : body_(body) {}

  std::string run() {
    unsigned whole = 0, parts = 0;
    const std::vector<BlockId> blocks = body_.blocks();
    for (std::size_t n = 1; n + 1 < blocks.size(); ++n) {
      const auto loop = counted_loop(body_, blocks[n]);
      if (!loop) continue;
      const std::size_t size = machine_size_of(*loop);
      if (size == 0) continue;
      const auto count = rounds(body_, *loop, kLargestCode);
      if (count && *count < kFewestRounds) continue;
      if (count && size <= kLargestWhole && size * *count <= kLargestCode) {
        straighten(*loop, *count);
        ++whole;
      } else if (size <= kLargest && Guards(body_, *loop).possible()) {
        unroll(*loop, blocks[n - 1], blocks[n + 1]);
        ++parts;
      }
    }
    return fmt::format("{} loops became straight code, {} run {} rounds at a time", whole, parts,
                       kRounds);
  }

 private:
  /// 0: the loop cannot be copied.
  std::size_t machine_size_of(const CountedLoop& loop) const {
    std::size_t size = 0;
    for (const InstructionId id : body_.instructions(loop.block)) {
      if (id != loop.branch && !can_be_copied(body_[id])) return 0;
      size += machine_size(body_[id]);
    }
    return size;
  }

  void put(BlockId block, std::vector<LirInstruction> code) {
    for (LirInstruction& lir : code) {
      body_.insert(block, body_.instructions(block).size(), std::move(lir));
    }
  }

  void straighten(const CountedLoop& loop, unsigned count) {
    std::vector<LirInstruction> code = Copies(body_, loop).make(count);
    for (const InstructionId id : std::vector(body_.instructions(loop.block))) body_.erase(id);
    put(loop.block, std::move(code));
  }

  /// Blocks: before, [enough left?], four rounds, [one more?], the loop, behind.
  void unroll(const CountedLoop& loop, BlockId before, BlockId behind) {
    std::vector<LirInstruction> code = Copies(body_, loop).make(kRounds);
    const LirInstruction branch = body_[loop.branch];
    const std::vector<BlockId> from = body_.predecessors(loop.block);
    const BlockId last = body_.add_block(before), rounds = body_.add_block(before),
                  entry = body_.add_block(before);
    for (const BlockId block : from) {
      if (block != loop.block) redirect(block, loop.block, entry);
    }
    Guards guards(body_, loop);
    put(entry, {body_.make_branch(loop.block, guards.enters(entry), true, branch)});

    // The comparison of the last round names the counter.
    const std::size_t compared = body_.position(loop.comparison);
    const std::size_t at = code.size() / kRounds * (kRounds - 1) + compared;
    const LirInstruction& comparison = code.at(at);
    const Ref counter =
        body_[loop.comparison].s[0] == loop.counter ? comparison.s[0] : comparison.s[1];
    const auto behind_it = code.begin() + static_cast<std::ptrdiff_t>(at + 1);
    std::vector<LirInstruction> rest(behind_it, code.end());
    code.erase(behind_it, code.end());
    put(rounds, std::move(code));
    const std::uint32_t goes_on = guards.goes_on(rounds, counter.id);
    put(rounds, std::move(rest));
    put(rounds, {body_.make_branch(rounds, goes_on, false, branch)});
    put(last, {body_.make_branch(behind, branch.guard, !branch.guard_negated, branch)});
  }

  void redirect(BlockId block, BlockId old, BlockId target) {
    if (body_.instructions(block).empty()) return;
    const InstructionId id = body_.instructions(block).back();
    if (!body_[id].jumps()) return;
    std::replace(body_.change(id).targets.begin(), body_.change(id).targets.end(), old, target);
  }

  FunctionBody& body_;
};

class Unroll : public Pass {
 public:
  explicit Unroll(const PassTarget& target) : known_(target.compute_major >= 7) {}
  const char* name() const override { return "unroll"; }
  const char* meaning() const override {
    return "run four rounds of short counted loops at a time, and all rounds of those that have "
           "few, unless .pragma \"nounroll\" forbids it; on compute capability 7.0 and later, "
           "whose code is known";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    if (known_) notes.push_back(Unrolling(body).run());
  }

 private:
  bool known_;
};

}  // namespace

std::shared_ptr<const Pass> loop_unrolling(const PassTarget& target) {
  return std::make_shared<Unroll>(target);
}

}  // namespace raddle::isa
