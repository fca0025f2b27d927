// The schedulers of the multiprocessor: they pick a warp, issue its instruction, and start the work
// that the instruction needs.
#pragma once

#include "machine/sm/attached_units.h"
#include "machine/sm/fault_log.h"
#include "machine/sm/write_back.h"

namespace raddle::machine {

class IssueStage {
 public:
  struct Parts {
    WarpTable& warps;
    WarpSchedulers& schedulers;
    Operands& operands;
    ExecuteUnits& execute;
    LoadStore& memory;
    AttachedUnits& attached;
    WriteBack& results;
    WarpProgress& progress;
    FormedIssue& formed;
    Scoreboard& scoreboard;
    IssueAccounts& accounts;
    Charges& charges;
    FaultLog& faults;
    HostClock& host_clock;
  };
  struct Limits {
    unsigned dispatch_width;  // instructions of one warp that a scheduler issues in a cycle
    double ns_per_cycle;
    bool keep_going;  // after faults
  };
  IssueStage(const Parts& parts, const Limits& limits);

  /// One cycle of all schedulers.
  void cycle(Cycle now);

 private:
  void schedule(unsigned scheduler, Cycle now);
  void schedule_ready(unsigned scheduler, WarpMask ready, Cycle now);
  void schedule_only(unsigned scheduler, WarpMask ready, bool collectors, Cycle now);
  void schedule_picked(unsigned scheduler, WarpMask ready, bool collectors, Cycle now);
  bool issue_one_of(WarpMask ready, unsigned scheduler, bool collectors, Cycle now, bool& nobody);
  void count_patience(unsigned scheduler, Cycle now);
  WarpMask alike(WarpMask ready, const isa::Instruction& next, bool order) const;
  void check_stuck(unsigned scheduler, WarpMask ready, Cycle now);
  void schedule_formed(unsigned scheduler, WarpMask ready, bool collectors, Cycle now);
  void start(PathId id, unsigned scheduler, Cycle now);
  bool can_issue(PathId id, unsigned scheduler, Cycle now) const;
  bool find_path(PathId& id, unsigned scheduler, bool collectors, Cycle now) const;
  bool find_path_of_several(PathId& id, unsigned scheduler, bool collectors, Cycle now) const;
  void issue_from(PathId id, unsigned scheduler, Cycle now);
  void issue(PathId id, unsigned scheduler, Cycle now);
  void issue_formed(PathId leader, unsigned scheduler, Cycle now);
  void issue_to_unit(PathId id, unsigned scheduler, Cycle now);
  Cycle begin(PathId id, unsigned scheduler, const isa::Instruction& next, Cycle now);
  bool leaves_line(PathId id, const isa::Instruction& behind) const;
  Cycle read_apart(PathId id, unsigned scheduler, const isa::Instruction& pair, Cycle now);
  Cycle take_slow_path(PathId id, unsigned scheduler, const isa::Instruction& next);
  Step execute(WarpSlot& slot, unsigned path, Cycle now);
  void count(PathId id, const Step& step);
  void after_step(PathId id, const Step& step, Cycle delay, Cycle now);
  void go_on_behind(PathId id, const isa::Instruction& instruction, Cycle now);
  void track_result(PathId id, const isa::Instruction& instruction, Cycle delay, Cycle now);
  void issue_access(PathId id, std::uint32_t code, const isa::Instruction& instruction, Cycle now);
  void fault(PathId id, Cycle now);
  void sleep(PathId id, Cycle now);

  Parts p_;
  Limits limits_;
  std::array<WarpMask, 8> owned_{};       // [scheduler]: its warps
  std::array<Cycle, 8> issuing_until_{};  // [scheduler]: end of the sequence it issues
  // For a scheduler whose policy, or a mechanism's unit, refuses ready warps cycle after cycle: the
  // first and the last of these cycles.
  struct Refusal {
    Cycle since = 0, last = 0;
  };
  std::array<Refusal, 8> refused_{};  // [scheduler]
};

}  // namespace raddle::machine
