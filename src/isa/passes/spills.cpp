// Spilling: values that are needed last move to local memory, or are made again where they are
// needed. A plan decides which and where (spill_plan.h); this file inserts the instructions.
#include <fmt/core.h>

#include <algorithm>

#include "isa/lower/operands.h"
#include "isa/passes/built_in.h"
#include "isa/passes/pressure.h"
#include "isa/passes/spill_plan.h"
#include "isa/passes/webs.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

/// Where values that are loaded again are stored: either after each instruction that makes them, or
/// where they leave their registers while memory does not hold the same value. The choice is the
/// one that runs less often.
class Stores {
 public:
  Stores(const FunctionBody& body, const Loops& loops, const SpillPlan& plan)
      : body_(body), loops_(loops), plan_(plan) {
    const std::size_t registers = body.register_count();
    loaded_.assign(registers, false);
    remade_.assign(registers, false);
    made_.assign(registers, 0);
    left_.assign(registers, 0);
    for_each_event([&](const SpillEvent& event) {
      if (event.kind == SpillEvent::Kind::load) loaded_[event.reg] = true;
      if (event.kind == SpillEvent::Kind::remake) remade_[event.reg] = true;
    });
    find_clean();
    weigh();
  }

  bool in_memory(std::uint32_t reg) const { return reg < loaded_.size() && loaded_[reg]; }
  bool where_made(std::uint32_t reg) const {
    return in_memory(reg) && (remade_[reg] || made_[reg] <= left_[reg]);
  }
  /// At the beginning of the block: [register] whether memory holds the same value.
  const std::vector<bool>& clean(BlockId block) const { return clean_[block]; }
  /// Calls each(event, whether the value has to be stored for it), in the order of the block, and
  /// behind(n) after the n-th instruction.
  template <class Each, class Behind>
  std::vector<bool> walk(BlockId block, Each each, Behind behind) const {
    std::vector<bool> clean = clean_[block];
    auto next = plan_.inside(block).begin();
    const auto end = plan_.inside(block).end();
    std::uint32_t at = 0;
    for (const InstructionId id : body_.instructions(block)) {
      for (; next != end && next->at == at; ++next) {
        const std::uint32_t reg = next->event.reg;
        const bool leaves = next->event.kind == SpillEvent::Kind::leave;
        each(next->event, leaves && loaded_[reg] && !clean[reg]);
        if (next->event.kind != SpillEvent::Kind::remake) clean[reg] = true;
      }
      body_[id].for_each_write([&](std::uint32_t reg) { clean[reg] = false; });
      behind(at++);
    }
    return clean;
  }
  bool stores_on(const SpillEvent& event, BlockId from) const {
    return event.kind == SpillEvent::Kind::leave && loaded_[event.reg] &&
           !clean_out_[from][event.reg];
  }

 private:
  template <class F>
  void for_each_event(F f) const {
    for (const BlockId block : body_.blocks()) {
      for (const SpillPlan::Place& place : plan_.inside(block)) f(place.event);
    }
    for (const SpillPlan::Edge& edge : plan_.edges()) {
      for (const SpillEvent& event : edge.events) f(event);
    }
  }

  /// Forwards over all paths: the values that memory holds on every path.
  void find_clean() {
    const auto& blocks = body_.blocks();
    const BlockId most = *std::max_element(blocks.begin(), blocks.end());
    clean_.assign(most + 1, std::vector<bool>(body_.register_count(), true));
    clean_[blocks.front()].assign(body_.register_count(), false);
    clean_out_ = clean_;
    for (bool changed = true; changed;) {
      changed = false;
      for (const BlockId block : blocks) {
        clean_out_[block] = walk(block, [](const SpillEvent&, bool) {}, [](std::uint32_t) {});
        for (const BlockId next : body_.successors(block)) {
          std::vector<bool> there = clean_out_[block];
          for (const SpillPlan::Edge& edge : plan_.edges()) {
            if (edge.from != block || edge.to != next) continue;
            for (const SpillEvent& event : edge.events) {
              if (event.kind != SpillEvent::Kind::remake) there[event.reg] = true;
            }
          }
          for (std::size_t reg = 0; reg < there.size(); ++reg) {
            if (there[reg] || !clean_[next][reg]) continue;
            clean_[next][reg] = false;
            changed = true;
          }
        }
      }
    }
  }

