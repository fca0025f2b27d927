#include "machine/functional/run_ahead.h"
#include "base/own_threads.h"

#include <algorithm>
#include <utility>

namespace raddle::machine {

using Holder = BlockRun::Holder;

namespace {

/// Instructions between two checks whether to continue.
constexpr std::uint64_t kSlice = 1024;
/// A thread takes up several small blocks at once, with about this number of instructions in all.
constexpr std::uint64_t kBatchInstructions = 20000;
constexpr std::size_t kMostBatch = 16;
/// The limit on blocks of a grid that are taken up and not admitted. Blocks that have ended take
/// little memory; the others take the memory of a whole block.
constexpr std::size_t kMostTaken = 1024;

}  // namespace

RunAhead::RunAhead(unsigned threads, memory::AddressSpace& space, isa::Services& services,
                   const LaneControlKind& scheme, double ns_per_cycle, unsigned sms)
    : scheme_(scheme), ns_per_cycle_(ns_per_cycle), sms_(sms) {
  for (unsigned thread = 0; thread < threads; ++thread) {
    runners_.push_back(std::make_unique<Runner>(space, services));
  }
  for (unsigned thread = 1; thread < threads; ++thread) {
    threads_.emplace_back([this, thread] {
      mark_own_thread();
      serve(thread);
    });
  }
}

RunAhead::~RunAhead() {
  {
    const std::lock_guard lock(mutex_);
    paused_ = true;
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::vector<isa::GlobalPort*> RunAhead::ports() {
  std::vector<isa::GlobalPort*> ports;
  for (const auto& runner : runners_) ports.push_back(&runner->port);
  return ports;
}

void RunAhead::resume() {
  if (alone()) return;
  const std::lock_guard lock(mutex_);
  paused_ = false;
  if (work_left()) work_.notify_all();
}

bool RunAhead::pause() {
  if (alone()) return false;
  std::unique_lock lock(mutex_);
  const bool running = !paused_.exchange(true);
  rested_.wait(lock, [this] { return busy_ == 0; });
  return running;
}

/// Rethrows an exception of another thread.
void RunAhead::rethrow() {
  const std::lock_guard lock(mutex_);
  std::rethrow_exception(failure_);
}

void RunAhead::open(GridRun& grid) {
  if (alone() || grid.grid->blocks() == 1) return;
  const std::lock_guard lock(mutex_);
  open_.push_back(&grid);
  if (idle_ != 0) work_.notify_all();
}

BlockRun& RunAhead::fresh(GridRun& grid) {
  if (free_.empty()) free_.push_back(&runs_.emplace_back());
  BlockRun& run = *free_.back();
  free_.pop_back();
  run.grid = &grid;
  run.number = grid.taken++;
  run.outcome = BlockRun::Outcome::paused;
  run.position = run.thread_instructions = run.counted = 0;
  run.admitted = false;
  return run;
}

BlockRun& RunAhead::admit(GridRun& grid) {
  if (grid.next.empty()) take_next(grid);
  BlockRun& run = *grid.next.front();
  grid.next.pop_front();
  run.admitted = true;
  leave_ahead(run);
  return run;
}

/// Takes many blocks at once, because each call costs a lock.
void RunAhead::take_next(GridRun& grid) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!alone()) lock.lock();
  free_.insert(free_.end(), released_.begin(), released_.end());
  released_.clear();
  grid.next.swap(grid.ahead);
  const std::uint64_t blocks = grid.grid->blocks();
  const std::size_t least = alone() ? 1 : batch_size(grid);
  while (grid.next.empty() || (grid.next.size() < least && grid.taken != blocks)) {
    grid.next.push_back(&fresh(grid));
  }
  if (alone()) return;
  if (grid.taken == blocks) std::erase(open_, &grid);
  rouse();
}

void RunAhead::leave_ahead(BlockRun& run) {
  if (run.ahead.exchange(false)) --ahead_;
}

/// Wakes a thread that had no work, if there is work for it. The caller holds the lock.
void RunAhead::rouse() {
  if (idle_ != 0 && !open_.empty() && ahead_ < most_ahead()) work_.notify_one();
}

void RunAhead::claim(BlockRun& run) {
  for (;;) {
    Holder holder = Holder::offered;
    if (run.holder.compare_exchange_strong(holder, Holder::turns) || holder == Holder::turns) break;
    help(run);
  }
  if (failed_.load(std::memory_order_relaxed)) rethrow();
}

/// Does the work of other threads until no other thread holds `awaited`.
void RunAhead::help(BlockRun& awaited) {
  Batch batch;
  std::unique_lock lock(mutex_);
  if (take(batch)) {
    lock.unlock();
    run_batch(batch, 0, [&] {
      return awaited.holder == Holder::turns && awaited.outcome == BlockRun::Outcome::out_of_turn;
    });
    return;
  }
  awaited_ = &awaited;
  rested_.wait(lock, [&] { return awaited.holder != Holder::other; });
  awaited_ = nullptr;
}

void RunAhead::go_on(BlockRun& run, Cycle now, bool contended, std::uint64_t most) {
  if (run.block == nullptr) begin(run, 0);
  run.block->take_turn(now + (run.position - run.counted), contended);
  run_to(run, 0, run.counted + most);
}

void RunAhead::skip_fault(BlockRun& run) {
  run.block->skip_fault({port(), ns_per_cycle_, nullptr});
}

void RunAhead::begin_turn(BlockRun& run, bool ahead) {
  run.block->begin_turn();
  run.outcome = BlockRun::Outcome::paused;
  run.position = run.thread_instructions = run.counted = 0;
  leave_ahead(run);
  if (alone() || !ahead) return;
  const std::lock_guard lock(mutex_);
  run.holder = Holder::offered;
  offers_.push_back(&run);
  if (idle_ != 0) work_.notify_one();
}

void RunAhead::release(BlockRun& run) {
  if (run.block != nullptr) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!alone()) lock.lock();
    spare_.push_back(std::move(run.block));
  }
  run.holder = Holder::turns;
  leave_ahead(run);
  released_.push_back(&run);
}

