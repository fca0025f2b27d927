// A core's part of the worklist: its banks, and the units that pull, push, redistribute and
// virtualize work (hardware-worklists, figures 3 and 4).
//
// The banks share one port. The order of priority is: pushes, then work ids from other cores (at
// most one in a cycle), then pulls. Redistribution and loaded work ids use the port when none of
// these has used it (turn_of_others()).
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "machine/unit/message_network.h"
#include "machine/unit/sm_unit.h"
#include "mechanisms/hwwl/banks.h"
#include "mechanisms/hwwl/core_unit.h"
#include "mechanisms/hwwl/overflow.h"
#include "mechanisms/hwwl/scheme.h"
#include "mechanisms/hwwl/system_view.h"

namespace raddle::mechanisms::hwwl {

class WorklistUnit : public CoreUnit {
 public:
  WorklistUnit(const HwwlConfig& config, Worklists& all, const SchemeKind& scheme, unsigned cores,
               machine::SmPort& port);

  bool can_issue(const isa::Instruction& instruction, Cycle now) const override;
  void returned(std::uint32_t tag, const std::uint32_t* values, Cycle now) override;
  void cycle(Cycle now) override;
  Cycle wake() const override;

  // Worklists calls these functions between cycles.
  void configure(const Sides& sides, const Buffer& buffer) override;
  void boundary(const Sides& sides, Cycle now) override;
  unsigned size(unsigned side) const override;
  void started(Cycle now) override;
  SystemView* view() override { return &view_; }
  void tell(Cycle now) override;
  /// Another core has received a work id that this core sent.
  void acknowledged(Cycle now);
  /// For schemes that decide for all cores. work() returns the work of this core, valid until the
  /// next change. follow() gives it a plan to carry out.
  CoreWork work(unsigned side);
  void follow(const Plan& plan, unsigned side);
  /// Moves work at once and without cost, for a scheme without limits.
  void give(WorklistUnit& to, const Transfer& transfer, unsigned side);

 private:
  struct Push {
    Cycle at = 0;  // the cycle in which its operands have been collected
    unsigned side = 0;
    LaneMask lanes = 0, to_bank = 0;  // lanes not in `to_bank` push to the buffer
    std::array<std::uint32_t, kWarpSize> id{};
    std::array<std::uint8_t, kWarpSize> bank{};
  };
  /// A pull that waits for work ids from memory.
  struct Waiting {
    bool used = false;
    machine::UnitResult result = 0;
    isa::Slot slot = 0;
    LaneMask lanes = 0;   // lanes whose work ids are loaded
    LaneMask others = 0;  // lanes that have a work id or a token already
    isa::WarpContext* warp = nullptr;
  };

  void pull(const UnitIssue& issue, Cycle now) override;
  void push(const UnitIssue& issue, Cycle now) override;
  void changed() override;

  unsigned bank_of(unsigned lane) const { return lane % banks_.count(); }
  /// The first bank with a free entry; the number of banks if there is none.
  unsigned free_bank(unsigned side) const;
  /// Cycles for which an access by these lanes occupies the banks.
  unsigned steps(LaneMask lanes) const;
  void use_port(Cycle now, unsigned cycles);
  bool port_free(Cycle now) const { return port_free_ <= now; }
  bool any_work() const;
  /// Whether work waits in memory to be loaded into the banks.
  bool backlog() const;
  std::uint32_t token(Cycle now);
  LaneMask load(const UnitIssue& issue, LaneMask missing, machine::UnitResult result);

  bool write_push(Cycle now);
  bool receive(Cycle now);
  bool write_back(Cycle now);
  Cycle turn_of_others() const;
  bool redistribute(Cycle now);
  bool redistribute(unsigned side, Cycle now);
  bool execute(const Plan& plan, unsigned side, Cycle now);
  unsigned send(const Plan& plan, unsigned side, Cycle now);
  bool rescue(unsigned side, Cycle now);
  unsigned next_core();
  Cycle served_after(Cycle last, bool held) const;
  Cycle served_until(unsigned bank) const;
  bool is_served(unsigned bank, Cycle now) const { return now < served_until(bank); }
  bool serves(Cycle now) const { return now < served_until(); }
  Cycle served_until() const;
  Cycle next_unserved() const;
  LaneMask served_banks(Cycle now) const;
  bool has_work_to_move() const;
  void note_waiting(Cycle now);
  void tell_if_changed();
  CoreBits bits() const;

  Banks banks_;
  Overflow overflow_;
  SystemView view_;
  std::unique_ptr<LocalScheme> scheme_;
  bool moves_;  // there is a redistribution scheme
  bool on_demand_;
  bool sees_greedy_ = false;

  Cycle now_ = 0, port_free_ = 0;
  std::deque<Push> pushes_;
  std::vector<Waiting> waiting_;
  unsigned in_flight_ = 0;  // work ids sent to other cores and not acknowledged
  std::uint32_t epoch_ = 0;
  bool delayed_ = false;        // a redistribution waits for the port
  Cycle waits_since_ = kNever;  // the redistribution that is delayed, or loaded work ids
  Cycle rests_until_ = 0;       // until then, they leave the port to pulls and pushes
  unsigned plan_side_ = 0;
  Plan plan_, rescue_;
  bool planned_ = false;
  std::vector<unsigned> work_;
  unsigned next_core_ = 0;
  Cycle served_since_ = 0;
  std::vector<Cycle> last_pull_;  // [bank]
  CoreBits told_;
};

}  // namespace raddle::mechanisms::hwwl
