// A unit's access to its multiprocessor.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "isa/global_port.h"
#include "machine/operands/operands.h"
#include "machine/sm/fault_log.h"
#include "machine/sm/warp_progress.h"
#include "machine/unit/access_client.h"
#include "machine/unit/message_network.h"
#include "machine/unit/sm_unit.h"

namespace raddle::machine {

class UnitPort final : public SmPort, public AccessClient {
 public:
  /// Parts of multiprocessor number `sm` that units use.
  struct Parts {
    unsigned sm;
    StatGroup& statistics;
    WarpTable& warps;
    WarpSchedulers& schedulers;
    Scoreboard& scoreboard;
    Operands& operands;
    LoadStore& memory;
    WarpProgress& progress;
    WarpEvents& events;
    Charges& charges;
    FaultLog& faults;
    isa::GlobalPort& global;
    SmClock& clock;
  };
  /// `number`: isa::Instruction::unit of its instructions. `now`: the present cycle. `messages`:
  /// its endpoint in a network, or nullptr.
  UnitPort(const Parts& parts, unsigned number, const Cycle& now, MessageEndpoint* messages)
      : p_(parts), number_(number), now_(now), messages_(messages) {}

  SmUnit& unit() { return *unit_; }
  unsigned number() const { return number_; }
  void set_unit(std::unique_ptr<SmUnit> unit) { unit_ = std::move(unit); }

  // Functions for the multiprocessor.
  void result_event(WarpEvent event, Cycle now);
  bool asks_commit() const { return asks_commit_ || posted_ != 0; }
  /// Moves the values of this cycle's accesses, then calls SmUnit::commit().
  void commit();
  /// Whether no operation is in flight.
  bool empty() const { return results_under_way_ == 0 && accesses_under_way_ == 0; }
  /// Adds a line for each result that was reserved and is not finished, until there are `most`.
  void describe_unfinished(std::string& text, unsigned& lines, unsigned most) const;
  /// The unit whose result the event concerns.
  static unsigned unit_of(WarpEvent event) { return event.code >> kUnitShift; }

  // SmPort
  unsigned sm() const override { return p_.sm; }
  StatGroup& statistics() override { return p_.statistics; }
  const isa::BlockContext* block_of(unsigned warp) const override {
    return p_.warps.state_of_warp(warp) == PathState::vacant ? nullptr
                                                             : &p_.warps[warp].block->context;
  }
  UnitResult reserve(const UnitIssue& issue, bool long_wait) override;
  void write(UnitResult, isa::Slot, LaneMask, const std::uint32_t* values) override;
  void write(UnitResult, isa::Slot, LaneMask, const std::uint64_t* values) override;
  void write_predicate(UnitResult, std::uint16_t predicate, LaneMask, LaneMask values) override;
  void finish(UnitResult, LaneMask, Cycle at) override;
  void wake_lanes(unsigned warp, LaneMask lanes) override {
    if (warp >= p_.warps.size()) [[unlikely]]
      refuse(fmt::format("wakes lanes of warp {}, of {}", warp, p_.warps.size()));
    p_.progress.wake_lanes(warp, lanes, now_ + 1, now_);
  }
  void access_for(const UnitIssue&, const Transaction*, unsigned count, CacheId) override;
  bool can_access(Priority priority) const override {
    return p_.memory.can_post(priority == Priority::low);
  }
  void access(const UnitAccess&, Priority) override;
  SmFault blame(const UnitIssue&, unsigned lane) const override;
  MessageEndpoint* messages() override { return messages_; }
  void rouse() override { p_.clock.rouse(now_ + 1); }
  void ask_commit() override { asks_commit_ = true; }

  // AccessClient
  Cycle data_came(PathId path, std::uint32_t code, Cycle now) override {
    return unit_->data_came(path, code, now);
  }
  void returned(std::uint32_t tag, Cycle now) override;

 private:
  struct Result {
    PathId path = 0;
    bool long_wait = false;
    std::uint32_t code = 0;
    Warp::Place registers;
    LaneMask left = 0;           // lanes that have not been finished
    std::uint32_t arriving = 0;  // parts on their way to the register file
    std::uint32_t next_free = 0;
  };
  struct Access {
    UnitAccess what;
    std::uint32_t next_free = 0;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// Bits 24 and up of WarpEvent::code are the unit's number; the other bits are the result's
  /// number.
  static constexpr unsigned kUnitShift = 24;

  /// The unit has broken a rule of SmPort. The error names the unit.
  [[noreturn]] void refuse(const std::string& what) const;
  /// Returns a result in flight, of which these lanes are to be written.
  const Result& under_way(UnitResult result, LaneMask lanes) const;
  void arrive(std::uint32_t result, Cycle now);
  void written(std::uint32_t result, Cycle now);
  void move_values(UnitAccess& access);
  void fail(const UnitAccess& access, unsigned lane, isa::Fault::Kind kind);

  Parts p_;
  std::unique_ptr<SmUnit> unit_;
  unsigned number_;
  const Cycle& now_;
  MessageEndpoint* messages_;
  bool asks_commit_ = false;
  std::vector<Result> results_;
  std::uint32_t free_result_ = kNone, results_under_way_ = 0;
  std::vector<Access> accesses_;
  std::uint32_t free_access_ = kNone, accesses_under_way_ = 0;
  std::vector<std::uint32_t> unmoved_;  // accesses of this cycle whose values have not been moved
  std::size_t posted_ = 0;              // their number
};

}  // namespace raddle::machine
