// Thread block compaction: at a branch the threads of a block that go one way are packed into as
// few warps as possible, with each lane in its position. Where they meet again, they return to
// their former warps (Fung and Aamodt, HPCA 2011; irregular-control-flow, section 3.3).
//
// The warps of a block share one stack (block_stack.h). A compacted warp of the paper is here a set
// of splits of several home warps that issue as one (formation.h): values stay in the registers of
// their lane and home warp, as in the paper. A compacted warp issues when all of its parts that are
// at its instruction can issue. At each conditional branch a warp waits for the other warps of its
// block that are in the same entry, whether or not its lanes diverge there; in the paper the
// compiler marks branches that never diverge.
//
// Simplifications: branches by a table are like others; an indirect call splits the lanes of a warp
// without the block; a warp has four paths, and offers its parts of the first compacted warps
// first. Of several ready warps the one that issued last issues, then the oldest, whatever
// scheduler.policy says.
#include <algorithm>
#include <bit>

#include "machine/reconvergence/block_stack.h"
#include "machine/reconvergence/formation.h"
#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/split_tree.h"
#include "machine/reconvergence/stats.h"
#include "machine/scheduler/config.h"

namespace raddle::machine {
namespace {

using Entry = BlockStack::Entry;

/// After so many backward jumps, lanes that have read memory which others may change let other
/// lanes run.
constexpr std::uint32_t kTurnBranches = 512;

/// Parts of one compacted warp issue together. There is one object for each multiprocessor, which
/// also provides the stacks of blocks.
class Compaction : public Formation {
 public:
  explicit Compaction(unsigned schedulers) : last_(schedulers) {}

  std::shared_ptr<BlockStack> stack(unsigned warp_in_block, LaneStats* stats) {
    if (warp_in_block == 0) newest_ = std::make_shared<BlockStack>(stats);
    return newest_;
  }

  void form(std::span<const ReadyPath> others, IssueGroup& group) override {
    for (const ReadyPath& path : others) {
      if (path.group == group.group && group.has_room_for(path)) group.add(path);
    }
  }
  bool leads() const override { return true; }
  bool whole_groups() const override { return true; }
  const ReadyPath* lead(unsigned scheduler, std::span<const ReadyPath> ready) override {
    Last& last = last_[scheduler];
    const ReadyPath* best = nullptr;
    for (const ReadyPath& path : ready) {
      if (!path.can_lead) continue;
      if (path.block == last.block && path.group == last.group) {
        best = &path;
        break;
      }
      if (best == nullptr || path.age < best->age) best = &path;
    }
    if (best != nullptr) last = {best->block, best->group};
    return best;
  }

 private:
  struct Last {
    const void* block = nullptr;
    std::uint32_t group = 0;
  };
  std::vector<Last> last_;  // [scheduler]
  std::shared_ptr<BlockStack> newest_;
};

/// One warp. Splits have no parents: the stack knows what they wait for.
class CompactedWarps : public SplitTree, private BlockStack::Home {
 public:
  CompactedWarps(WarpValues& values, Cursor* cursors) : SplitTree(values, cursors) {
    waits_at_branches_ = true;
  }

  void start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) override {
    warp_ = values_.context().warp_in_block;
    stack_ = static_cast<Compaction*>(host_->formation)->stack(warp_, &host_->stats);
    kept_ = 0;
    SplitTree::start(lanes, pc, frame);
    belong(0, 0, static_cast<std::uint8_t>(warp_));
    stack_->join(warp_, *this);
  }

  bool choose() override {
    const Entry entry = stack_->running();
    fill_paths(entry);
    // Running splits make room for others only between steps.
    const std::uint8_t next = lowest_waiting(entry);
    if (next != kNoSplit && is_before(next, highest_path(entry))) stack_->change(warp_);
    return SplitTree::running() != 0;
  }