void RunAhead::forget(GridRun& grid) {
  std::erase(open_, &grid);
  for (BlockRun* run : std::exchange(grid.next, {})) release(*run);
  for (BlockRun* run : std::exchange(grid.ahead, {})) release(*run);
}

void RunAhead::begin(BlockRun& run, unsigned thread) {
  Runner& runner = *runners_[thread];
  if (runner.spare == nullptr) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!alone()) lock.lock();
    if (spare_.empty()) spare_.push_back(std::make_unique<FunctionalBlock>());
    runner.spare = std::move(spare_.back());
    spare_.pop_back();
  }
  run.block = std::move(runner.spare);
  Grid& grid = *run.grid->grid;
  run.block->start(grid, grid.index_of(run.number), static_cast<std::uint32_t>(run.number % sms_),
                   runner.port, scheme_);
}

/// Runs a block that has started, up to position `stop` of its turn.
void RunAhead::run_to(BlockRun& run, unsigned thread, std::uint64_t stop) {
  Runner& runner = *runners_[thread];
  CodeCounts* counts = run.grid->counts.empty() ? nullptr : run.grid->counts[thread];
  run.outcome = run.block->run({runner.port, ns_per_cycle_, counts}, stop);
  run.position = run.block->position();
  run.thread_instructions = run.block->thread_instructions();
  run.pace = run.block->pace();
  if (run.outcome != BlockRun::Outcome::ended) return;
  run.context = run.block->context();
  if (runner.spare == nullptr) {
    runner.spare = std::move(run.block);
    return;
  }
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!alone()) lock.lock();
  spare_.push_back(std::move(run.block));
}