  void weigh() {
    for (const BlockId block : body_.blocks()) {
      const double weight = loops_.weight(block);
      for (const InstructionId id : body_.instructions(block)) {
        const LirInstruction& lir = body_[id];
        // No instruction can follow the one that ends the block.
        const double each = lir.jumps() || !lir.falls_through ? 1e30 : weight;
        lir.for_each_write([&](std::uint32_t reg) { made_[reg] += each; });
      }
      walk(
          block,
          [&](const SpillEvent& event, bool stored) { left_[event.reg] += stored ? weight : 0; },
          [](std::uint32_t) {});
    }
    for (const SpillPlan::Edge& edge : plan_.edges()) {
      const double weight = std::min(loops_.weight(edge.from), loops_.weight(edge.to));
      for (const SpillEvent& event : edge.events) {
        if (stores_on(event, edge.from)) left_[event.reg] += weight;
      }
    }
  }

  const FunctionBody& body_;
  const Loops& loops_;
  const SpillPlan& plan_;
  std::vector<bool> loaded_, remade_;                 // [register]
  std::vector<double> made_, left_;                   // [register] how often it is stored
  std::vector<std::vector<bool>> clean_, clean_out_;  // [block][register]
};

class Spilling {
 public:
  Spilling(FunctionBody& body, int limit) : body_(body), limit_(limit) {}

  void run() {
    if (most_needed(body_).general <= limit_) return;
    const Loops loops(body_);
    const SpillPlan plan(body_, loops, limit_);
    const Stores stores(body_, loops, plan);
    slot_.assign(body_.register_count(), kNone);
    chosen_.assign(body_.register_count(), false);
    std::vector<std::vector<Insertion>> inside;
    const std::vector<BlockId> blocks = body_.blocks();
    for (const BlockId block : blocks) inside.push_back(code_inside(block, plan, stores));
    std::vector<std::vector<LirInstruction>> on_edges;
    for (const SpillPlan::Edge& edge : plan.edges()) {
      on_edges.push_back(code_on(edge, plan, stores));
    }
    for (std::size_t n = 0; n < blocks.size(); ++n) insert_inside(blocks[n], std::move(inside[n]));
    for (std::size_t n = 0; n < on_edges.size(); ++n) {
      if (!on_edges[n].empty()) insert_on(plan.edges()[n], std::move(on_edges[n]));
    }
    split_webs(body_, chosen_);
  }
  std::string note() const {
    return fmt::format(
        "{} values kept in local memory, {} loads and {} stores, {} made again, for at most {} "
        "registers",
        spilled_, loads_, stores_, remade_, limit_);
  }

 private:
  struct Insertion {
    std::size_t at = 0;  // before the block's instruction at this place
    LirInstruction lir;
  };

  std::uint32_t slot(std::uint32_t reg) {
    if (slot_[reg] == kNone) {
      slot_[reg] = body_.reserve_frame(body_.register_bytes(reg));
      ++spilled_;
    }
    return slot_[reg];
  }

  LirInstruction access(bool store, std::uint32_t reg, const LirInstruction& of) {
    const unsigned bytes = body_.register_bytes(reg);
    const Type type = bits_type(bytes);
    LirInstruction lir =
        bare(store ? select_store(Space::local, type) : select_load(Space::local, type, bytes),
             Kind::memory, Class::load_store, of.from);
    lir.d = Ref::reg(reg);
    lir.reads_d = store;
    lir.s[0] = body_.constant(0, 8);
    lir.out.immediate = slot(reg);
    lir.out.bytes = static_cast<std::uint8_t>(bytes);
    lir.out.extra = kFrameRelative;
    lir.spilled = reg;
    using Access = MemoryBehaviour::Access;
    lir.memory = {store ? Access::store : Access::load, Space::local, Order::none};
    chosen_[reg] = true;
    ++(store ? stores_ : loads_);
    return lir;
  }

  LirInstruction remake(std::uint32_t reg, const SpillPlan& plan) {
    chosen_[reg] = true;
    ++remade_;
    return plan.maker(reg);
  }

  /// A store after the instruction that made the value, for the lanes in which it did.
  LirInstruction store_made(std::uint32_t reg, const LirInstruction& of) {
    LirInstruction lir = access(true, reg, of);
    bool guard_lasts = of.parts.empty();
    of.for_each_write([&](std::uint32_t written) { guard_lasts &= written != of.guard; });
    if (guard_lasts) {
      lir.guard = of.guard;
      lir.guard_negated = of.guard_negated;
    }
    return lir;
  }

