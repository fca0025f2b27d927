#include "machine/timed_gpu.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "isa/kernel_name.h"
#include "machine/chip_config.h"
#include "machine/dispatch/config.h"
#include "machine/dram/config.h"
#include "machine/fault.h"
#include "machine/interconnect/config.h"
#include "machine/l2/config.h"
#include "machine/sm/warp_reports.h"
#include "machine/unit/message_network.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {
namespace {

/// Cycles of work between two calls of the watcher: some milliseconds of host time.
constexpr std::uint32_t kWatchCycles = 1024;

/// Longest check whether warps wait for ever, in cycles: many rounds of loops that read memory.
constexpr Cycle kLongestLook = 1 << 16;

/// The smallest number of awake units for which threads share a cycle. Starting and ending a phase
/// on several threads takes about as long as the cycles of several units.
constexpr std::size_t kWorthSharing = 16;

/// If messages wait for so many cycles without any instruction, they are taken to wait for ever.
/// The longest nanosleep (1 ms) is shorter.
constexpr Cycle kLongestMessage = 4'000'000;

}  // namespace

TimedGpu::TimedGpu(const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics)
    : Engine(config, space, statistics),
      wakes_(config.gpu.sms),
      contexts_(LoadStore::first_stretch(config.gpu.sms)),
      sms_(make_sms()),
      records_(static_cast<std::uint16_t>(config.gpu.sms)),
      memory_({config.interconnect, config.l2, config.dram, config.gpu.core_mhz,
               config.gpu.dram_mhz, config.gpu.perfect_memory, config.gpu.measure_units,
               &config.host, &config.host_bus, &space},
              ports(), stats_),
      dispatcher_(config, sms_, stats_),
      departures_(config.gpu, sms_, dispatcher_, now_),
      spins_(value_ports(), kLongestLook),
      pool_(std::min<unsigned>(config.gpu.threads, config.gpu.sms)),
      host_clock_(config.gpu.measure_units),
      whole_clock_(config.gpu.measure_units),
      concerned_(config.gpu.sms) {
  const unsigned sms = config.gpu.sms, partitions = memory_.partitions();
  for (unsigned sm = 0; sm < sms; ++sm) share_.push_back(pool_.share_of(sm, sms));
  for (unsigned p = 0; p < partitions; ++p) share_.push_back(pool_.share_of(p, partitions));
  block_ended_ = [this](ResidentBlock& block) { tell_ended(block); };
  dispatcher_.tell_entries([this](const Grid& grid) {
    if (config_.gpu.flush_caches && dispatcher_.running().empty()) flush_caches();
    grid_starts(grid);
  });
  if (dispatcher_.samples()) count_blocks();
}

void TimedGpu::flush_caches() {
  for (const auto& sm : sms_) sm->flush_caches();
  memory_.flush();
}

void TimedGpu::count_blocks() {
  for (const auto& sm : sms_) sm->count_blocks();
}

void TimedGpu::mechanisms_attached() {
  add_units();
  choose_placement();
  const bool counts = std::any_of(mechanisms_.begin(), mechanisms_.end(),
                                  [](const auto& one) { return one->counts_blocks(); });
  if (counts || dispatcher_.samples()) count_blocks();
  dispatcher_.tell_starts([this](const Grid& grid, BlockGroup* group) {
    if (group == nullptr) {
      grid_started(grid);
    } else {
      group_started(*group);
    }
  });
  // The latency of this load is part of the measured latency of a launch (Table 3).
  dispatcher_.tell_dispatches([this](const Grid& grid) {
    if (grid.record_at != 0 && !grid.resumed) {
      records_.load(grid.record_at, grid.record_bytes, {});
    }
  });
}

/// The policies of mechanisms wrap one another, in order of registration.
void TimedGpu::choose_placement() {
  const MechanismKind* places = nullptr;
  for (std::size_t n = 0; n < mechanisms_.size(); ++n) {
    Placement* const policy = mechanisms_[n]->placement(dispatcher_.policy());
    if (policy == nullptr) continue;
    const MechanismKind& kind = mechanism_kinds()[unit_numbers_[n]];
    if (places != nullptr && policy->inner() != &dispatcher_.policy()) {
      fail("{} and {} both place blocks: switch one of them off", places->name, kind.name);
    }
    places = &kind;
    dispatcher_.use(*policy);
  }
}

