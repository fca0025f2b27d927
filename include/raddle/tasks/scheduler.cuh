// The scheduler warp of a MasterKernel block (Pagoda, section 4.3 and Algorithms 1 and 2): takes
// tasks from its column of the TaskTable and gives their warps to executor warps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ending.cuh"

namespace raddle::tasks::detail {

/// What the scheduler warp knows, the same in all its lanes.
class Scheduler {
 public:
  __device__ explicit Scheduler(State& state) : state_(state), table_(state.table) {}

  __device__ void run() {
    while (true) {
      bool busy = look();
      free_ended();
      if (current_ == kNothing) busy |= choose();
      if (current_ != kNothing) busy |= place();
      if (stop_ && current_ == kNothing && pending_ == 0) break;
      if (!busy) nap(table_.idle, 100);
    }
    dismiss();
  }

 private:
  static constexpr unsigned kNothing = ~0u;

  __device__ static unsigned lane() { return threadIdx.x; }  // it is the block's first warp

  __device__ std::uint32_t own_entry(unsigned row) const { return blockIdx.x * kRows + row; }

  /// Three lanes look at one word each: whether an entry has arrived, whether one may run, whether
  /// a task has spawned one. Goes on looking while there is nothing else to do.
  __device__ bool look() {
    const unsigned at = lane();
    const bool subtasks = table_.subtasks.capacity != 0;
    const std::uint32_t* word = &table_.rows[own_entry(cursor_)].arrival;
    std::uint32_t usual = 0;
    if (at == 1) word = &table_.released[blockIdx.x];
    if (at == 2 && subtasks) {
      word = &table_.entry(subtask(head_)).sequence;
      usual = head_;
    }
    const bool looks = at < (subtasks ? 3 : 2);
    const bool idle = current_ == kNothing && pending_ == 0 && !stop_;
    std::uint32_t value = usual;
    while (true) {
      if (looks) value = fresh(*word);
      // All lanes leave together, whoever of them has seen a block end.
      if (__any_sync(~0u, value != usual || !idle || fresh(state_.ended) != 0)) break;
      nap(table_.idle, 200);
    }
    const std::uint32_t arrival = __shfl_sync(~0u, value, 0);
    const std::uint32_t released = __shfl_sync(~0u, value, 1);
    const std::uint32_t sequence = __shfl_sync(~0u, value, 2);
    if (arrival != 0) arrived(arrival);
    if (released != 0) take_released();
    bool found = arrival != 0 || released != 0;
    // In turn with rows, if there are any: neither keeps the other waiting for ever.
    const bool in_turn = pending_ == 0 || row_was_last_;
    if (subtasks && sequence != head_ && current_ == kNothing && in_turn) {
      found |= take_subtask(sequence);
    }
    return found;
  }

  /// The entry before this one is complete: its column's scheduler may run it.
  __device__ void arrived(std::uint32_t word) {
    const std::uint32_t entry = own_entry(cursor_);
    const unsigned previous = Arrival::previous(word);
    if (lane() == 0) {
      put(table_.rows[entry].arrival, 0u);
      fence(table_);
      if (previous != kNone) {
        atomicOr(&table_.released[previous / kRows], 1u << previous % kRows);
      }
      if ((word & Arrival::kEmpty) != 0) {
        put(table_.ended[entry], ((fresh(table_.ended[entry]) >> 8) + 1) << 8);
      }
    }
    __syncwarp();
    if ((word & Arrival::kEmpty) == 0) arrived_ |= 1u << cursor_;
    cursor_ = Arrival::next_row(word);
    find_complete();
  }

  /// A row may run when its entry has arrived here and has been released. Another column's
  /// scheduler may release it before this one has seen it arrive: if it ran then, its row could be
  /// filled again while the arrival word still names the next.
  __device__ void find_complete() {
    const std::uint32_t complete = arrived_ & released_;
    pending_ |= complete;
    arrived_ &= ~complete;
    released_ &= ~complete;
  }

  __device__ void take_released() {
    std::uint32_t rows = 0;
    if (lane() == 0) {
      rows = atomicExch(&table_.released[blockIdx.x], 0u);
      fence(table_);
    }
    __syncwarp();  // a shuffle orders no memory: the other lanes read the entries, too
    rows = __shfl_sync(~0u, rows, 0);
    if (rows == kStop) {
      stop_ = true;
    } else {
      released_ |= rows;
      find_complete();
    }
  }

