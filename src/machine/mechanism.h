// What is built in to be switched on: a mechanism lives in a folder of src/mechanisms and is
// registered by a line there. It attaches to the machine here and nowhere else.
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
// Nothing of it costs anything while no mechanism is switched on.
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
  Address parameters_at = 0;  // the buffer from which its warps load their parameters; 0: none
  Address record_at = 0;      // what the kernel management unit reads when it dispatches it
  std::uint32_t record_bytes = 0;
  Cycle ready = 0;                // when that unit sees it
  unsigned dispatch_latency = 0;  // from there to the distributor
};

/// The machine as a mechanism sees it. Everything here may be called from builtins and from
/// Mechanism's functions, never while multiprocessors run.
class LaunchPath : public DepartureRequests {
 public:
  virtual const GpuConfig& config() const = 0;
  virtual Cycle now() const = 0;
  virtual isa::Services& services() = 0;
  virtual StatGroup& statistics() = 0;

  /// Why this launch cannot run, if it cannot.
  virtual LaunchError launch_error(const Launch&) const = 0;
  virtual GridId launch_from_device(DeviceLaunch) = 0;
  /// An id that no grid has, for blocks that join one and are yet to be told from it.
  virtual GridId new_id() = 0;
  /// Ends a grid that Mechanism::holds() has kept.
  virtual void end_held(GridId) = 0;
  /// WarpContext::waits_until of this warp has changed.
  virtual void wake_warp(const isa::WarpContext&) = 0;
  /// Lanes of this warp that wait for a unit (SmUnit::issue(); without timing, WarpContext::event of
  /// Kind::unit) execute their instruction again.
  virtual void wake_lanes(const isa::WarpContext&, LaneMask) = 0;

  // Views, and the door for blocks (departure.h): request(). The functional machine has none: no
  // multiprocessors, no resident blocks, and nobody leaves.

  /// [number]
  virtual std::span<const SmView> sms() const = 0;
  /// The block with this linear index in the grid or group whose GridContext has this id, if it is on
  /// a multiprocessor.
  virtual std::optional<PlacedBlock> find(GridId grid, std::uint64_t block) const = 0;
  using DepartureRequests::request;
  /// find() and request().
  Departure request(GridId grid, std::uint64_t block, DepartureRequest asked) {
    const std::optional<PlacedBlock> found = find(grid, block);
    return found ? request(*found, std::move(asked)) : Departure::not_here;
  }
  /// What a policy of placement goes by has changed: it is asked again.
  virtual void reconsider_placement() = 0;

  /// What the kernel management unit and the SMX scheduler keep of launches in global memory goes
  /// through the memory system; `done` is called when the last byte has come (the functional
  /// machine: never, it has no time).
  virtual void load_record(Address, unsigned bytes, std::function<void()> done) = 0;
  virtual void store_record(Address, unsigned bytes) = 0;

  /// The grids in the kernel distributor, in order; none on the functional machine.
  virtual const std::vector<std::unique_ptr<Grid>>& distributor() const = 0;
  /// Adds the group to the end of the grid's pool of blocks to be placed; the grid is in the
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
  /// The grid has ended for good; called at the end of cycle now().
  virtual void grid_ended(const Grid&) {}

  /// No warp of the block can go on before LaunchPath::wake_warp(); told once, until one is woken.
  virtual void block_stuck(const PlacedBlock&, DepartureRequests&) {}

  /// Whether it looks at the counters of single blocks (BlockCounts). Asked once, before the first
  /// grid.
  virtual bool counts_blocks() const { return false; }

  /// The policy that places blocks while this is switched on; nullptr: not this mechanism's concern.
  /// It lives as long as the mechanism. `inner`: the policy that would do so without it, that of
  /// dispatch.placement or of a mechanism before it. Who does not pass it on (PlacementAround) takes
  /// its place; that of another mechanism cannot be replaced.
  virtual Placement* placement(Placement& /*inner*/) { return nullptr; }

  /// Its unit of the multiprocessor behind `port`; nullptr: it has none. The timed machine asks
  /// once for each, before the first grid.
  virtual std::unique_ptr<SmUnit> sm_unit(SmPort& port);
  /// By which these units send messages to one another; nullptr: they do not.
  virtual MessageNetwork* network() { return nullptr; }
  /// Without timing, what the semantics of its instructions work on: isa::Services::unit_state() of
  /// Instruction::unit.
  virtual void* unit_state() { return nullptr; }