std::vector<std::unique_ptr<Sm>> TimedGpu::make_sms() {
  std::vector<std::unique_ptr<Sm>> sms;
  for (unsigned sm = 0; sm < config_.gpu.sms; ++sm) {
    sms.push_back(
        std::make_unique<Sm>(config_, sm, space_, services_, contexts_, stats_, wakes_[sm]));
  }
  return sms;
}

void TimedGpu::add_units() {
  for (std::size_t n = 0; n < mechanisms_.size(); ++n) {
    Mechanism& mechanism = *mechanisms_[n];
    MessageNetwork* const network = mechanism.network();
    if (network != nullptr) {
      networks_.push_back(network);
      next_message_watch_ = 0;
      network->belongs_to(mechanism_kinds()[unit_numbers_[n]].name);
    }
    const Sm::MakeUnit make = [&](SmPort& port) { return mechanism.sm_unit(port); };
    for (unsigned sm = 0; sm < sms_.size(); ++sm) {
      MessageEndpoint* const messages = network == nullptr ? nullptr : &network->endpoint(sm);
      if (sms_[sm]->add_unit(unit_numbers_[n], now_, messages, make)) {
        units_ = true;
        sms_[sm]->rouse(0);  // wake() of the new unit has not been asked yet
      } else {
        require_no_unit(mechanism_kinds()[unit_numbers_[n]]);
      }
    }
  }
}

std::vector<MemoryPort*> TimedGpu::ports() {
  std::vector<MemoryPort*> ports;
  for (const auto& sm : sms_) ports.push_back(&sm->memory().port());
  ports.push_back(&records_.port());
  return ports;
}

std::vector<isa::GlobalPort*> TimedGpu::value_ports() {
  std::vector<isa::GlobalPort*> ports;
  for (const auto& sm : sms_) ports.push_back(&sm->values());
  return ports;
}

/// One SM cycle. Each phase prepares the next ones and changes nothing for an earlier one.
void TimedGpu::cycle() {
  run_units();            // warps issue, caches and DRAM work; each unit touches only its own state
  apply_global_writes();  // values of global memory change, SM after SM
  exchange_packets();     // requests go down; replies come up and are seen in the next cycle
  exchange_messages();    // units send to units of other multiprocessors
  collect_faults();       // a fault stops the machine
  retire_blocks();        // ended blocks make room, ended grids leave
  move_records();         // launches are kept in memory
  run_mechanisms();       // switched-on mechanisms act
  swap_blocks();          // blocks that are to leave make room
  dispatch_blocks();      // grids enter, blocks go where there is room
}

void TimedGpu::run_units() {
  find_awake();
  if (!config_.gpu.skip_idle) check_told();
  after_.clear();
  auto run = [&](unsigned item) { run_item(item); };
  auto note = [&](unsigned item) {
    if (item < sms_.size() && concerned_[item]) after_.push_back(item);
  };
  if (pool_.shares() > 1 && pool_.size() >= kWorthSharing) {
    pool_.run(run);
    pool_.for_each(note);
  } else {
    auto run_and_note = [&](unsigned item) {
      run(item);
      note(item);
    };
    pool_.run_alone(run_and_note);
  }
  if (!config_.gpu.skip_idle) check_slept();
}

void TimedGpu::find_awake() {
  pool_.clear();
  const Cycle limit = config_.gpu.skip_idle ? now_ : kNever;
  wakes_.for_each_due(limit, [&](unsigned sm) { pool_.add(share_[sm], sm); });
  const auto sms = static_cast<unsigned>(sms_.size());
  memory_.partition_wakes().for_each_due(
      limit, [&](unsigned partition) { pool_.add(share_[sms + partition], sms + partition); });
}

