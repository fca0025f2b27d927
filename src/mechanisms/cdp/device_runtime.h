// The device runtime: who launched what, and who waits for whom.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/builtins/builtins.h"
#include "machine/config.h"
#include "machine/mechanism.h"
#include "mechanisms/cdp/config.h"
#include "mechanisms/cdp/errors.h"
#include "mechanisms/cdp/parameter_pool.h"
#include "mechanisms/cdp/stats.h"
#include "mechanisms/cdp/streams.h"

namespace raddle::mechanisms::cdp {

/// Stream handle for work that waits for nothing (cudaStreamFireAndForget).
inline constexpr std::uint64_t kFireAndForget = 4;

/// A launch as a thread asks for it.
struct Request {
  std::uint64_t kernel = 0;  // address
  Address parameters = 0;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::uint64_t stream = 0;  // handle
};

/// What one block has launched: shared by its threads.
struct LaunchingBlock {
  StreamId null_stream = 0;                       // 0: none yet
  unsigned running = 0;                           // of its children
  std::uint32_t launching_warps = 0;              // on the functional machine: a bit for each
  std::vector<isa::WarpContext*> waiting;         // in cudaDeviceSynchronize
  std::map<std::uint32_t, Error> last_error;      // by thread; none: success
  std::unordered_map<Address, Request> prepared;  // by buffer: cudaGetParameterBufferV2
};

/// Who waits for something that a thread has launched: its grid, and its block.
struct Child {
  machine::GridId parent = 0;
  std::shared_ptr<LaunchingBlock> launcher;
};

struct Place;
/// Work that runs when a grid and all its children have ended (cudaStreamTailLaunch).
using Tail = std::function<void(Place)>;
/// What a tail takes over from the grid that it follows: so a chain of tails, each launched by the
/// one before it, is one grid at a time, however long it is.
struct Place {
  Child child;             // who waits for it
  StreamId stream = 0;     // that goes on after it; 0: none
  std::deque<Tail> after;  // the tails that come next
};

class DeviceRuntime : public machine::Mechanism, public isa::LastErrors {
 public:
  DeviceRuntime(const CdpConfig& config, machine::LaunchPath& path);

  // What kernels call. `block` is that of the calling thread, `thread` its linear index there.
  /// 0 when device memory is full.
  Address parameter_buffer(std::uint64_t bytes);
  /// cudaGetParameterBufferV2: remembers the launch that is to come with `buffer`.
  Error parameter_buffer(const isa::BlockContext& block, Request request, Address& buffer);
  Error launch(const isa::BlockContext& block, Request request, Cycle ready);
  /// Of a buffer that the block got with a request.
  Error launch_prepared(const isa::BlockContext& block, Address buffer, std::uint64_t stream,
                        Cycle ready);
  /// Counts a launch that fails with `error`, which it returns.
  Error refused(Error error);
  StreamId create_stream();
  Error destroy_stream(std::uint64_t stream);
  Error record_event(const isa::BlockContext& block, EventId event, std::uint64_t stream);
  Error wait_event(const isa::BlockContext& block, std::uint64_t stream, EventId event);
  /// Does `effect` when the stream comes to it, which takes it as long as that many bytes do.
  Error copy(const isa::BlockContext& block, std::uint64_t stream, std::uint64_t bytes,
             std::function<void()> effect);
  /// The warp waits for all that its block has launched.
  Error synchronize(const isa::BlockContext& block, isa::WarpContext& warp, Cycle ready);
  Streams& streams() { return streams_; }
  /// Whether work may be put there.
  bool is_stream(std::uint64_t handle) const {
    return handle <= kFireAndForget || streams_.accepts(handle);
  }
  Error& last_error(const isa::BlockContext& block, std::uint32_t thread) {
    return of_block(block)->last_error[thread];
  }
  void clear_error(const isa::BlockContext& block, std::uint32_t thread) {
    of_block(block)->last_error.erase(thread);
  }

  /// Checks a request and makes the launch of it: what both kinds of launches need.
  Error prepare(const isa::BlockContext& block, const Request& request, machine::Launch& launch);

  // For mechanisms that launch in another way.
  /// Something that the block has launched: its grid ends after child_ended().
  Child adopt(const isa::BlockContext& block);
  void child_ended(const Child& child);
  /// How deep below a grid from the host this grid's (or group's) launches are.
  unsigned depth_below(machine::GridId parent) { return families_[parent].depth + 1; }
  /// Whether there is room for one more launch at that depth, and its stream exists; of an error
  /// the user is told. One that goes to the virtual pool is `ready` later.
  Error admit(const std::string& kernel, unsigned depth, std::uint64_t stream, Cycle& ready);
  /// An admitted launch takes its room, until its grid or group has ended.
  void take_room() { ++outstanding_; }
  /// At the end of a warp's call that launches. The functional machine has no time in which what
  /// was launched could end before the next call. So a warp lets the others make their calls before
  /// its next one; and where there is no room for one more of each, it goes on when all else has
  /// come as far as it can.
  void launched(isa::WarpContext& warp);
  /// Blocks that join another grid. They are a family of their own: what they launch counts as
  /// theirs, and who waits for them waits for that, too. Returns its id.
  machine::GridId start_group(Child child, Address parameters);
  void group_blocks_ended(machine::GridId group);
  /// A device kernel in place of a group of blocks that was launched at cycle `launched`.
  void launch_for(Child child, machine::Launch launch, Address parameters, Cycle launched,
                  Cycle ready);
  /// When the launch with these parameters began: with asking for the buffer.
  Cycle since(Address parameters) const { return pool_.since(parameters, path_.now()); }
  void free_parameters(Address buffer) { pool_.free(buffer); }
  /// A launch that has not started takes memory of that many bytes.
  void add_record(std::uint32_t bytes);
  void remove_record(std::uint32_t bytes) { records_ -= bytes; }
  void make_ideal() { ideal_ = true; }