  std::vector<Insertion> code_inside(BlockId block, const SpillPlan& plan, const Stores& stores) {
    std::vector<Insertion> made;
    const auto& inside = body_.instructions(block);
    std::size_t at = 0;
    stores.walk(
        block,
        [&](const SpillEvent& event, bool stored) {
          const LirInstruction& next = body_[inside[at]];
          if (event.kind == SpillEvent::Kind::load) {
            made.push_back({at, access(false, event.reg, next)});
          } else if (event.kind == SpillEvent::Kind::remake) {
            made.push_back({at, remake(event.reg, plan)});
          } else if (stored && !stores.where_made(event.reg)) {
            made.push_back({at, access(true, event.reg, next)});
          }
        },
        [&](std::uint32_t n) {
          const LirInstruction& lir = body_[inside[n]];
          at = n + 1;
          std::vector<std::uint32_t> written;
          lir.for_each_write([&](std::uint32_t reg) {
            if (!stores.where_made(reg)) return;
            if (std::find(written.begin(), written.end(), reg) == written.end()) {
              written.push_back(reg);
            }
          });
          for (const std::uint32_t reg : written) made.push_back({at, store_made(reg, lir)});
        });
    return made;
  }

  std::vector<LirInstruction> code_on(const SpillPlan::Edge& edge, const SpillPlan& plan,
                                      const Stores& stores) {
    const auto& inside = body_.instructions(edge.from);
    const LirInstruction last = inside.empty() ? LirInstruction() : body_[inside.back()];
    std::vector<LirInstruction> made;
    for (const SpillEvent& event : edge.events) {
      if (event.kind == SpillEvent::Kind::load) {
        made.push_back(access(false, event.reg, last));
      } else if (event.kind == SpillEvent::Kind::remake) {
        made.push_back(remake(event.reg, plan));
      } else if (stores.stores_on(event, edge.from) && !stores.where_made(event.reg)) {
        made.push_back(access(true, event.reg, last));
      }
    }
    return made;
  }

  void insert_inside(BlockId block, std::vector<Insertion> code) {
    std::size_t before = 0;
    for (Insertion& one : code) body_.insert(block, one.at + before++, std::move(one.lir));
  }

  void insert_on(const SpillPlan::Edge& edge, std::vector<LirInstruction> code) {
    const std::vector<BlockId> next = body_.successors(edge.from);
    const auto insert = [&](BlockId block, std::size_t at) {
      for (LirInstruction& lir : code) body_.insert(block, at++, std::move(lir));
    };
    if (next.size() == 1) {
      const auto& inside = body_.instructions(edge.from);
      const bool ends = !inside.empty() && body_[inside.back()].jumps();
      return insert(edge.from, inside.size() - (ends ? 1 : 0));
    }
    if (body_.predecessors(edge.to).size() == 1 && edge.to != body_.blocks().front()) {
      return insert(edge.to, 0);
    }
    insert(block_between(edge.from, edge.to, next.front() == edge.to), 0);
  }

  /// A new block between a block and one of its several successors.
  BlockId block_between(BlockId from, BlockId to, bool first) {
    const InstructionId end = body_.instructions(from).back();
    const LirInstruction jump = body_[end];
    const bool falls = first && jump.falls_through;
    const BlockId made = body_.add_block(falls ? from : body_.blocks().back());
    if (!falls) body_.insert(made, 0, body_.make_branch(to, ptx::kNoId, false, jump));
    for (std::uint32_t& target : body_.change(end).targets) {
      if (target == to) target = made;
    }
    return made;
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  FunctionBody& body_;
  int limit_;
  std::vector<std::uint32_t> slot_;  // [register] where it is in the frame
  std::vector<bool> chosen_;         // [register] it has several values after spilling
  unsigned spilled_ = 0, loads_ = 0, stores_ = 0, remade_ = 0;
};

class Spills : public Pass {
 public:
  explicit Spills(const PassTarget& target) : target_(target) {}
  const char* name() const override { return "spills"; }
  const char* meaning() const override {
    return "keep values in local memory that exceed the registers which a thread may have, or make "
           "them again";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    const int allowed = allowed_registers(body, target_);
    body.limit_registers(static_cast<std::uint32_t>(allowed));
    Spilling spilling(body, allowed - kRegisterSlack);
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
