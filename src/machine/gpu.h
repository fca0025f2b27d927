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

/// Value of Launch::queue: the grid waits for no other grid.
inline constexpr std::uint32_t kNoQueue = ~std::uint32_t{0};

/// Value for Gpu::advance(): no other thread wants to use the GPU.
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
  std::uint32_t queue = kNoQueue;  // its stream; streams take hardware work queues in turn
  int priority = 0;                // a lower value is more urgent, as in CUDA
  unsigned client = 0;             // the program that launched it (Gpu::set_client)
  /// GridContext::sync_workspace, if the caller has allocated it; 0: the GPU allocates it.
  Address sync_workspace = 0;
};

/// Why a launch cannot run.
struct LaunchError {
  enum class Kind : std::uint8_t {
    none,
    configuration,  // sizes that no kernel can have
    launch_bounds,  // more threads than the kernel was compiled for
    shared_limit,   // more shared memory than the program allowed for this kernel
    resources,
    cooperative_size,  // its blocks cannot all be resident at once
    unsupported        // by the simulator, or by a mechanism that is switched off
  };
  Kind kind = Kind::none;
  std::string text;  // a sentence for people
  explicit operator bool() const { return kind != Kind::none; }
};

/// The record of a grid that has ended.
struct GridRecord {
  GridId id = 0;
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t stream = 0;
  unsigned client = 0;  // Launch::client
  Cycle queued = 0, start_cycle = 0, end_cycle = 0;
  Cycle counted_before = 0;  // cycles before start_cycle that profilers count as part of the launch
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  bool completed = true;  // false: a fault or a deadlock stopped it at end_cycle
  /// Counts of all units from its start to its end, and whether other grids ran meanwhile. Only for
  /// launches by the host, after Gpu::measure_launches().
  std::shared_ptr<const MergedStats::State> statistics;
  bool overlapped = false;

  /// Cycles as profilers count them.
  Cycle cycles() const { return end_cycle - start_cycle + counted_before; }
};

/// A program's error found while it ran: complete text for people, and its kind for the runtime.
struct FaultReport {
  isa::Fault::Kind kind = isa::Fault::Kind::none;
  GridId grid = 0;
  std::string text;
  unsigned client = 0;  // Launch::client
};

/// Number of blocks of one kernel that fit on an SM, and the resource that limits it.
struct Occupancy {
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t registers_per_block = 0, shared_per_block = 0, warps_per_block = 0;
  const char* limited_by = "";
};

/// How far a GPU has come, for users who wait.
struct Progress {
  std::uint64_t grids_ended = 0;
  const GridRecord* grid = nullptr;  // the first running grid; nullptr when all are still queued
  std::uint64_t blocks_ended = 0, blocks = 0;  // of `grid`
  std::uint64_t blocks_resident = 0;           // of `grid`: placed and not ended
  std::uint64_t warp_instructions = 0;         // since the GPU was made
  Cycle now = 0;
};

/// The host time that simulating one kind of hardware unit has cost.
struct HostTime {
  const char* unit;
  double seconds;
};

/// Makes the engine that runs a GPU's grids, in place of the built-in engines. The configuration,
/// the memory and the statistics outlive the engine.
using EngineMaker = std::function<std::unique_ptr<Engine>(
    const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics)>;

class Gpu {
 public:
  /// If `make` is empty, `config` chooses the timed or the functional machine.
  Gpu(const GpuConfig& config, memory::AddressSpace& space, EngineMaker make = {});
  ~Gpu();

  const GpuConfig& config() const;

  /// Errors such as too many threads, too much shared memory, too many registers.
  LaunchError launch_error(const Launch&) const;
  Occupancy occupancy(const isa::Program&, const isa::Function&, std::uint32_t threads_per_block,
                      std::uint32_t dynamic_shared_bytes) const;

  /// Hands a grid to the dispatch unit; it may start at cycle `not_before` or later. Grids of
  /// several calls run side by side as the hardware allows. The caller keeps stream order: it
  /// launches a grid only after the grids before it in the stream have ended.
  GridId launch(Launch, Cycle not_before);

  Cycle now() const;
  /// True when no grid is queued or running.
  bool idle() const;
  bool ended(GridId) const;

