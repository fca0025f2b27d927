// The host threads of the functional machine. One thread has the turns and runs blocks in their
// order (functional_gpu.h). The other threads take up blocks that have their turn later. They run
// such a block until an instruction that orders blocks, and at most to the end of its next turn.
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

/// Only the thread that has the turns calls the public functions. With one thread, no block runs
/// ahead and nothing is locked.
class RunAhead {
 public:
  RunAhead(unsigned threads, memory::AddressSpace& space, isa::Services& services,
           const LaneControlKind& scheme, double ns_per_cycle, unsigned sms);
  ~RunAhead();

  unsigned threads() const { return static_cast<unsigned>(runners_.size()); }
  /// The port of the thread that has the turns.
  isa::GlobalPort& port() { return runners_[0]->port; }

  /// The ports of all threads.
  std::vector<isa::GlobalPort*> ports();

  /// Lets the other threads run, until pause().
  void resume();
  /// Stops the other threads. Returns whether they ran.
  bool pause();

  /// From this call on, threads may take up blocks of this grid.
  void open(GridRun& grid);
  /// Admits the next block of the grid, which is grid.next_block. The caller counts it.
  BlockRun& admit(GridRun& grid);
  /// Makes sure that no other thread runs this block. While it waits, it runs other blocks ahead.
  void claim(BlockRun& run);
  /// Continues a claimed block, whose turn has come, for at most `most` instructions that are not
  /// counted yet. `now` is the GPU's clock. `contended`: other blocks wait.
  void go_on(BlockRun& run, Cycle now, bool contended, std::uint64_t most);
  void skip_fault(BlockRun& run);
  /// The turn is over and counted. `ahead`: other threads may start the next turn before it comes.
  void begin_turn(BlockRun& run, bool ahead);
  /// The end of the block has been handled.
  void release(BlockRun& run);
  /// Drops all blocks that are not admitted yet. Call it while paused.
  void forget(GridRun& grid);

 private:
  struct Runner {
    Runner(memory::AddressSpace& space, isa::Services& services)
        : port(space, isa::GlobalPort::Mode::immediate, services) {}
    isa::GlobalPort port;
    std::unique_ptr<FunctionalBlock> spare;  // was used last, so it is in this thread's caches
  };
  using Batch = std::vector<BlockRun*>;

  bool alone() const { return runners_.size() == 1; }
  /// The limit on blocks that were started before their admission and have not ended.
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

  std::mutex mutex_;  // guards all below except atomics, and RunAhead's parts of grids and blocks
  std::condition_variable work_, rested_;
  std::deque<BlockRun> runs_;
  std::vector<BlockRun*> free_;
  std::vector<std::unique_ptr<FunctionalBlock>> spare_;
  std::deque<BlockRun*> offers_;  // some may have been taken back
  std::deque<GridRun*> open_;     // grids with blocks to take up
  unsigned busy_ = 0, idle_ = 0;  // numbers of other threads
  bool stop_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false}, paused_{true};
  std::atomic<unsigned> ahead_{0};  // blocks with BlockRun::ahead
  std::atomic<BlockRun*> awaited_{nullptr};
};

}  // namespace raddle::machine
