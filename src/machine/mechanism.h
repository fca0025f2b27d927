// A mechanism is a built-in part that can be switched on. It lives in a folder of src/mechanisms
// and is registered by a line there. It attaches to the machine here and nowhere else.
//
//   programs         instructions with classes of their own (isa/table.h), builtins that kernels
//                    call (isa/builtins), passes (isa/passes)
//   launch path      LaunchPath::launch_from_device
//   block placement  BlockGroup (dispatch/grid.h): blocks that join a running grid
//   starts and ends  grid_started, group_started, block_ended, holds, grid_ended
//   placement        Mechanism::placement, MechanismKind::placements: which block goes where
//   units            sm_unit: a unit of each multiprocessor (unit/sm_unit.h), network, unit_state
//   views            LaunchPath::sms, counts_blocks: what resident blocks have done (sm_view.h)
//   preemption       LaunchPath::request (departure.h); block_stuck: blocks that wait for others
//   time             wake, next_look, cycle
//
// A mechanism that is switched off costs nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/stats.h"
#include "isa/builtins/builtins.h"
#include "isa/passes/pass_list.h"
#include "machine/departure.h"
#include "machine/dispatch/grid.h"
#include "machine/sm_view.h"

namespace raddle::isa {
struct Row;  // isa/table.h
}

namespace raddle::machine {

class Placement;         // machine/placement/placement.h
struct PlacementKind;    // the same
struct LaneControlKind;  // machine/warp/lane_control.h
struct WarpPolicyKind;   // machine/scheduler/policy.h
class MessageNetwork;    // machine/unit
class SmPort;
class SmUnit;
struct ClassConfig;  // machine/execute/config.h

/// A launch by a kernel.
struct DeviceLaunch {
  Launch launch;
  Address parameters_at = 0;  // the buffer from which its warps load parameters; 0: none
  Address record_at = 0;      // read by the kernel management unit at dispatch
  std::uint32_t record_bytes = 0;
  Cycle ready = 0;                // when that unit sees the launch
  unsigned dispatch_latency = 0;  // cycles from there to the distributor
};

/// The machine as a mechanism sees it. Builtins and functions of Mechanism may call everything
/// here, but never while multiprocessors run.
class LaunchPath : public DepartureRequests {
 public:
  virtual const GpuConfig& config() const = 0;
  virtual Cycle now() const = 0;
  virtual isa::Services& services() = 0;
  virtual StatGroup& statistics() = 0;

  /// The reason why this launch cannot run; none if it can.
  virtual LaunchError launch_error(const Launch&) const = 0;
  virtual GridId launch_from_device(DeviceLaunch) = 0;
  /// An id that no grid has. It identifies blocks that join a grid and must be distinguished from
  /// it.
  virtual GridId new_id() = 0;
  /// Ends a grid that Mechanism::holds() has kept running.
  virtual void end_held(GridId) = 0;
  /// Call it after WarpContext::waits_until of this warp has changed.
  virtual void wake_warp(const isa::WarpContext&) = 0;
  /// These lanes of the warp wait for a unit (SmUnit::issue(); without timing, WarpContext::event
  /// of Kind::unit). They execute their instruction again.
  virtual void wake_lanes(const isa::WarpContext&, LaneMask) = 0;

  // Views, and requests that blocks leave (departure.h). The functional machine has no
  // multiprocessors and no resident blocks, and no block leaves.

  /// [number]
  virtual std::span<const SmView> sms() const = 0;
  /// The block with this linear index in the grid or group whose GridContext has this id; nothing
  /// if it is on no multiprocessor.
  virtual std::optional<PlacedBlock> find(GridId grid, std::uint64_t block) const = 0;
  using DepartureRequests::request;
  /// find() and request().
  Departure request(GridId grid, std::uint64_t block, DepartureRequest asked) {
    const std::optional<PlacedBlock> found = find(grid, block);
    return found ? request(*found, std::move(asked)) : Departure::not_here;
  }
  /// An input of a placement policy has changed: the dispatcher asks the policy again.
  virtual void reconsider_placement() = 0;

  /// Transfers launch data, which the kernel management unit and the SMX scheduler keep in global
  /// memory, through the memory system. `done` is called when the last byte has come. The
  /// functional machine never calls it, since it has no time.
  virtual void load_record(Address, unsigned bytes, std::function<void()> done) = 0;
  virtual void store_record(Address, unsigned bytes) = 0;

  /// The grids in the kernel distributor, in order; none on the functional machine.
  virtual const std::vector<std::unique_ptr<Grid>>& distributor() const = 0;
  /// Adds the group to the end of the grid's pool of blocks to be placed. The grid must be in the
  /// distributor.
  virtual void add_group(Grid&, BlockGroup&) = 0;
};

/// Limits that a program sets (cudaDeviceSetLimit).
enum class DeviceLimit : std::uint8_t { pending_launches, sync_depth };

class Mechanism {
 public:
  virtual ~Mechanism() = default;

  /// The first block of a grid, or of a group on it, has been placed.
  virtual void grid_started(const Grid&) {}
  virtual void group_started(BlockGroup&) {}
  /// A block has ended; its memory is still there.
  virtual void block_ended(Grid&, const isa::BlockContext&) {}
  /// All blocks of the grid have ended and it leaves the distributor. True: it counts as running
  /// until LaunchPath::end_held().
  virtual bool holds(const Grid&) { return false; }
  /// The grid has ended and is not held; called at the end of cycle now().
  virtual void grid_ended(const Grid&) {}