  /// Runs until cycle `limit`, or until a grid ends or a fault occurs, whichever is first, so that
  /// the caller can launch the work that waited for it. An idle GPU goes to `limit` at once; with
  /// limit == kNever it returns immediately. advance() also returns when `wanted` is not 0, but
  /// first simulates something. Another thread may set `wanted`.
  void advance(Cycle limit, const std::atomic<unsigned>& wanted = kUnwanted);
  /// The host may have changed memory that kernels wait for since the last advance(kNever). Earlier
  /// observations therefore do not prove a deadlock.
  void host_was_here();

  /// Calls `watcher` while advance() runs, some hundred times per second on the real clock, between
  /// cycles. The watcher may call where_warps_are(). It only observes; it changes no result.
  void watch(std::function<void(const Progress&)> watcher);

  /// Tells `observer` of blocks and grids, and lets it look at the counters every `period` SM
  /// cycles (kNever: not at all). Works on the timed machine only. Call it before the first launch;
  /// the observer must outlive the GPU's work.
  void observe(Observer& observer, Cycle period);
  /// Counts the cost of each instruction in `profile` from this call on. The conditions of
  /// observe() hold.
  void profile(Profile& profile);

  /// Makes the records of all later launches by the host contain GridRecord::statistics, in the
  /// returned form. Call it before the first launch.
  const MergedStats& measure_launches();

  /// Grids that ended since the last call, in order of their end.
  std::vector<GridRecord> take_ended();
  /// Faults since the last call. After the first fault the GPU runs nothing more unless keep_going
  /// is set.
  std::vector<FaultReport> take_faults();
  /// Text that kernels printed since the last call, in a fixed order.
  std::string take_printed();
  /// Number of printf calls since the last call whose text was lost because the buffer was full.
  std::uint64_t take_lost_prints();
  /// Size of the printf buffer (cudaLimitPrintfFifoSize); initially
  /// isa::PrintBuffer::kDefaultBytes.
  void set_print_bytes(std::uint64_t bytes);
  /// Notes for the user since the last call, one sentence each.
  std::vector<std::string> take_told();

  /// Size of the heap for malloc in kernels (cudaLimitMallocHeapSize); initially gpu.heap_bytes.
  void set_heap_bytes(std::uint64_t bytes);

  /// Local memory of later launches for recursion and alloca (cudaLimitStackSize), in bytes per
  /// thread. A value below Function::stack_bytes has no effect.
  void set_stack_bytes(std::uint32_t bytes);

  // Limits of launches by kernels. Initially they come from the configuration. On a GPU where
  // kernels cannot launch there are none.
  /// Limit of launches that have not ended (cudaLimitDevRuntimePendingLaunchCount).
  void set_pending_launches(std::uint64_t launches);
  std::optional<std::uint64_t> pending_launches() const;
  /// Levels of grids at which kernels may wait for their children (cudaLimitDevRuntimeSyncDepth).
  void set_sync_depth(std::uint64_t depth);
  std::optional<std::uint64_t> sync_depth() const;

  // Programs that share the GPU (machine/clients.h); the timed machine only.
  /// Client `client` now uses this memory. Clients are numbered from 1 on, in order. The client has
  /// no grids at the call; its state is as new; it outlives its grids.
  void set_client(unsigned client, memory::AddressSpace& space);
  /// The client's kernels faulted, or its program has gone. Its grids end as stopped grids, once
  /// the operations in flight of their warps have ended. Grids of other clients continue.
  void end_client(unsigned client);
  /// State that belongs to this client alone: instruction counts, limits and printed text.
  Client& client(unsigned client);

  /// Makes the GPU as new, also after a fault: caches, queues, heap and limits. Clock and
  /// statistics continue. Grids that have not ended are forgotten. The caller frees their
  /// allocations in `free_memory`, which is called when nothing uses memory any more.
  void reset(const std::function<void()>& free_memory);

  /// Ends all grids that have started, as stopped grids: their records say how far they came.
  /// Nothing runs afterwards. Call it between cycles.
  void stop();

  /// The running kernels, where their warps are, and what the warps wait for. Each line begins with
  /// two blanks or more; there is no final newline. Warps at the same place share one line, and
  /// there are at most `most` such lines. Within advance() only its watcher may call this.
  std::string where_warps_are(unsigned most) const;

  /// Statistics of everything run so far; the tree lives as long as this object.
  const StatGroup& statistics() const;

  /// The host time of each hardware unit; empty unless gpu.measure_units is set.
  std::vector<HostTime> host_times() const;

  double nanoseconds(Cycle) const;  // of SM cycles
  Cycle cycles(double nanoseconds) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace raddle::machine