void TimedGpu::run_item(unsigned item) {
  if (item >= sms_.size()) {
    return memory_.cycle_partition(item - static_cast<unsigned>(sms_.size()), now_);
  }
  sms_[item]->cycle(now_);
  memory_.requested(item);
  concerned_[item] = sms_[item]->concerned();
}

void TimedGpu::apply_global_writes() {
  const HostClock::Scope measured(host_clock_, HostUnit::global_writes);
  for (const unsigned sm : after_) sms_[sm]->apply_global_writes();
}

void TimedGpu::exchange_packets() {
  for (const MemorySystem::Roused& roused : memory_.exchange(now_)) {
    if (roused.sm < sms_.size()) sms_[roused.sm]->rouse(roused.at);
  }
}

void TimedGpu::exchange_messages() {
  for (MessageNetwork* network : networks_) {
    network->exchange(now_, [&](unsigned sm, Cycle at) { sms_[sm]->rouse(at); });
  }
}

void TimedGpu::retire_blocks() {
  const HostClock::Scope measured(host_clock_, HostUnit::dispatch);
  bool retired = false;
  for (const unsigned sm : after_) retired |= sms_[sm]->retire_blocks(now_, block_ended_);
  if (retired) {
    dispatcher_.room_freed();
    spins_.block_ended(now_);
  }
  if (!retired && dispatcher_.next_end() > now_) return;
  for (std::unique_ptr<Grid>& grid : dispatcher_.take_ended(now_)) {
    if (units_) {
      for (const auto& sm : sms_) sm->grid_ends(*grid, now_);
    }
    blocks_ended(std::move(grid), now_ + 1);
  }
#ifdef RADDLE_CHECK_INVARIANTS
  for (const auto& sm : sms_) {
    sm->account_until(now_ + 1);
    if (dispatcher_.idle()) sm->check_drained();
  }
#endif
}

void TimedGpu::tell_ended(ResidentBlock& block) {
  sms_[block.context.sm]->gather_counts(block);
  dispatcher_.block_ended(block, false);
  block.grid->last_block_ended = now_;
  block_ended(*block.grid, block.context);
}

/// Blocks leave because they wait for work of others, or because they were asked to.
void TimedGpu::swap_blocks() {
  for (const unsigned sm : after_) {
    sms_[sm]->for_each_stuck(
        [&](ResidentBlock& block) { block_stuck(placed(block), departures_); });
  }
  departures_.cycle();
}

void TimedGpu::move_records() {
  if (records_.wake() > now_ || !records_.cycle(now_)) return;
  memory_.requested(static_cast<std::uint32_t>(sms_.size()));
}

void TimedGpu::dispatch_blocks() {
  const HostClock::Scope measured(host_clock_, HostUnit::dispatch);
  if (dispatcher_.next_sample() <= now_) {
    for (const auto& sm : sms_) sm->account_until(now_ + 1);
    dispatcher_.sample(now_, departures_);
  }
  dispatcher_.cycle(now_);
}

void TimedGpu::collect_faults() {
  for (const unsigned sm : after_) {
    for (const SmFault& fault : sms_[sm]->faults()) {
      if (!stopped_) report(fault);
    }
    sms_[sm]->faults().clear();
  }
}

void TimedGpu::advance(Cycle limit, const std::atomic<unsigned>& wanted) {
  const HostClock::Scope measured(whole_clock_, HostUnit::whole);
  Cycle told = 0;  // cycle of the next event, as the last cycle determined it
  while (now_ < limit && !stopped_) {
    if (idle()) break;
    const Cycle next = next_work();
    check_told(next, told);
    if (next == kNever) return report_stuck("nothing can run any more");
    if (next >= limit) {
      pass_time(limit);
      return;
    }
    pass_time(config_.gpu.skip_idle ? next : now_);
    cycle();
    if (!config_.gpu.skip_idle) {
      told = next_work();
      if (next > now_) check_told(told, next);
    }
    if (watcher_ && ++unwatched_ >= kWatchCycles) tell_watcher();
    pass_time(now_ + 1);
    if (now_ >= next_sample_) sample();
    if (now_ >= spins_.next() && wait_for_ever(limit)) return report_stuck(kWaitForEver);
    if (over_limit()) return report_stuck("it ran longer than gpu.max_cycles");
    if (now_ >= next_message_watch_ && messages_are_stuck()) {
      return report_stuck(fmt::format(
          "for {} cycles no warp has issued an instruction, and nobody has received a message",
          kLongestMessage));
    }
    if (!ended_.empty() || !faults_.empty()) return;
    if (wanted.load(std::memory_order_relaxed) != 0) return;
  }
  if (limit != kNever) now_ = std::max(now_, limit);
}