  /// No warp of the block can continue before LaunchPath::wake_warp(). Called once, and again only
  /// after a warp was woken.
  virtual void block_stuck(const PlacedBlock&, DepartureRequests&) {}

  /// Whether the mechanism reads the counters of single blocks (BlockCounts). Asked once, before
  /// the first grid.
  virtual bool counts_blocks() const { return false; }

  /// The policy that places blocks while the mechanism is switched on; nullptr: it has none. The
  /// policy lives as long as the mechanism. `inner` is the policy so far: that of
  /// dispatch.placement, or of an earlier mechanism. A result that is not a PlacementAround
  /// replaces `inner`; the policy of another mechanism cannot be replaced.
  virtual Placement* placement(Placement& /*inner*/) { return nullptr; }

  /// Its unit of the multiprocessor behind `port`; nullptr: it has none. The timed machine asks
  /// once for each multiprocessor, before the first grid.
  virtual std::unique_ptr<SmUnit> sm_unit(SmPort& port);
  /// The network on which these units send messages to one another; nullptr: they send none.
  virtual MessageNetwork* network() { return nullptr; }
  /// Without timing, the state on which the semantics of its instructions work:
  /// isa::Services::unit_state() of Instruction::unit.
  virtual void* unit_state() { return nullptr; }

  /// Nothing on the functional machine can run any more. Returns whether held-back work can run
  /// now.
  virtual bool stalled() { return false; }

  /// The next cycle in which cycle() has work.
  virtual Cycle wake() const { return kNever; }
  /// The next cycle in which cycle() only observes. Such a look starts no work by itself; if
  /// nothing else happens, the machine does not wait for it.
  virtual Cycle next_look() const { return kNever; }
  /// Called at the end of every cycle from wake(), or next_look(), on.
  virtual void cycle() {}

  virtual void set_limit(DeviceLimit, std::uint64_t) {}
  /// The limit's value; nothing if the limit does not belong to this mechanism.
  virtual std::optional<std::uint64_t> limit(DeviceLimit) const { return {}; }
};

/// A row of the table after a run: a statistic of the mechanism's own group, or a quotient of two.
struct TableRow {
  const char* name;
  const char* statistic;
  const char* by;  // the divisor; "" for none
  const char* remark;
};

/// A kind of mechanism, as the registry lists it. Every field except the name may keep its default:
/// no settings, off unless asked for, and no parts.
struct MechanismKind {
  const char* name = "";
  const char* meaning = "";
  const char* needs = "";  // another mechanism that is switched on with it; "" for none
  /// Its settings and statistics are groups with the mechanism's name.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// Throws Error, before anything runs, for settings that contradict each other or the GPU, and
  /// names them. Called when the mechanism is switched on. `config` comes from make_config.
  void (*check)(const ConfigGroup& config, const GpuConfig& gpu) = nullptr;
  /// Whether several programs may share a GPU that has it (machine/clients.h). It must keep no
  /// state of one program that concerns another, and have no memory of its own.
  bool shared = false;
  /// Whether it is on for this GPU by default.
  bool (*by_default)(const GpuConfig& config) = nullptr;
  /// Changes settings in `config`, which comes from make_config, for programs of a CUDA runtime of
  /// this version (as cudaRuntimeGetVersion returns it); nullptr: it changes nothing.
  void (*suit_runtime)(ConfigGroup& config, int version) = nullptr;
  /// `config` comes from make_config. The machine is complete: all its functions may be called.
  std::unique_ptr<Mechanism> (*attach)(const ConfigGroup& config, LaunchPath&) = nullptr;
  /// Rows of the table after a run (report/table.cpp), shown if it is on and did something; static.
  std::span<const TableRow> table;
  /// The functions that kernels call to use it.
  std::vector<isa::Builtin> (*builtins)() = nullptr;
  /// Its schemes of lane control, for scheduler.divergence; they live for ever.
  std::span<const LaneControlKind> (*lane_controls)() = nullptr;
  /// Its placement policies, for dispatch.placement; they live for ever.
  std::span<const PlacementKind> (*placements)() = nullptr;
  /// Its policies of warp schedulers, for scheduler.policy; they live for ever.
  std::span<const WarpPolicyKind> (*warp_policies)() = nullptr;
  /// Its instructions, added after the built-in table; static. Instructions of Kind::unit get the
  /// mechanism's index in mechanism_kinds() as Instruction::unit.
  std::span<const isa::Row> (*rows)() = nullptr;
  /// Its own classes of instructions, starting with isa::own_class(0), by their settings, which lie
  /// in the result of make_config.
  std::vector<const ClassConfig*> (*classes)(const ConfigGroup& config) = nullptr;
  /// Its passes over programs, which run after the built-in passes and those of earlier mechanisms;
  /// always the same list. `gpu`: for a pass that needs latencies; they are read when a loader is
  /// made.
  isa::PassList (*passes)(const ConfigGroup& config, const GpuConfig& gpu) = nullptr;
};

/// Throws Error if the kind has instructions of a unit (isa::Kind::unit) but makes no unit.
void require_no_unit(const MechanismKind& kind);

/// All built-in kinds, in order of registration (made by src/mechanisms/CMakeLists.txt).
const std::vector<MechanismKind>& mechanism_kinds();

/// The kinds that `config` has by default or switches on (gpu.mechanisms), and those that they
/// need, without those that it switches off. Throws Error for unknown names.
std::vector<const MechanismKind*> mechanisms_on(const GpuConfig& config);

}  // namespace raddle::machine