  __device__ std::uint32_t subtask(std::uint32_t ticket) const {
    return table_.first_spawned() + (ticket & (table_.subtasks.capacity - 1));
  }

  /// Takes the next task that a task has spawned, if another scheduler does not, and there is a
  /// place for it: rows of the table have places of their own. `sequence`: as seen of entry head_.
  __device__ bool take_subtask(std::uint32_t sequence) {
    std::uint32_t ended = 0, found = 0;
    if (lane() == 0) {
      ended = atomicExch(&state_.ended_subtasks, 0u);
      __threadfence_block();
    }
    subtasks_ &= ~__shfl_sync(~0u, ended, 0);
    if (subtasks_ == ~0u) return false;
    if (lane() == 0) {
      // The word that was seen may be of a task that another scheduler has taken long ago. And another
      // lane has seen it, whose fences are not this one's: it is read again.
      std::uint32_t head = head_;
      if (sequence != head + 1) head = fresh(*table_.subtasks.head);
      const bool ready = fresh(table_.entry(subtask(head)).sequence) == head + 1;
      found = ready ? atomicCAS(table_.subtasks.head, head, head + 1) : head;
      ended = ready && found == head ? 1u : 0u;
      __threadfence();
    }
    __syncwarp();
    head_ = __shfl_sync(~0u, found, 0);
    if (__shfl_sync(~0u, ended, 0) == 0) return false;
    const unsigned slot = __ffs(static_cast<int>(~subtasks_)) - 1;
    subtasks_ |= 1u << slot;
    begin(kRows + slot, subtask(head_));
    ++head_;
    row_was_last_ = false;
    return true;
  }

  /// The next row in turn becomes the current task.
  __device__ bool choose() {
    if (pending_ == 0) return false;
    const std::uint32_t later = pending_ & ~((2u << last_row_) - 1);
    last_row_ = __ffs(static_cast<int>(later != 0 ? later : pending_)) - 1;
    pending_ &= ~(1u << last_row_);
    begin(last_row_, own_entry(last_row_));
    row_was_last_ = true;
    return true;
  }

  __device__ void begin(unsigned active, std::uint32_t entry) {
    // All of the entry at once: from host memory it takes a round trip over the bus.
    static_assert(sizeof(Entry) / sizeof(uint4) <= kWarp && offsetof(Entry, kernel) == 4 &&
                  offsetof(Entry, shared) == 16 && offsetof(Entry, ins) == 24);
    const auto* const from = reinterpret_cast<const unsigned char*>(&table_.entry(entry));
    uint4 quad = {};
    if (lane() < sizeof(Entry) / sizeof(uint4)) quad = fresh_quad(from + lane() * sizeof(uint4));
    const std::uint32_t kernel_and_sync = __shfl_sync(~0u, quad.y, 0);
    const std::uint32_t threads = __shfl_sync(~0u, quad.z, 0);
    const std::uint32_t moves = __shfl_sync(~0u, quad.z, 1);
    blocks_ = __shfl_sync(~0u, quad.w, 0);
    shared_ = __shfl_sync(~0u, quad.x, 1);
    sync_ = kernel_and_sync >> 16 != 0;
    warps_ = (threads + kWarp - 1) / kWarp;
    current_ = active;
    const unsigned char* arguments = from + offsetof(Entry, arguments);
    if (table_.system && entry < table_.first_spawned()) arguments = keep(entry, quad);
    if (lane() == 0) {
      Active& to = state_.active[active];
      to.arguments = arguments;
      to.entry = entry;
      to.kernel = kernel_and_sync & 0xffff;
      to.threads = threads;
      to.blocks = blocks_;
      to.next = 0;
      // Who will hold a task of many blocks is not known: this warp does while it gives it out.
      to.holders = blocks_ == 1 && !in_teams() ? warps_ : 1;
      to.spawned = to.code = 0;
      to.ins = static_cast<std::uint16_t>(moves & 0xffff);
      to.outs = static_cast<std::uint16_t>(moves >> 16);
      to.bringing = to.brought = to.worked = to.taking = 0;
    }
    __syncwarp();
    given_ = 0;
    team_ = kNothing;
  }