std::uint64_t TimedGpu::warp_instructions() const {
  std::uint64_t instructions = 0;
  for (const auto& sm : sms_) instructions += sm->warp_instructions();
  return instructions;
}

void TimedGpu::tell_watcher() {
  unwatched_ = 0;
  show(dispatcher_.running().empty() ? nullptr : dispatcher_.running().front().get(),
       warp_instructions());
}

/// A unit that is awake because of a message, and does not receive it, hides that the machine is
/// idle. True: since the last call nothing has happened and messages wait.
bool TimedGpu::messages_are_stuck() {
  MessageWatch seen{warp_instructions(), 0, 0};
  for (const MessageNetwork* network : networks_) {
    seen.moved += network->moved();
    seen.unreceived += network->unreceived(now_);
  }
  next_message_watch_ = now_ + kLongestMessage;
  return std::exchange(message_watch_, seen) == seen && seen.unreceived != 0;
}

void TimedGpu::observe(Observer& observer, Cycle period) {
  Engine::observe(observer, period);
  for (const auto& sm : sms_) sm->observe(observer);
}

void TimedGpu::profile(Profile& profile) {
  Engine::profile(profile);
  for (const auto& sm : sms_) sm->profile(profile);
}

/// Lets the observer read counters that hold up to now.
void TimedGpu::sample() {
  settle();
  observer_->sample(now_, memory_.queue_depths());
  next_sample_ = (now_ / sample_period_ + 1) * sample_period_;
}

/// Counts the time from now on as busy, if it has not been counted.
void TimedGpu::count_cycles(Cycle until) {
  counted_ = std::max(counted_, now_);
  if (until <= counted_) return;
  stats_.cycles += until - counted_;
  counted_ = until;
}

/// Lets time pass in which the machine is busy.
void TimedGpu::pass_time(Cycle until) {
  count_cycles(until);
  now_ = until;
}

Cycle TimedGpu::next_work() const {
  Cycle next = std::min(
      {dispatcher_.wake(), memory_.wake(), mechanisms_wake(), records_.wake(), wakes_.first()});
  for (const MessageNetwork* network : networks_) next = std::min(next, network->wake());
  if (departures_.newly_asked()) next = now_;
  if (next == kNever) return kNever;
  // Reading counters, or choosing a block at random, starts no work by itself.
  const Cycle look = std::min(dispatcher_.next_sample(), mechanisms_look());
  return std::max(std::min({next, look, departures_.wake()}), now_);
}

/// The unit that has work at `at`, the result of next_work().
std::string TimedGpu::who_works(Cycle at) const {
  if (dispatcher_.wake() <= at || departures_.newly_asked()) return "the dispatcher";
  if (memory_.wake() <= at) return "the memory system";
  if (records_.wake() <= at) return "the port of launch records";
  for (std::size_t n = 0; n < mechanisms_.size(); ++n) {
    if (mechanisms_[n]->wake() <= at) return mechanism_kinds()[unit_numbers_[n]].name;
  }
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (wakes_[sm] <= at) return fmt::format("SM {}", sm);
  }
  return "a network of messages";
}

/// `told`: the next event according to the last cycle; `found`: the next event as found now.
void TimedGpu::check_told(Cycle found, Cycle told) const {
  if (found >= told) return;
  fail(
      "internal error: in cycle {} the machine was told that nothing happens before cycle {}, and "
      "without anything having happened {} has something to do in cycle {}",
      now_, told, who_works(found), found);
}

