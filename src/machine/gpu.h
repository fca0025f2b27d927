// The simulated GPU as the CUDA runtime sees it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/merged_stats.h"
#include "base/stats.h"
#include "base/types.h"
#include "isa/program.h"
#include "isa/warp_context.h"
#include "memory/address_space.h"

namespace raddle::machine {

struct GpuConfig;  // machine/config.h
class Engine;      // machine/engine.h
struct GpuStats;   // the same
class Observer;    // machine/observer.h
class Profile;     // machine/profile.h
struct Client;     // machine/clients.h

using GridId = std::uint64_t;

/// Of Launch::queue: waits for no other grid.
inline constexpr std::uint32_t kNoQueue = ~std::uint32_t{0};

/// Of Gpu::advance(): nobody else wants to use the GPU.
inline constexpr std::atomic<unsigned> kUnwanted{0};

/// A kernel launch as it reaches the GPU; the caller has checked it against launch_error().
struct Launch {
  const isa::Program* program = nullptr;
  const isa::Function* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  // Function::parameter_bytes of them
  bool cooperative = false;
  std::uint32_t stream = 0;        // for reports
  std::uint32_t queue = kNoQueue;  // its stream: those are mapped to hardware work queues in turn
  int priority = 0;                // lower is more urgent, as in CUDA
  unsigned client = 0;             // whose it is (Gpu::set_client)
  /// GridContext::sync_workspace, if the caller has allocated it; 0: the GPU does.
  Address sync_workspace = 0;
};

/// Why a launch cannot run.
struct LaunchError {
  enum class Kind : std::uint8_t {
    none,
    configuration,  // sizes that no kernel can have
    launch_bounds,  // more threads than the kernel was compiled for
    shared_limit,   // more shared memory than the program has allowed this kernel
    resources,
    cooperative_size,  // not resident all at once
    unsupported        // by the simulator, or switched off
  };
  Kind kind = Kind::none;
  std::string text;  // a sentence for people
  explicit operator bool() const { return kind != Kind::none; }
};

/// What remains of a grid when it has ended.
struct GridRecord {
  GridId id = 0;
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t stream = 0;
  unsigned client = 0;  // Launch::client
  Cycle queued = 0, start_cycle = 0, end_cycle = 0;
  Cycle counted_before = 0;  // cycles before start_cycle that profilers count as its own
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  bool completed = true;  // false: a fault or a deadlock stopped it at end_cycle
  /// What all units counted from its start to its end, and whether other grids ran meanwhile: of
  /// launches by the host, after Gpu::measure_launches().
  std::shared_ptr<const MergedStats::State> statistics;
  bool overlapped = false;

  /// As profilers count.
  Cycle cycles() const { return end_cycle - start_cycle + counted_before; }
};

/// A program's error found while it ran: complete text for people, and its kind for the runtime.
struct FaultReport {
  isa::Fault::Kind kind = isa::Fault::Kind::none;
  GridId grid = 0;
  std::string text;
  unsigned client = 0;  // Launch::client
};

/// Blocks of one kernel that fit on an SM, with what limits them.
struct Occupancy {
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t registers_per_block = 0, shared_per_block = 0, warps_per_block = 0;
  const char* limited_by = "";
};

/// How far a GPU has come, for people who wait.
struct Progress {
  std::uint64_t grids_ended = 0;
  const GridRecord* grid = nullptr;  // the first that runs; nullptr when all are still queued
  std::uint64_t blocks_ended = 0, blocks = 0;  // of it
  std::uint64_t blocks_resident = 0;           // of it: placed and not ended
  std::uint64_t warp_instructions = 0;         // since the GPU was made
  Cycle now = 0;
};

/// What simulating one kind of hardware unit has cost.
struct HostTime {
  const char* unit;
  double seconds;
};

/// Makes what runs a GPU's grids, in place of the machines that are here; the configuration, the memory and
/// the statistics outlive it.
using EngineMaker = std::function<std::unique_ptr<Engine>(
    const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics)>;

class Gpu {
 public:
  /// `make`: empty for the timed machine, or the functional one, as `config` says.
  Gpu(const GpuConfig& config, memory::AddressSpace& space, EngineMaker make = {});
  ~Gpu();

  const GpuConfig& config() const;

  /// Too many threads, shared memory, registers ...
  LaunchError launch_error(const Launch&) const;
  Occupancy occupancy(const isa::Program&, const isa::Function&, std::uint32_t threads_per_block,
                      std::uint32_t dynamic_shared_bytes) const;

  /// Hands a grid to the dispatch unit; it may start at cycle `not_before` or later. Grids of
  /// several calls run side by side as the hardware allows: the caller keeps stream order by not
  /// launching a grid before those it must follow have ended.
  GridId launch(Launch, Cycle not_before);

