// Registers beyond those that a thread may have: values that are used least go to local memory, are
// stored where they are made and loaded where they are needed. (G. Chaitin, Register Allocation and
// Spilling via Graph Coloring, 1982: the choice by cost; here of points that need too many.)
#include <fmt/format.h>

#include <algorithm>

#include "isa/lower/operands.h"
#include "isa/passes/built_in.h"
#include "isa/passes/pressure.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

/// Registers of several widths do not fill the file completely.
constexpr int kSlack = 2;
constexpr unsigned kMostRounds = 24;

class Spilling {
 public:
  Spilling(FunctionBody& body, int limit)
      : body_(body), limit_(limit), first_made_(body.register_count()) {}

  void run() {
    for (unsigned round = 0; round < kMostRounds; ++round) {
      if (most_needed(body_).general <= limit_) return;
      weigh();
      if (!choose()) return;
      rewrite();
    }
  }
  std::string note() const {
    return fmt::format(
        "{} values kept in local memory, {} loads and {} stores, for at most {} registers",
        spilled_, loads_, stores_, limit_);
  }

 private:
  /// What the registers' uses cost: those in loops eight times as much.
  void weigh() {
    cost_.assign(body_.register_count(), 0);
    const auto& blocks = body_.blocks();
    std::vector<unsigned> depth(blocks.size() + 1, 0);
    std::vector<std::size_t> place(most_block() + 1, 0);
    for (std::size_t n = 0; n < blocks.size(); ++n) place[blocks[n]] = n;
    // A loop ends where the last way back to its beginning leaves, however many there are.
    std::vector<std::size_t> last(blocks.size(), 0);
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      for (const BlockId next : body_.successors(blocks[n])) {
        if (place[next] <= n) last[place[next]] = n + 1;
      }
    }
    std::vector<int> change(blocks.size() + 1, 0);
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      if (last[n] == 0) continue;
      ++change[n];
      --change[last[n]];
    }
    int loops = 0;
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      loops += change[n];
      const double weight = static_cast<double>(std::uint64_t{1} << (3 * std::clamp(loops, 0, 6)));
      for (const InstructionId id : body_.instructions(blocks[n])) {
        const LirInstruction& lir = body_[id];
        const double each = lir.parts.empty() ? weight : kNever;
        lir.for_each_read([&](std::uint32_t reg) { cost_[reg] += each; });
        lir.for_each_write([&](std::uint32_t reg) { cost_[reg] += each; });
      }
    }
  }

  BlockId most_block() const {
    BlockId most = 0;
    for (const BlockId block : body_.blocks()) most = std::max(most, block);
    return most;
  }

  bool can_go(std::uint32_t reg) const {
    return reg < first_made_ && body_.register_bytes(reg) != 0 && !body_.in_constant_bank(reg) &&
           cost_[reg] < kNever && (reg >= slot_.size() || slot_[reg] == kNone);
  }

  /// For every point that needs too many, the cheapest that only live through it.
  bool choose() {
    chosen_.assign(body_.register_count(), false);
    bool any = false;
    LiveSet live(body_);
    for (const BlockId block : body_.blocks()) {
      live.begin(block);
      const auto& inside = body_.instructions(block);
      for (auto at = inside.rbegin(); at != inside.rend(); ++at) {
        any |= relieve(body_[*at], live);
        live.step_back(body_[*at]);
      }
    }
    return any;
  }

  bool relieve(const LirInstruction& lir, const LiveSet& live) {
    int needed = live.count().general;
    lir.for_each_write([&](std::uint32_t reg) {
      if (!live[reg]) needed += registers_of(body_, reg).general;
    });
    if (needed <= limit_) return false;
    std::vector<std::uint32_t> named;
    lir.for_each_read([&](std::uint32_t reg) { named.push_back(reg); });
    lir.for_each_write([&](std::uint32_t reg) { named.push_back(reg); });
    std::vector<std::uint32_t> through;
    live.for_each([&](std::uint32_t reg) {
      if (std::find(named.begin(), named.end(), reg) != named.end()) return;
      if (chosen_[reg]) {
        needed -= registers_of(body_, reg).general;
      } else if (can_go(reg)) {
        through.push_back(reg);
      }
    });
    const auto cost = [&](std::uint32_t reg) {
      return cost_[reg] / registers_of(body_, reg).general;
    };
    std::sort(through.begin(), through.end(), [&](std::uint32_t a, std::uint32_t b) {
      return cost(a) != cost(b) ? cost(a) < cost(b) : a < b;
    });
    bool any = false;
    for (const std::uint32_t reg : through) {
      if (needed <= limit_) break;
      needed -= registers_of(body_, reg).general;
      chosen_[reg] = any = true;
    }
    return any;
  }

  LirInstruction access(bool store, std::uint32_t reg, std::uint32_t slot,
                        const LirInstruction& of) {
    const unsigned bytes = body_.register_bytes(reg);
    const Type type = bits_type(bytes);
    LirInstruction lir =
        bare(store ? select_store(Space::local, type) : select_load(Space::local, type, bytes),
             Kind::memory, Class::load_store, of.from);
    lir.d = Ref::reg(reg);
    lir.reads_d = store;
    lir.s[0] = body_.constant(0, 8);
    lir.out.immediate = slot;
    lir.out.bytes = static_cast<std::uint8_t>(bytes);
    lir.out.extra = kFrameRelative;
    using Access = MemoryBehaviour::Access;
    lir.memory = {store ? Access::store : Access::load, Space::local, Order::none};
    if (store) {
      lir.guard = of.guard;
      lir.guard_negated = of.guard_negated;
    }
    return lir;
  }

  void rewrite() {
    slot_.resize(body_.register_count(), kNone);
    for (std::uint32_t reg = 0; reg < chosen_.size(); ++reg) {
      if (!chosen_[reg]) continue;
      slot_[reg] = body_.reserve_frame(body_.register_bytes(reg));
      ++spilled_;
    }
    for (const BlockId block : std::vector(body_.blocks())) {
      std::size_t at = 0;
      for (const InstructionId id : std::vector(body_.instructions(block))) {
        at = rewrite(block, at, id);
      }
    }
  }

  bool goes(const Ref& ref) const {
    return ref.is_register() && ref.id < chosen_.size() && chosen_[ref.id];
  }

  /// Returns the place behind the instruction and what it has been given.
  std::size_t rewrite(BlockId block, std::size_t at, InstructionId id) {
    LirInstruction lir = body_[id];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> loaded, stored;  // register, its stand-in
    const auto stand_in = [&](Ref& ref, auto& known) {
      if (!goes(ref)) return;
      for (const auto& [reg, other] : known) {
        if (reg == ref.id) {
          ref.id = other;
          return;
        }
      }
      const std::uint32_t made = body_.new_register(body_.register_bytes(ref.id));
      known.emplace_back(ref.id, made);
      ref.id = made;
    };
    const auto operand = [&](Ref& ref, bool written) {
      if (written) {
        stand_in(ref, stored);
      } else {
        stand_in(ref, loaded);
      }
    };
    operand(lir.d, !lir.reads_d);
    for (unsigned n = 0; n < 4; ++n) operand(lir.s[n], lir.writes_s[n]);
    for (std::size_t n = 0; n < lir.list.size(); ++n) operand(lir.list[n], n < lir.list_writes);
    if (loaded.empty() && stored.empty()) return at + 1;
    const LirInstruction before = lir;
    body_.replace(id, std::move(lir));
    for (const auto& [reg, made] : loaded) {
      body_.insert(block, at++, access(false, made, slot_[reg], before));
      ++loads_;
    }
    ++at;
    for (const auto& [reg, made] : stored) {
      body_.insert(block, at++, access(true, made, slot_[reg], before));
      ++stores_;
    }
    return at;
  }

  static constexpr double kNever = 1e30;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  FunctionBody& body_;
  int limit_;
  std::uint32_t first_made_;         // registers from here on are stand-ins
  std::vector<double> cost_;         // [register]
  std::vector<bool> chosen_;         // [register] in this round
  std::vector<std::uint32_t> slot_;  // [register] where it is in the frame
  unsigned spilled_ = 0, loads_ = 0, stores_ = 0;
};

class Spills : public Pass {
 public:
  explicit Spills(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "spills"; }
  const char* meaning() const override {
    return "keep values in local memory that exceed the registers which a thread may have";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    Spilling spilling(body, allowed_registers(body, target_) - kSlack);
    spilling.run();
    notes.push_back(spilling.note());
  }

 private:
  PassTarget target_;
};

}  // namespace

std::shared_ptr<const Pass> spills(const PassTarget& target) {
  return std::make_shared<Spills>(target);
}

}  // namespace raddle::isa
