// Instruction fetch: caches, one fetch port a scheduler, and each warp's instruction buffer.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/stats.h"
#include "base/types.h"
#include "isa/program.h"
#include "machine/frontend/config.h"
#include "machine/frontend/instruction_cache.h"

namespace raddle::machine {

struct FrontendStats : StatGroup {
  using StatGroup::StatGroup;
  Counter fetches{*this, "fetches", "fetches",
                  "Groups of frontend.fetch_width instructions that warps' buffers asked for."};
  Counter port_waits{*this, "port_waits", "fetches",
                     "Fetches that had to wait because others used the scheduler's port."};
  Counter flushes{*this, "flushes", "fetches",
                  "Fetches of a branch target, which throw away what was buffered."};
  Counter l0_misses{*this, "l0_misses", "lines", "Lines that were not in the scheduler's cache."};
  Counter l1_misses{*this, "l1_misses", "lines", "Lines that were not in the SM's cache."};
  Counter prefetches{*this, "prefetches", "lines", "Lines brought ahead of their use."};
};

/// A warp's buffer holds the group of instructions that it issues from, and the group behind it,
/// which is fetched when the warp enters the first. A warp that leaves both by a branch throws them
/// away and waits for a fetch of the target: at least until the port is free, and for a line that
/// is in no cache until that has come. Work is done for each group, not for each instruction.
class Frontend {
 public:
  Frontend(const FrontendConfig& config, unsigned schedulers, unsigned warps, StatGroup& parent);

  /// A warp of `program` starts in this slot, with an empty buffer.
  void start(unsigned warp, const isa::Program& program) {
    buffers_[warp] = {};
    buffers_[warp].base = program.code_base;
  }

  /// `now` when instruction `pc` (an index in Program::code) is in the warp's buffer, else the
  /// cycle in which to ask again.
  Cycle ready(unsigned warp, std::uint32_t pc, Cycle now) {
    const Buffer& buffer = buffers_[warp];
    return pc - buffer.current.first < buffer.current.count ? now : refill(warp, pc, now);
  }

 private:
  /// Instructions [first, first + count).
  struct Group {
    std::uint32_t first = 0, count = 0;
    bool holds(std::uint32_t pc) const { return pc - first < count; }
  };
  struct Buffer {
    Group current;         // can be issued
    Group next;            // is being fetched
    Group line;            // what lies in the line of the latest fetch
    Cycle next_ready = 0;  // when `next` is there
    Cycle line_ready = 0;
    Address base = 0;  // of the program's code
  };

  Cycle refill(unsigned warp, std::uint32_t pc, Cycle now);
  void request(Buffer& buffer, unsigned scheduler, std::uint32_t pc, Cycle now);
  Cycle find_line(unsigned scheduler, Address line, Cycle now);
  void prefetch(InstructionCache& cache, Address line, Cycle now);
  Cycle next_level(Address line, Cycle now);
  Address locate(Buffer& buffer, std::uint32_t pc) const;

  unsigned instruction_bytes_, control_every_, fetch_width_, line_bytes_;
  unsigned l1_latency_, miss_latency_, prefetch_;
  unsigned schedulers_;
  std::vector<InstructionCache> first_level_;     // a scheduler's L0 each, or the L1 alone
  std::optional<InstructionCache> second_level_;  // the L1, behind L0 caches
  std::vector<Cycle> port_free_;                  // [scheduler]
  Cycle l1_port_free_ = 0, memory_port_free_ = 0;
  std::vector<Buffer> buffers_;  // [warp slot]
  FrontendStats stats_;
};

}  // namespace raddle::machine