  Cycle now() const;
  /// True when no grid is queued or running.
  bool idle() const;
  bool ended(GridId) const;

  /// Runs until cycle `limit`, or until a grid ends or a fault occurs, whichever is first (so that
  /// the caller can launch what waited for it). An idle GPU goes to `limit` at once; with limit ==
  /// kNever an idle GPU returns immediately.
  /// It returns as well, with something simulated, when `wanted` is not 0, which another thread may
  /// make it.
  void advance(Cycle limit, const std::atomic<unsigned>& wanted = kUnwanted);
  /// Since the last advance(kNever) the host may have changed what kernels wait for: a deadlock is not
  /// proved by what was seen before.
  void host_was_here();

  /// Calls `watcher` now and then while advance() runs, some hundred times per second on the real
  /// clock, between cycles: where_warps_are() may be asked. It sees; nothing depends on it.
  void watch(std::function<void(const Progress&)> watcher);

  /// Tells `observer` of blocks and grids, and lets it look at the counters every `period` SM
  /// cycles (kNever: not at all). The timed machine only. Before anything is launched; it must
  /// outlive the GPU's work.
  void observe(Observer& observer, Cycle period);
  /// Counts what each instruction costs in `profile` from now on. As above.
  void profile(Profile& profile);

  /// The records of all launches by the host get GridRecord::statistics from now on, in the form
  /// that is returned. Before anything is launched.
  const MergedStats& measure_launches();

  /// Grids that ended since the last call, in order of their end.
  std::vector<GridRecord> take_ended();
  /// Faults since the last call; after the first the GPU runs nothing more unless keep_going is
  /// set.
  std::vector<FaultReport> take_faults();
  /// Text that kernels printed since the last call, in a fixed order.
  std::string take_printed();
  /// Calls of printf since the last call whose text was lost, because the buffer was full.
  std::uint64_t take_lost_prints();
  /// Size of that buffer (cudaLimitPrintfFifoSize); initially isa::PrintBuffer::kDefaultBytes.
  void set_print_bytes(std::uint64_t bytes);
  /// What the user should know since the last call, a sentence each.
  std::vector<std::string> take_told();

  /// Size of the heap from which kernels malloc (cudaLimitMallocHeapSize); initially
  /// gpu.heap_bytes.
  void set_heap_bytes(std::uint64_t bytes);

  /// Local memory that later launches have for recursion and alloca (cudaLimitStackSize), bytes a
  /// thread; less than Function::stack_bytes has no effect.
  void set_stack_bytes(std::uint32_t bytes);

  // Limits of launches by kernels: initially those of the configuration; none on a GPU where
  // kernels cannot launch.
  /// Launches that have not ended (cudaLimitDevRuntimePendingLaunchCount).
  void set_pending_launches(std::uint64_t launches);
  std::optional<std::uint64_t> pending_launches() const;
  /// Levels of grids at which kernels may wait for their children (cudaLimitDevRuntimeSyncDepth).
  void set_sync_depth(std::uint64_t depth);
  std::optional<std::uint64_t> sync_depth() const;

  // Programs that share the GPU (machine/clients.h); the timed machine only.
  /// Client `client` (from 1 on, in order), which has no grids now, is one with this memory. It is as new,
  /// and outlives its grids.
  void set_client(unsigned client, memory::AddressSpace& space);
  /// Its kernels faulted, or it is gone: its grids end, as stopped ones, as soon as what their warps
  /// have under way has ended. Others' go on.
  void end_client(unsigned client);
  /// What belongs to it alone: counts of its instructions, its limits and what its kernels print.
  Client& client(unsigned client);

  /// As new, after a fault too: caches, queues, heap and limits. Clock and statistics go on. Grids
  /// that have not ended are forgotten; what they allocated is the caller's to free, and he does so
  /// in `free_memory`, when nothing looks at memory any more.
  void reset(const std::function<void()>& free_memory);

  /// Ends all grids that have started, as stopped ones: their records say how far they came. Nothing
  /// runs any more. Between cycles.
  void stop();

  /// The kernels that run, and where their warps are and what they wait for: lines that begin with
  /// two blanks or more, without a final newline; warps at the same place share one, and there are
  /// at most `most` of those. Not from within advance() but for its watcher.
  std::string where_warps_are(unsigned most) const;

  /// Statistics of everything run so far; the tree lives as long as this.
  const StatGroup& statistics() const;

  /// Where the host's time went; empty unless gpu.measure_units is set.
  std::vector<HostTime> host_times() const;

  double nanoseconds(Cycle) const;  // of SM cycles
  Cycle cycles(double nanoseconds) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace raddle::machine
