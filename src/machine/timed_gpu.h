// The timed machine: multiprocessors, the memory side and the dispatcher, cycle by cycle.
#pragma once

#include "base/due.h"
#include "machine/config.h"
#include "machine/context_memory.h"
#include "machine/dispatch/departures.h"
#include "machine/dispatch/dispatcher.h"
#include "machine/dispatch/record_port.h"
#include "machine/engine.h"
#include "machine/memory_system/memory_system.h"
#include "machine/phase_pool.h"
#include "machine/sm/sm.h"
#include "machine/spin_check.h"

namespace raddle::machine {

class TimedGpu : public Engine {
 public:
  TimedGpu(const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics);

  bool idle() const override { return dispatcher_.idle() && !holds_any(); }
  bool has(GridId grid) const override { return dispatcher_.has(grid) || holds(grid); }
  void advance(Cycle limit, const std::atomic<unsigned>& wanted) override;
  void host_was_here() override { spins_.host_was_here(now_); }
  void stop() override;
  void set_client(unsigned client, memory::AddressSpace& space) override;
  void end_client(unsigned client) override;
  Whereabouts whereabouts() override;
  void settle() override;
  void observe(Observer& observer, Cycle period) override;
  void profile(Profile& profile) override;
  std::vector<HostTime> host_times() const override;

  void wake_warp(const isa::WarpContext& warp) override;
  void wake_lanes(const isa::WarpContext& warp, LaneMask lanes) override;
  std::span<const SmView> sms() const override { return dispatcher_.views(); }
  std::optional<PlacedBlock> find(GridId grid, std::uint64_t block) const override {
    return departures_.find(grid, block);
  }
  using LaunchPath::request;
  Departure request(const PlacedBlock& block, DepartureRequest asked) override {
    return departures_.request(block, std::move(asked));
  }
  void reconsider_placement() override { dispatcher_.room_freed(); }
  const std::vector<std::unique_ptr<Grid>>& distributor() const override {
    return dispatcher_.running();
  }
  void add_group(Grid& grid, BlockGroup& group) override { dispatcher_.add_group(grid, group); }
  void load_record(Address address, unsigned bytes, std::function<void()> done) override {
    records_.load(address, bytes, std::move(done));
  }
  void store_record(Address address, unsigned bytes) override { records_.store(address, bytes); }

 protected:
  void settle_cycle(bool ending) override;
  void enqueue(std::unique_ptr<Grid> grid) override;
  void ended(const Grid& grid) override { dispatcher_.ended(grid); }
  void mechanisms_attached() override;

 private:
  std::vector<std::unique_ptr<Sm>> make_sms();
  std::vector<MemoryPort*> ports();
  std::vector<isa::GlobalPort*> value_ports();
  void add_units();
  void choose_placement();

  // The phases of a cycle, in their order.
  void cycle();
  void run_units();
  void apply_global_writes();
  void exchange_packets();
  void exchange_messages();
  void collect_faults();
  void retire_blocks();
  void move_records();
  void swap_blocks();
  void dispatch_blocks();

  void tell_ended(ResidentBlock& block);
  void count_blocks();
  void flush_caches();

  // The items of the phase run_units() are the multiprocessors, followed by the partitions of the
  // memory side.
  void find_awake();
  void run_item(unsigned item);

  /// The next cycle in which anything happens; kNever when nothing will happen again.
  Cycle next_work() const;
  std::string who_works(Cycle at) const;
  // Checks for runs that skip no idle cycle.
  void check_told(Cycle found, Cycle told) const;
  void check_told();
  void check_slept() const;
  std::uint64_t warp_instructions() const;
  void tell_watcher();
  bool messages_are_stuck();
  void sample();
  void count_cycles(Cycle until);
  void pass_time(Cycle until);
  void report(const SmFault& fault);
  void report_stuck(const std::string& why);
  std::string stuck_text(const std::string& why);
  void end_stuck(const std::string& text);
  bool over_limit() const;
  bool nothing_is_due() const;
  bool wait_for_ever(Cycle limit);

  DueTimes wakes_;          // [SM]: when it next has work
  ContextMemory contexts_;  // outlives the blocks, resident and away
  std::vector<std::unique_ptr<Sm>> sms_;
  RecordPort records_;  // its number in the network follows the multiprocessors'
  MemorySystem memory_;
  Dispatcher dispatcher_;
  Departures departures_;
  bool units_ = false;                     // mechanisms have units
  std::vector<MessageNetwork*> networks_;  // of mechanisms' units
  struct MessageWatch {
    std::uint64_t instructions = 0, moved = 0, unreceived = 0;
    bool operator==(const MessageWatch&) const = default;
  } message_watch_;                    // at the last call of messages_are_stuck()
  Cycle next_message_watch_ = kNever;  // cycle of its next call
  Sm::BlockEnded block_ended_;
  SpinCheck spins_;
  PhasePool pool_;
  HostClock host_clock_;  // for the phases after run_units()
  HostClock whole_clock_;
  HostTickRate tick_rate_;
  std::vector<unsigned> share_;          // [item]: its share in the pool
  DueTimes told_partitions_;             // for check_slept(): when they were to wake
  std::vector<std::uint8_t> concerned_;  // [SM]: whether it left work for a later phase
  std::vector<unsigned> after_;          // these SMs, in order
  /// Instructions whose fault was reported: with keep_going, a fault of each is reported once.
  std::vector<const isa::Instruction*> reported_;
  Cycle counted_ = 0;            // GpuStats::cycles includes all cycles before it
  std::uint32_t unwatched_ = 0;  // cycles since the watcher was last called
  bool stopped_ = false;
};

}  // namespace raddle::machine
