// Statistics of thread block management.
#pragma once

#include <cmath>

#include "base/stats.h"

namespace raddle::mechanisms::blocks {

struct BlocksStats : StatGroup {
  using StatGroup::StatGroup;
  Counter looks{*this, "looks", "looks", "An SM compared a resident block's counters."};
  Counter updates{*this, "updates", "messages", "Blocks that had moved by more than a step."};
  Counter end_updates{*this, "end_updates", "messages", "Blocks that ended."};
  Counter update_bytes{*this, "update_bytes", "bytes", "Of these messages."};
  Counter busy_ns{*this, "busy_ns", "ns", "Time in which blocks were resident."};
  Formula update_bandwidth{
      *this, "update_bandwidth", "bytes/s", "update_bytes, of a second.",
      [this](const StatValues& of) { return of(update_bytes) / of(busy_ns) * 1e9; }};
  Counter conflicts{*this, "conflicts", "updates",
                    "Updates of an entry that had been another block's."};
  Counter oversubscribed{*this, "oversubscribed", "updates",
                         "Updates by which an SM was predicted to be oversubscribed."};
  Counter left{*this, "left", "blocks", "Blocks that left their SM for that."};
  Counter dropped{*this, "dropped", "blocks", "Of these, blocks that begin anew."};
  Counter restored{*this, "restored", "blocks", "Blocks that went on elsewhere, or there again."};
  Counter drained{*this, "drained", "SMs", "SMs that took no blocks until they were empty."};
  Counter queue_full{*this, "queue_full", "updates",
                     "Updates after which nobody left, since the victim queue was full."};
  Peak victims_peak{*this, "victims_peak", "blocks", "Maximum length of the victim queue."};
  Mean leaving_ns{*this, "leaving_ns", "ns", "From a block's last instruction to its free place."};
  Mean away_ns{*this, "away_ns", "ns", "From there to its new place."};
  Mean restoring_ns{*this, "restoring_ns", "ns", "From its new place to its next instruction."};
  Counter held_back{*this, "held_back", "decisions",
                    "An SM had registers, shared memory, threads and a place for a block, and none "
                    "had the rest."};
  Counter impatient{*this, "impatient", "blocks",
                    "Blocks that were placed because they had waited for blocks.patience."};
  Mean error_memory{*this, "error_memory", "levels",
                    "What a block's memory stalls turned out to be, from what was predicted."};
  Mean error_fpu{*this, "error_fpu", "levels",
                 "What its use of floating-point units turned out to be, likewise."};
  Counter throttled_cycles{*this, "throttled_cycles", "scheduler cycles",
                           "Lost by blocks because the load-store unit took no more."};
  Counter floating_cycles{*this, "floating_cycles", "SM cycles",
                          "For which blocks kept all floating-point units of an SM busy."};
  // Memory stalls of a block in one launch and in the next launch of its stream, in 1/10000 of a
  // multiprocessor.
  Counter pairs{*this, "pairs", "blocks",
                "Blocks that had run before, with their stream and index."};
  Counter sum_before{*this, "sum_before", "1/10000", "Of what they lost then to memory stalls."};
  Counter sum_now{*this, "sum_now", "1/10000", "Of what they lose now."};
  Counter squares_before{*this, "squares_before", "1/10000^2", "The first, squared."};
  Counter squares_now{*this, "squares_now", "1/10000^2", "The second, squared."};
  Counter products{*this, "products", "1/10000^2", "The product of both."};
  Formula correlation{*this, "correlation", "fraction",
                      "Of a block's memory stalls from one launch to the next (Pearson).",
                      [this](const StatValues& of) {
                        const double n = of(pairs), a = of(sum_before), b = of(sum_now);
                        const double both = n * of(products) - a * b;
                        const double before = n * of(squares_before) - a * a;
                        const double now = n * of(squares_now) - b * b;
                        return both / std::sqrt(before * now);
                      }};
  Log2Histogram<24> phase_us{*this, "phase_us", "us",
                             "Phases of blocks, by stream and index, that have ended: the time in "
                             "which neither metric's average moved by more than "
                             "blocks.phase_change."};
  Counter phases{*this, "phases", "phases", "Of them, how many."};
  Counter phases_us{*this, "phases_us", "us", "Their time."};
  Formula phase_mean{*this, "phase_mean", "us", "Of a phase, on average.",
                     [this](const StatValues& of) { return of(phases_us) / of(phases); }};
  Counter contexts{*this, "contexts", "blocks", "Blocks whose context's size was noted."};
  Counter context_bytes{*this, "context_bytes", "bytes",
                        "Of them: registers and shared memory that the block has."};
};

}  // namespace raddle::mechanisms::blocks