  /// Nothing on the functional machine can run any more: whether something that was held back until
  /// then can now.
  virtual bool stalled() { return false; }

  /// The next cycle in which cycle() does anything.
  virtual Cycle wake() const { return kNever; }
  /// The same for what it does only to look: if nothing else goes on, that gives nobody anything to do,
  /// and the machine does not wait for it.
  virtual Cycle next_look() const { return kNever; }
  /// At the end of every cycle from wake(), or next_look(), on.
  virtual void cycle() {}

  virtual void set_limit(DeviceLimit, std::uint64_t) {}
  /// None: not this mechanism's.
  virtual std::optional<std::uint64_t> limit(DeviceLimit) const { return {}; }
};

/// A row of the table after a run: a statistic of the mechanism's own group, or that by another.
struct TableRow {
  const char* name;
  const char* statistic;
  const char* by;  // "" for none
  const char* remark;
};

/// A kind of mechanism, as the registry lists it. All but its name may stay as it is: no settings,
/// off unless asked for, nothing of each part that it does not have.
struct MechanismKind {
  const char* name = "";
  const char* meaning = "";
  const char* needs = "";  // another that is switched on with it; "" for none
  /// Its settings and statistics are groups of its name.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// Throws Error for settings that contradict each other or the GPU, naming them, before anything
  /// runs; called when it is switched on. `config` is what make_config made.
  void (*check)(const ConfigGroup& config, const GpuConfig& gpu) = nullptr;
  /// Whether several programs may share a GPU that has it (machine/clients.h): it keeps nothing of one
  /// program that is another's concern, and has no memory of its own.
  bool shared = false;
  /// Whether a GPU has it without being asked.
  bool (*by_default)(const GpuConfig& config) = nullptr;
  /// Sets what is different for programs of a CUDA runtime (as cudaRuntimeGetVersion tells it), in
  /// what make_config made; nullptr: nothing.
  void (*suit_runtime)(ConfigGroup& config, int version) = nullptr;
  /// `config` is what make_config made. The machine is complete: everything of it may be called.
  std::unique_ptr<Mechanism> (*attach)(const ConfigGroup& config, LaunchPath&) = nullptr;
  /// Rows of the table after a run (report/table.cpp), while it is on and did something; static.
  std::span<const TableRow> table;
  /// What kernels call to use it.
  std::vector<isa::Builtin> (*builtins)() = nullptr;
  /// Schemes of lane control that it brings, for scheduler.divergence; they live for ever.
  std::span<const LaneControlKind> (*lane_controls)() = nullptr;
  /// Placement policies that it brings, for dispatch.placement; they live for ever.
  std::span<const PlacementKind> (*placements)() = nullptr;
  /// Policies of warp schedulers that it brings, for scheduler.policy; they live for ever.
  std::span<const WarpPolicyKind> (*warp_policies)() = nullptr;
  /// Its instructions, behind those of the built-in table; static. Those of Kind::unit get the
  /// number of the mechanism in mechanism_kinds() as Instruction::unit.
  std::span<const isa::Row> (*rows)() = nullptr;
  /// Classes of instructions of its own, isa::own_class(0) first, by their settings, which lie in
  /// what make_config made.
  std::vector<const ClassConfig*> (*classes)(const ConfigGroup& config) = nullptr;
  /// What runs over programs, behind the passes that are built in and those of mechanisms before it;
  /// always the same ones. `gpu`: for a pass that wants to know latencies; they are read when a
  /// loader is made.
  isa::PassList (*passes)(const ConfigGroup& config, const GpuConfig& gpu) = nullptr;
};

/// Throws Error if the kind has instructions of a unit (isa::Kind::unit), where no unit is there.
void require_no_unit(const MechanismKind& kind);

/// All kinds that are built in, in order of registration (made by src/mechanisms/CMakeLists.txt).
const std::vector<MechanismKind>& mechanism_kinds();

/// The kinds that `config` has by default or switches on (gpu.mechanisms), with those which they
/// need, less those that it switches off. Throws Error
/// for unknown names.
std::vector<const MechanismKind*> mechanisms_on(const GpuConfig& config);

}  // namespace raddle::machine