  /// Takes the parameters of a prepared launch from their buffer.
  Error read_parameters(const Request& request, machine::Launch& launch);

  // Costs, in SM cycles.
  Cycle cost(const CallCost& cost, unsigned threads) const {
    return ideal_ || !timed_ ? 0 : Cycle{cost.base} + Cycle{cost.each} * threads;
  }
  const CdpConfig& config() const { return config_; }
  CdpStats& stats() { return stats_; }
  ParameterPool& pool() { return pool_; }
  machine::LaunchPath& path() { return path_; }

  // isa::LastErrors
  void record(const isa::WarpContext& warp, unsigned lane, std::int32_t error) override {
    last_error(*warp.block, warp.warp_in_block * kWarpSize + lane) = static_cast<Error>(error);
  }

  // Mechanism
  void grid_started(const machine::Grid& grid) override;
  void block_ended(machine::Grid& grid, const isa::BlockContext& block) override;
  bool holds(const machine::Grid& grid) override;
  void grid_ended(const machine::Grid& grid) override { finish(grid.id); }
  bool leaves_when_stuck() const override { return config_.swap; }
  bool stalled() override { return let_go(held_); }
  Cycle wake() const override {
    if (!yielding_.empty()) return 0;
    return std::min(copies_.empty() ? kNever : copies_.top().end, held_until_);
  }
  void cycle() override;
  void set_limit(machine::DeviceLimit limit, std::uint64_t value) override;
  std::optional<std::uint64_t> limit(machine::DeviceLimit limit) const override;

 private:
  using BlockKey = std::pair<const isa::GridContext*, std::uint64_t>;

  /// A grid, or a group on one, that was launched by a kernel or has launched something.
  struct Family {
    unsigned depth = 0;
    unsigned children = 0;  // that have not ended, and copies
    bool blocks_ended = false;
    bool group = false;  // no grid of its own
    std::deque<Tail> tail;
    // Of a child:
    Cycle launched = 0;
    Address buffer = 0;
    Place place;
    bool from_host() const { return place.child.parent == 0; }
  };
  struct Copy {
    Cycle end;
    std::uint64_t order;
    Place place;
    std::shared_ptr<std::function<void()>> effect;
    bool operator<(const Copy& other) const {
      return std::pair(end, order) > std::pair(other.end, other.order);
    }
  };

  /// Programs seldom ask in kernels whether a launch has failed: the user is told, once for each
  /// kernel and error.
  Error explain(const std::string& kernel, Error error, const std::string& why);
  std::shared_ptr<LaunchingBlock>& of_block(const isa::BlockContext& block);
  /// The stream behind a handle; 0 when there is none.
  StreamId stream_of(const isa::BlockContext& block, std::uint64_t handle);
  Error submit(const isa::BlockContext& block, std::uint64_t stream, Tail start);
  /// A launch begins to wait; its record lies behind its parameters.
  void add_pending(const machine::Launch& launch, Address parameters);
  void start_child(machine::Launch launch, Family child, Cycle ready);
  void note_footprint() { stats_.footprint_peak.set(pool_.used() + records_); }
  /// The grid's blocks and children have ended: its tail is next, or its end.
  void settle(machine::GridId id, Family& family);
  void start_tail(machine::GridId id, Family& family);
  /// It has ended for good, with all that came of it.
  void finish(machine::GridId id);
  /// What was there has ended: its tail is next, or those who wait go on.
  void leave(Place place);
  /// The warps go on; whether there are any.
  bool let_go(std::vector<isa::WarpContext*>& warps);
  static BlockKey key_of(const isa::BlockContext& block);

  const CdpConfig& config_;
  machine::LaunchPath& path_;
  CdpStats& stats_;
  ParameterPool pool_;
  Streams streams_;
  bool timed_, ideal_;
  std::uint64_t pending_limit_, sync_depth_;
  std::uint64_t outstanding_ = 0;            // launches whose grid or group has not ended
  std::uint64_t launching_warps_ = 0;        // on the functional machine: of blocks that run
  std::vector<isa::WarpContext*> yielding_;  // launched(): they wait for cycle(),
  std::vector<isa::WarpContext*> held_;      // or for stalled(),
  Cycle held_until_ = kNever;                // no longer than that
  std::uint64_t pending_ = 0, records_ = 0;  // launches that have not started; their bytes
  std::unordered_map<machine::GridId, Family> families_;
  std::map<BlockKey, std::shared_ptr<LaunchingBlock>> blocks_;
  std::priority_queue<Copy> copies_;
  std::uint64_t copy_order_ = 0;
  std::set<std::pair<std::string, Error>> told_;  // of refused launches
};

}  // namespace raddle::mechanisms::cdp