/// Called before multiprocessors and memory partitions run.
void TimedGpu::check_told() {
  for (const auto& sm : sms_) sm->check_told(now_);
  told_partitions_ = memory_.partition_wakes();
}

/// Called after they have run: sleeping units must have done nothing.
void TimedGpu::check_slept() const {
  for (const auto& sm : sms_) sm->check_slept(now_);
  for (unsigned partition = 0; partition < told_partitions_.size(); ++partition) {
    const Cycle told = told_partitions_[partition], wake = memory_.partition_wakes()[partition];
    if (told <= now_ || wake >= told) continue;
    fail(
        "internal error: in cycle {}, memory partition {}, which was to sleep until cycle {}, has "
        "found something to do in cycle {}",
        now_, partition, told, wake);
  }
}

void TimedGpu::enqueue(std::unique_ptr<Grid> grid) {
  if (!stopped_) dispatcher_.launch(std::move(grid));
}

void TimedGpu::wake_warp(const isa::WarpContext& warp) {
  if (warp.block->sm == isa::BlockContext::kNowhere) return dispatcher_.resume(*warp.block, now_);
  sms_[warp.block->sm]->wake_warp(warp, now_);
  departures_.woken();
}

void TimedGpu::wake_lanes(const isa::WarpContext& warp, LaneMask lanes) {
  if (warp.block->sm == isa::BlockContext::kNowhere) return;  // all wake on return
  sms_[warp.block->sm]->wake_lanes(warp.slot, lanes, now_ + 1, now_);
}

void TimedGpu::settle() {
  if (stopped_) return;
  for (const auto& sm : sms_) sm->account_until(now_);
}

void TimedGpu::settle_cycle(bool ending) {
  if (stopped_) return;
  for (const auto& sm : sms_) sm->account_until(now_ + 1);
  if (ending) count_cycles(now_ + 1);
}

std::vector<HostTime> TimedGpu::host_times() const {
  if (!config_.gpu.measure_units) return {};
  HostClock::Ticks ticks{};
  for (const auto& sm : sms_) sm->host_clock().add_to(ticks);
  memory_.add_host_ticks(ticks);
  host_clock_.add_to(ticks);
  whole_clock_.add_to(ticks);
  return machine::host_times(ticks, tick_rate_.seconds_per_tick());
}

bool TimedGpu::over_limit() const {
  if (config_.gpu.max_cycles == 0) return false;
  for (const auto& grid : dispatcher_.running()) {
    if (now_ - grid->record.start_cycle > config_.gpu.max_cycles) return true;
  }
  return false;
}

/// Blocks come and leave only because of actions of warps.
bool TimedGpu::nothing_is_due() const {
  return !units_ && networks_.empty() && !dispatcher_.samples() && config_.gpu.preempt_every == 0 &&
         departures_.wake() == kNever && mechanisms_wake() == kNever && records_.wake() == kNever &&
         dispatcher_.wake() == kNever && !departures_.newly_asked();
}

/// Checks whether warps wait for ever. `limit`: when the host, or one of its copies, acts next.
bool TimedGpu::wait_for_ever(Cycle limit) {
  if (limit != kNever || !nothing_is_due()) {
    spins_.postpone(now_);
    return false;
  }
  if (!spins_.watching()) {
    spins_.begin(now_);
    return false;
  }
  return spins_.look(now_, config_.gpu.compute_major >= 6, [&] {
    bool resident = false;  // if no block is resident, stores of ended warps are in flight
    for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
      if (!all_wait(sms_[sm]->warps(), spins_.watch(sm))) return false;
      resident |= any_resident(sms_[sm]->warps());
    }
    return resident;
  });
}