/// Takes work for another thread. Returns false when there is none. The caller holds the lock.
bool RunAhead::take(Batch& batch) {
  batch.clear();
  if (paused_ || failed_) return false;
  if (take_offered(batch)) return true;
  for (auto place = open_.begin(); place != open_.end();) {
    GridRun& grid = **place;
    const std::uint64_t blocks = grid.grid->blocks();
    const std::size_t most = batch_size(grid);
    while (batch.size() < most && grid.taken != blocks && grid.ahead.size() < kMostTaken &&
           ahead_ < most_ahead()) {
      BlockRun& run = fresh(grid);
      run.holder = Holder::other;
      grid.ahead.push_back(&run);
      batch.push_back(&run);
    }
    place = grid.taken == blocks ? open_.erase(place) : place + 1;
    if (!batch.empty()) return true;
  }
  return false;
}

bool RunAhead::take_offered(Batch& batch) {
  while (!offers_.empty()) {
    BlockRun& run = *offers_.front();
    offers_.pop_front();
    Holder expected = Holder::offered;
    if (!run.holder.compare_exchange_strong(expected, Holder::other)) continue;
    batch.push_back(&run);
    return true;
  }
  return false;
}

std::size_t RunAhead::batch_size(const GridRun& grid) const {
  const std::uint64_t ended = grid.ended_ahead.load(std::memory_order_relaxed);
  if (ended == 0 || grid.orders.load(std::memory_order_relaxed)) return 1;
  const std::uint64_t instructions = grid.instructions_ahead.load(std::memory_order_relaxed);
  return std::clamp<std::size_t>(kBatchInstructions * ended / (instructions + 1), 1, kMostBatch);
}

/// Runs the blocks of a batch ahead, one after the other. Each runs as far as it can, or until
/// interrupted().
template <class Interrupted>
void RunAhead::run_batch(const Batch& batch, unsigned thread, Interrupted interrupted) {
  for (BlockRun* run : batch) {
    try {
      if (run->block == nullptr && !interrupted()) {
        if (!run->admitted && !run->ahead.exchange(true)) ++ahead_;
        begin(*run, thread);
      }
      while (run->block != nullptr && !interrupted()) {
        run_to(*run, thread, run->position + kSlice);
        if (run->outcome != BlockRun::Outcome::paused) break;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (failure_ == nullptr) failure_ = std::current_exception();
      failed_ = true;
    }
    ran_ahead(*run);
    rest(*run);
  }
}

/// Records the outcome of a block, which guides the choice of later blocks.
void RunAhead::ran_ahead(BlockRun& run) {
  GridRun& grid = *run.grid;
  if (run.outcome == BlockRun::Outcome::ended) {
    leave_ahead(run);
    grid.instructions_ahead.fetch_add(run.position, std::memory_order_relaxed);
    grid.ended_ahead.fetch_add(1, std::memory_order_relaxed);
  } else if (run.outcome != BlockRun::Outcome::paused) {
    grid.orders.store(true, std::memory_order_relaxed);
  }
}

/// Gives the block back to the thread that has the turns. If the block was interrupted, offers it
/// again.
void RunAhead::rest(BlockRun& run) {
  if (run.outcome == BlockRun::Outcome::paused) {
    const std::lock_guard lock(mutex_);
    offers_.push_back(&run);
    run.holder = Holder::offered;
    if (idle_ != 0) work_.notify_one();
  } else {
    run.holder = Holder::turns;
  }
  if (awaited_.load() != &run) return;
  {
    const std::lock_guard lock(mutex_);
  }
  rested_.notify_all();
}

void RunAhead::serve(unsigned thread) {
  Batch batch;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (!take(batch)) {
      ++idle_;
      work_.wait(lock);
      --idle_;
      continue;
    }
    ++busy_;
    lock.unlock();
    run_batch(batch, thread, [this] { return paused_.load(std::memory_order_relaxed); });
    lock.lock();
    if (--busy_ == 0 && paused_) rested_.notify_all();
    rouse();
  }
}

}  // namespace raddle::machine