  void rechoose() override {
    const Entry entry = stack_->running();
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (runs(path) && at(cursors_[path].split).entry != entry) park(path, State::ready);
    }
    fill_paths(entry);
    // All parts of the lowest groups run, so that nothing they wait for is kept from running.
    for (;;) {
      const std::uint8_t next = lowest_waiting(entry);
      const unsigned last = highest_path(entry);
      if (next == kNoSplit || !is_before(next, last)) return;
      park(last, State::ready);
      run_on(last, next);
    }
  }
  std::uint32_t take_changed_in_block() override { return stack_->take_changed(); }
  bool waits_for_block() const override { return kept_ != 0 || ready() != 0; }
  std::uint32_t group(unsigned path) const override {
    const Split& split = at(cursors_[path].split);
    const std::uint32_t shared = stack_->is_compacted(split.entry, split.group) ? kSharedGroup : 0;
    return shared | std::uint32_t{split.entry} << 8 | split.group;
  }

  bool lacks_parts(unsigned path) const override {
    const Split& split = at(cursors_[path].split);
    return stack_->lacks_parts(split.entry, split.group, cursors_[path].pc);
  }

  void branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) override {
    const std::uint32_t pc = cursors_[path].pc;
    if (values_.program().code[pc].kind != isa::Kind::branch) {
      return part(path, ways, isa::kNoReconvergence, kNoSplit);
    }
    const Entry entry = at(cursors_[path].split).entry;
    const BlockStack::Part whole = give_up(path);
    stack_->branch(entry, whole, pc, ways, meet);
    values_.release(whole.frame);
  }
  void arrive(unsigned path) override {
    const Entry entry = at(cursors_[path].split).entry;
    const BlockStack::Part whole = give_up(path);
    stack_->arrive(entry, whole);
    values_.release(whole.frame);
  }
  void exit(unsigned path, LaneMask lanes) override {
    const Entry entry = at(cursors_[path].split).entry;
    SplitTree::exit(path, lanes);
    stack_->exit(entry, warp_, lanes);
    // This warp has no lanes left that could release the waiting lanes of other warps later.
    if (empty() && stack_->running() == BlockStack::kNone) stack_->let_go();
  }
  void enter(unsigned path, std::uint32_t pc, std::uint32_t frame) override {
    SplitTree::enter(path, pc, frame);
    aim(path);
  }
  void leave(unsigned path, std::uint32_t pc, std::uint32_t caller) override {
    SplitTree::leave(path, pc, caller);
    aim(path);
  }

  bool let_arrived_go_on(bool) override {
    if (stack_->running() != BlockStack::kNone) return false;
    stack_->let_go();
    if (ready() == 0) return false;
    ++forced_turns_;
    return true;
  }

  void report(std::vector<SplitReport>& splits) const override {
    SplitTree::report(splits);
    const auto nobodys = static_cast<std::uint8_t>(std::countr_one(used_));
    if (kept_ != 0) splits.push_back({nobodys, kept_at_, kept_, 0, false});
  }
  /// Its share of the block's stack, without the two small counters of each entry.
  std::uint64_t state_bytes() const override {
    constexpr std::uint64_t kEntryBytes = 4 + 4 + sizeof(LaneMask);
    return kEntryBytes * stack_->size();
  }

 protected:
  Turn take_turns(unsigned path) override {
    if (++run_length_ < kTurnBranches) return Turn::go_on;
    run_length_ = 0;
    if (std::exchange(values_.saw_synchronization, false)) {
      stack_->give_turn(at(cursors_[path].split).entry);
    }
    return Turn::go_on;
  }

 private:
  // BlockStack::Home
  void place(Entry entry, const BlockStack::Part& part, std::uint32_t pc) override {
    Split like;
    like.frame = part.frame;
    belong(new_split(part.lanes, pc, like), entry, part.group);
    kept_ &= ~part.lanes;
  }
  bool is_in(Entry entry) const override {
    for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
      if (at(static_cast<std::uint8_t>(std::countr_zero(rest))).entry == entry) return true;
    }
    return false;
  }
  Entry youngest_ready() const override {
    Entry best = BlockStack::kNone;
    for (std::uint64_t rest = ready(); rest != 0; rest &= rest - 1) {
      const Entry entry = at(static_cast<std::uint8_t>(std::countr_zero(rest))).entry;
      if (best == BlockStack::kNone || stack_->born(entry) > stack_->born(best)) best = entry;
    }
    return best;
  }
  bool waits_for_path(Entry entry, unsigned group, std::uint32_t pc) const override {
    for (std::uint64_t rest = ready() & ~SplitTree::running(); rest != 0; rest &= rest - 1) {
      const Split& split = at(static_cast<std::uint8_t>(std::countr_zero(rest)));
      if (split.entry == entry && split.group == group && split.pc == pc) return true;
    }
    return false;
  }
  void use(std::uint32_t frame) override { values_.use(frame); }
  void release(std::uint32_t frame) override { values_.release(frame); }
  std::uint32_t depth(std::uint32_t frame) const override { return values_.frame(frame).depth; }

  bool runs(unsigned path) const { return cursors_[path].split != kNoSplit; }
  void run_on(unsigned path, std::uint8_t split) {
    run(split, path);
    aim(path);
  }
  void aim(unsigned path) {
    Cursor& cursor = cursors_[path];
    cursor.stop_pc = stack_->stop_of(at(cursor.split).entry, depth(cursor.frame));
  }
  /// Gives the lanes of a path to the stack. Their frame stays in use until the stack releases it.
  BlockStack::Part give_up(unsigned path) {
    const Cursor here = cursors_[path];
    const BlockStack::Part part{static_cast<std::uint8_t>(warp_), at(here.split).group, here.lanes,
                                here.frame};
    values_.use(here.frame);
    unload(path);
    free_split(here.split);
    kept_ |= part.lanes;
    kept_at_ = here.pc;
    return part;
  }

  /// Among the splits of the entry that could run, the one of the lowest group.
  std::uint8_t lowest_waiting(Entry entry) const {
    std::uint8_t best = kNoSplit;
    for (std::uint64_t rest = ready() & ~SplitTree::running(); rest != 0; rest &= rest - 1) {
      const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
      if (at(split).entry != entry) continue;
      if (best == kNoSplit || at(split).group < at(best).group) best = split;
    }
    return best;
  }
  /// The path that another split would replace: a path of another entry, or of the highest group.
  unsigned highest_path(Entry entry) const {
    unsigned best = 0;
    for (unsigned path = 1; path < kMostPaths; ++path) {
      if (rank(path, entry) > rank(best, entry)) best = path;
    }
    return best;
  }
  unsigned rank(unsigned path, Entry entry) const {
    if (!runs(path)) return 0;
    const Split& split = at(cursors_[path].split);
    return split.entry == entry ? split.group : ~0u;
  }
  bool is_before(std::uint8_t waiting, unsigned path) const {
    return at(waiting).group < rank(path, at(waiting).entry);
  }
  void fill_paths(Entry entry) {
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (runs(path)) continue;
      const std::uint8_t next = lowest_waiting(entry);
      if (next == kNoSplit) return;
      run_on(path, next);
    }
  }

  unsigned warp_ = 0;
  std::shared_ptr<BlockStack> stack_;
  std::uint32_t kept_at_ = 0;  // where lanes last came that the stack keeps
};

}  // namespace

LaneControlKind compacted_warps_kind() {
  return {.name = "compacted_warps",
          .meaning =
              "thread block compaction: the warps of a block share a stack, and at branches the "
              "lanes that go one way become as few warps as they fill",
          .source = "Fung and Aamodt, HPCA 2011",
          .paths = kMostPaths,
          .follows_block = true,
          .functional = "independent",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<CompactedWarps>(values, cursors);
          },
          .make_formation = [](const SchedulerConfig& config) -> std::unique_ptr<Formation> {
            return std::make_unique<Compaction>(config.count);
          }};
}

}  // namespace raddle::machine