void TimedGpu::report(const SmFault& sm_fault) {
  if (sm_fault.client != 0 && client(sm_fault.client).ended) return;
  ++stats_.faults;
  const isa::Instruction* instruction = &sm_fault.site.program->code[sm_fault.site.code];
  if (std::find(reported_.begin(), reported_.end(), instruction) != reported_.end()) return;
  reported_.push_back(instruction);
  const std::string text = fault_text(sm_fault.fault, sm_fault.site, space_of(sm_fault.client));
  faults_.push_back({sm_fault.fault.kind, sm_fault.grid, text, sm_fault.client});
  if (sm_fault.client != 0) {
    end_client(sm_fault.client);
  } else if (!config_.gpu.keep_going) {
    stop();
  }
}

void TimedGpu::set_client(unsigned client, memory::AddressSpace& space) {
  Engine::set_client(client, space);
  for (const auto& sm : sms_) {
    sm->values().set_client(client, space, this->client(client).services);
  }
  memory_.set_client(client, space);
}

void TimedGpu::end_client(unsigned client) {
  Engine::end_client(client);
  // Its programs may be unloaded, and the code of others may get their addresses.
  reported_.clear();
  dispatcher_.doom(client, now_);
  departures_.doom();
}

void TimedGpu::stop() {
  stopped_ = true;
  for (const auto& sm : sms_) sm->abandon_blocks();
  for (const auto& grid : dispatcher_.running()) record_stopped(*grid);
  for (const auto& grid : dispatcher_.suspended()) record_stopped(*grid);
  stop_held();
  departures_.clear();
  dispatcher_.drop_all();
}

Whereabouts TimedGpu::whereabouts() {
  Whereabouts all;
  for (const auto& grid : dispatcher_.running()) all.add(*grid);
  for (const auto& sm : sms_) add_to(all, sm->warps());
  return all;
}

void TimedGpu::report_stuck(const std::string& why) {
  const std::string text = stuck_text(why);
  if (shared()) return end_stuck(text);
  const GridId grid = dispatcher_.running().empty() ? 0 : dispatcher_.running().front()->id;
  faults_.push_back({isa::Fault::Kind::deadlock, grid, text});
  stop();
}

/// For programs that share the GPU: ends the programs whose resident blocks wait, since blocks that
/// are not placed wait for these. If no block is resident, ends every program that has a grid here.
void TimedGpu::end_stuck(const std::string& text) {
  std::map<unsigned, GridId> stuck;  // a grid of each client
  for (const auto& sm : sms_) {
    sm->for_each_block([&](const ResidentBlock& block) {
      if (!block.grid->doomed) stuck.emplace(block.grid->client, block.grid->id);
    });
  }
  if (stuck.empty()) {
    for (const auto& grid : dispatcher_.running()) {
      if (!grid->doomed) stuck.emplace(grid->client, grid->id);
    }
  }
  if (stuck.empty()) fail("internal error: grids of programs that have ended do not end: {}", text);
  for (const auto& [client, grid] : stuck) {
    faults_.push_back({isa::Fault::Kind::deadlock, grid, text, client});
    end_client(client);
  }
}

std::string TimedGpu::stuck_text(const std::string& why) {
  constexpr unsigned kMostLines = 40;
  std::string text = fmt::format("deadlock: {}", why);
  for (const auto& grid : dispatcher_.running()) {
    text += fmt::format("\n  kernel {}: {} of {} blocks have ended, {} are not started",
                        isa::kernel_name(grid->record.kernel), grid->ended_blocks, grid->blocks(),
                        grid->blocks() - grid->next_block);
    if (const std::uint64_t away = grid->away + grid->to_resume; away != 0) {
      text += fmt::format(", {} are away from the multiprocessors", away);
    }
  }
  unsigned lines = 0;
  for (const auto& sm : sms_) describe_waiting(sm->warps(), text, lines, kMostLines);
  lines = 0;
  for (const auto& sm : sms_) sm->describe_unfinished(text, lines, kMostLines);
  lines = 0;
  for (const MessageNetwork* network : networks_) {
    network->describe_unreceived(text, lines, kMostLines, now_);
  }
  return text;
}

std::unique_ptr<Engine> make_timed_engine(const GpuConfig& config, memory::AddressSpace& space,
                                          GpuStats& statistics) {
  return std::make_unique<TimedGpu>(config, space, statistics);
}

}  // namespace raddle::machine