  /// The parameters come over the bus once: each of the task's warps reads them from device memory.
  /// `quad`: of the entry, by lane.
  __device__ const unsigned char* keep(std::uint32_t entry, const uint4& quad) {
    constexpr unsigned kFirst = offsetof(Entry, arguments) / sizeof(uint4);
    constexpr unsigned kLast = sizeof(Entry) / sizeof(uint4);
    unsigned char* const to = table_.arguments + std::size_t{entry} * kMaxArgumentBytes;
    if (lane() >= kFirst && lane() < kLast) {
      *reinterpret_cast<uint4*>(to + (lane() - kFirst) * sizeof(uint4)) = quad;
    }
    __threadfence_block();  // its executors are of this block, and read past the L1 cache
    return to;
  }

  /// Whether the blocks of the current task need something of their own.
  __device__ bool in_teams() const { return shared_ != 0 || (sync_ && warps_ > 1); }

  /// Gives the current task to idle executors; false when nothing could be given.
  __device__ bool place() { return in_teams() ? place_teams() : place_warps(); }

  /// Calls executors: each takes a warp, and goes on with the next that nobody has taken.
  __device__ bool place_warps() {
    const std::uint32_t warps = blocks_ * warps_;
    std::uint32_t taken = given_;  // or will be: an order takes one at least
    if (blocks_ != 1) taken = max(taken, next());
    const unsigned given = taken < warps ? give(warps - taken, kFirstActive + current_) : 0;
    given_ += given;
    if (taken + given >= warps) finish();
    return given != 0;
  }

  /// Makes teams of executors: each takes a block, and goes on with the next that nobody has taken.
  __device__ bool place_teams() {
    bool any = false;
    while (current_ != kNothing) {
      if (team_ == kNothing && !begin_team()) break;
      const unsigned given = give(warps_ - given_, team_ + 1);
      if (given == 0) break;
      any = true;
      given_ += given;
      if (given_ < warps_) break;
      team_ = kNothing;
      if (blocks_ == 1) finish();
    }
    return any;
  }

  /// Of the current task: the first warp or block that nobody has taken.
  __device__ std::uint32_t next() const {
    return __shfl_sync(~0u, fresh(state_.active[current_].next), 0);
  }

  /// All of the current task has been given out.
  __device__ void finish() {
    if (blocks_ != 1 && lane() == 0) {
      __threadfence_block();
      release(state_, current_);
    }
    __syncwarp();
    current_ = kNothing;
  }

  /// A place for the next team, with its block, shared memory and barrier. A team that will go on to
  /// further blocks begins when all its executors are idle: those of others do not become so.
  __device__ bool begin_team() {
    if (blocks_ != 1) {
      if (next() >= blocks_) {
        finish();
        return false;
      }
      const unsigned idle = __shfl_sync(~0u, fresh(state_.yard), 0) & kEverybody;
      if (static_cast<unsigned>(__popc(idle)) < warps_) return false;
    }
    const unsigned slot = __ffs(static_cast<int>(~places_)) - 1;  // ~0u when there is none
    if (slot >= kTeams) return false;
    const bool meets = warps_ > 1 && (sync_ || blocks_ != 1);
    const unsigned barrier = __ffs(static_cast<int>(~barriers_ & kAllBarriers)) - 1;
    if (meets && barrier >= kBarriers) return false;
    int leaf = 0;
    const unsigned order = shared_ != 0 ? Buddy::order(shared_) : 0;
    if (shared_ != 0 && (leaf = pool_.allocate(order)) < 0) return false;
    places_ |= 1u << slot;
    if (meets) barriers_ |= 1u << barrier;
    if (lane() == 0) {
      Team& team = state_.teams[slot];
      team.active = current_;
      team.block = blocks_ == 1 ? 0 : hold_block();
      team.warps_left = warps_;
      team.come = 0;
      team.first_leaf = static_cast<std::uint16_t>(leaf);
      team.order = static_cast<std::uint16_t>(order);
      team.has_shared = shared_ != 0;
      team.sync = sync_;
      team.barrier = static_cast<std::uint8_t>(meets ? barrier : 0);
    }
    __syncwarp();
    team_ = slot;
    given_ = 0;
    return true;
  }

  /// Of one lane: the current task's next block, for one more team.
  __device__ std::uint32_t hold_block() {
    Active& task = state_.active[current_];
    atomicAdd(&task.holders, 1u);
    return atomicAdd(&task.next, 1u);
  }

