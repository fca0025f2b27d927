// Statistics of a multiprocessor.
#pragma once

#include <array>

#include "base/stats.h"
#include "machine/sm/slot.h"

namespace raddle::machine {

/// Scheduler cycles by outcome. Their sum is SmStats::cycles times the number of schedulers.
struct SlotStats : StatGroup {
  using StatGroup::StatGroup;
  Counter issued{*this, "issued", "scheduler cycles", "A warp issued."};
  Counter unit_busy{
      *this, "unit_busy", "scheduler cycles",
      "A warp was ready, but its functional unit or the load-store queue was not, or the "
      "scheduler issued the rest of a sequence (passes.sequences)."};
  Counter operands{
      *this, "operands", "scheduler cycles",
      "A warp was ready, but no operand collector was free, or a bank conflict delayed it."};
  Counter execution{*this, "execution", "scheduler cycles",
                    "Every warp waited, at least one for a result of an arithmetic instruction."};
  Counter memory{*this, "memory", "scheduler cycles",
                 "Every warp waited, at least one for a result of a memory instruction."};
  Counter no_instruction{
      *this, "no_instruction", "scheduler cycles",
      "Every warp waited, at least one for an instruction that was in no cache, or for the fetch "
      "port."};
  Counter fetch{*this, "fetch", "scheduler cycles",
                "Every warp waited, at least one for the target of a branch or for its start."};
  Counter barrier{*this, "barrier", "scheduler cycles",
                  "Every warp waited, at least one at a block barrier."};
  Counter fence{*this, "fence", "scheduler cycles",
                "Every warp waited, at least one at a memory fence."};
  Counter runtime{*this, "runtime", "scheduler cycles",
                  "Every warp waited, at least one for a call of the device runtime."};
  Counter unit{*this, "unit", "scheduler cycles",
               "Every warp waited, at least one for a unit that a mechanism brings."};
  Counter asleep{*this, "asleep", "scheduler cycles",
                 "Every warp slept (nanosleep), or waited for other lanes of the same warp."};
  Counter preempted{*this, "preempted", "scheduler cycles",
                    "Every warp waited for its block to leave, or to have its state restored."};
  Counter no_warp{*this, "no_warp", "scheduler cycles", "The scheduler had no warp left to run."};

  Counter& operator[](Slot slot) { return *by_slot[static_cast<std::size_t>(slot)]; }

 private:
  std::array<Counter*, kSlots> by_slot{
      &issued,  &unit_busy, &operands, &execution, &memory, &no_instruction, &fetch,
      &barrier, &fence,     &runtime,  &unit,      &asleep, &preempted,      &no_warp};
};

struct SmStats : StatGroup {
  using StatGroup::StatGroup;
  Counter cycles{*this, "cycles", "SM cycles", "Cycles in which the SM held a block."};
  Counter resident_warp_cycles{*this, "resident_warp_cycles", "warps x SM cycles",
                               "Resident warps, summed over the cycles."};
  Counter blocks{*this, "blocks", "blocks", "Blocks that ended."};
  Counter warp_instructions{*this, "warp_instructions", "warp instructions",
                            "Instructions issued, each counted once per warp."};
  Counter thread_instructions{
      *this, "thread_instructions", "thread instructions",
      "Lanes that executed them: predicated-off and absent lanes are not counted."};
  Counter dual_issued{*this, "dual_issued", "warp instructions",
                      "Instructions issued as the second of a cycle."};
  Counter formed_issues{*this, "formed_issues", "warp instructions",
                        "Instructions issued for lanes of several warps together."};
  Peak resident_warps_peak{*this, "resident_warps_peak", "warps",
                           "Maximum number of resident warps of one SM."};
  Histogram<32> active_lanes{*this, "active_lanes", "lanes",
                             "Lanes that executed an issued instruction."};
  Formula resident_warps{
      *this, "resident_warps", "warps", "Resident warps while the SM held a block, on average.",
      [this](const StatValues& of) { return of(resident_warp_cycles) / of(cycles); }};
  Formula ipc{*this, "ipc", "warp instructions per cycle",
              "Instructions issued in a cycle in which the SM held a block, on average.",
              [this](const StatValues& of) { return of(warp_instructions) / of(cycles); }};
  SlotStats slots{*this, "slots"};
};

}  // namespace raddle::machine
