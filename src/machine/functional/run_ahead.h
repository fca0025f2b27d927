// The host threads of the functional machine. One thread, which has the turns, runs blocks in
// their order (functional_gpu.h); the others take up blocks that will have their turn later and run
// them as far as nothing orders them: to the end of their next turn at most.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "isa/global_port.h"
#include "machine/functional/block_run.h"

namespace raddle::machine {

/// Everything here is called by the thread that has the turns. With one thread nothing runs ahead
/// and nothing is locked.
class RunAhead {
 public:
  RunAhead(unsigned threads, memory::AddressSpace& space, isa::Services& services,
           const LaneControlKind& scheme, double ns_per_cycle, unsigned sms);
  ~RunAhead();

  unsigned threads() const { return static_cast<unsigned>(runners_.size()); }
  /// Of the thread that has the turns.
  isa::GlobalPort& port() { return runners_[0]->port; }

  /// Of all threads.
  std::vector<isa::GlobalPort*> ports();

  /// Between resume() and pause() the other threads run.
  void resume();
  /// Whether they ran.
  bool pause();

  /// The blocks of this grid may be taken up from now on.
  void open(GridRun& grid);
  /// The next block of the grid has its place: grid.next_block, which the caller counts.
  BlockRun& admit(GridRun& grid);
  /// Sees to it that no other thread runs this block; runs others ahead while it waits.
  void claim(BlockRun& run);
  /// Goes on with a claimed block, whose turn has come, for up to `most` instructions that are not
  /// counted yet; `now` is the GPU's clock. `contended`: other blocks wait.
  void go_on(BlockRun& run, Cycle now, bool contended, std::uint64_t most);
  void skip_fault(BlockRun& run);
  /// The turn is over and counted. `ahead`: the next one may be begun before it comes.
  void begin_turn(BlockRun& run, bool ahead);
  /// The block's end has come.
  void release(BlockRun& run);
  /// Forgets all blocks that are not admitted yet, while paused.
  void forget(GridRun& grid);

 private:
  struct Runner {
    Runner(memory::AddressSpace& space, isa::Services& services)
        : port(space, isa::GlobalPort::Mode::immediate, services) {}
    isa::GlobalPort port;
    std::unique_ptr<FunctionalBlock> spare;  // that is in this thread's caches
  };
  using Batch = std::vector<BlockRun*>;

  bool alone() const { return runners_.size() == 1; }
  /// Blocks that have begun before their places, less those that have ended.
  unsigned most_ahead() const { return 4 * threads(); }
  void rethrow();
  void rouse();
  BlockRun& fresh(GridRun& grid);
  void begin(BlockRun& run, unsigned thread);
  void run_to(BlockRun& run, unsigned thread, std::uint64_t stop);
  void take_next(GridRun& grid);
  void leave_ahead(BlockRun& run);
  bool take(Batch& batch);
  bool take_offered(Batch& batch);
  std::size_t batch_size(const GridRun& grid) const;
  template <class Interrupted>
  void run_batch(const Batch& batch, unsigned thread, Interrupted interrupted);
  void rest(BlockRun& run);
  void ran_ahead(BlockRun& run);
  void help(BlockRun& awaited);
  void serve(unsigned thread);
  bool work_left() const { return !offers_.empty() || !open_.empty(); }

  const LaneControlKind& scheme_;
  double ns_per_cycle_;
  unsigned sms_;
  std::vector<std::unique_ptr<Runner>> runners_;
  std::vector<std::thread> threads_;
  std::vector<BlockRun*> released_;

  std::mutex mutex_;  // what follows but the atomics, and what is RunAhead's of grids and blocks
  std::condition_variable work_, rested_;
  std::deque<BlockRun> runs_;
  std::vector<BlockRun*> free_;
  std::vector<std::unique_ptr<FunctionalBlock>> spare_;
  std::deque<BlockRun*> offers_;  // some may have been taken back
  std::deque<GridRun*> open_;     // with blocks to be taken up
  unsigned busy_ = 0, idle_ = 0;  // other threads
  bool stop_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false}, paused_{true};
  std::atomic<unsigned> ahead_{0};  // blocks with BlockRun::ahead
  std::atomic<BlockRun*> awaited_{nullptr};
};

}  // namespace raddle::machine