  /// Parallel warp scheduling (Algorithm 2): lane i looks at executor i + 1; of those that are idle
  /// as many as are `wanted` get the order, by a vote instead of the paper's atomic counter.
  __device__ unsigned give(unsigned wanted, std::uint32_t order) {
    const std::uint32_t idle = take_idle();
    const unsigned before = __popc(idle & ((1u << lane()) - 1));
    const bool chosen = (idle >> lane() & 1) != 0 && before < wanted;
    const std::uint32_t all = __ballot_sync(~0u, chosen);
    if (lane() == 0 && all != 0) {
      // Before they may start: one that ends at once waits again.
      if (table_.idle != Idle::park) atomicAnd(&state_.yard, ~all);
      if (blocks_ != 1 && !in_teams()) atomicAdd(&state_.active[current_].holders, __popc(all));
    }
    __syncwarp();
    if (chosen) {
      put(state_.warp_in_block[lane() + 1], given_ + before);
      __threadfence_block();
      put(state_.exec[lane() + 1], order);
    }
    __syncwarp();
    if (table_.idle == Idle::park) let_go(idle);
    return __popc(all);
  }

  /// Executors that wait. Those that are parked have all to be let go: a barrier frees all that
  /// wait at it, and who comes meanwhile waits at the other one.
  __device__ std::uint32_t take_idle() {
    std::uint32_t yard = __shfl_sync(~0u, fresh(state_.yard), 0);  // it changes: one look for all
    if (table_.idle != Idle::park) return yard;
    if ((yard & ~kOther) == 0) return 0;
    if (lane() == 0) yard = atomicExch(&state_.yard, ~yard & kOther);
    yard = __shfl_sync(~0u, yard, 0);
    __syncwarp();
    gate_ = kYard + (yard >> 31);
    return yard & ~kOther;
  }

  __device__ void let_go(std::uint32_t idle) {
    if (idle == 0) return;
    // This warp arrives for all that are not there.
    for (unsigned there = __popc(idle) + 1; there < kExecutors + 1; ++there) {
      asm volatile("bar.arrive %0, %1;" ::"r"(gate_), "n"(kMasterThreads) : "memory");
    }
    asm volatile("bar.sync %0, %1;" ::"r"(gate_), "n"(kMasterThreads) : "memory");
  }

  /// Frees what teams that have ended held. They only leave word, since the pool and the barriers are
  /// this warp's own (section 5.1).
  __device__ void free_ended() {
    if (!__any_sync(~0u, fresh(state_.ended) != 0)) return;
    std::uint32_t ended = 0;
    if (lane() == 0) {
      ended = atomicExch(&state_.ended, 0u);
      __threadfence_block();
    }
    __syncwarp();
    ended = __shfl_sync(~0u, ended, 0);
    places_ &= ~ended;
    for (; ended != 0; ended &= ended - 1) {
      const Team& team = state_.teams[__ffs(static_cast<int>(ended)) - 1];
      if (team.has_shared != 0) pool_.free(team.first_leaf, team.order);
      if (team.barrier != 0) barriers_ &= ~(1u << team.barrier);
    }
    __syncwarp();
  }

  /// All executors leave, as soon as they are idle.
  __device__ void dismiss() {
    while ((fresh(state_.yard) & kEverybody) != kEverybody) nap(table_.idle, 200);
    const std::uint32_t idle = take_idle();
    if (lane() < kExecutors) put(state_.exec[lane() + 1], kLeave);
    __syncwarp();
    if (table_.idle == Idle::park) let_go(idle);
  }

  static constexpr std::uint32_t kEverybody = (1u << kExecutors) - 1;
  static constexpr std::uint32_t kOther = 1u << 31;
  static constexpr std::uint32_t kAllBarriers =
      ((1u << kBarriers) - 1) & ~((1u << kFirstBarrier) - 1);

  State& state_;
  const Table& table_;
  std::uint32_t head_ = 0;                    // of the queue of subtasks, as far as known
  unsigned cursor_ = 0;                       // row in which the next entry will arrive
  std::uint32_t arrived_ = 0, released_ = 0;  // rows that are one of both
  std::uint32_t pending_ = 0;                 // rows that may run
  unsigned last_row_ = kRows - 1;
  bool row_was_last_ = false;  // the latest task was a row's, not one that a task has spawned
  bool stop_ = false;
  // The current task; its team that is being put together; executors that it, or that, has got.
  unsigned current_ = kNothing, team_ = kNothing, given_ = 0;
  unsigned blocks_ = 0, warps_ = 0, shared_ = 0;
  bool sync_ = false;
  // What is in use.
  std::uint32_t places_ = 0, barriers_ = 0, subtasks_ = 0;
  Buddy pool_;
  unsigned gate_ = kYard;
};

}  // namespace raddle::tasks::detail
