// Instruction fetch: caches, one fetch port per scheduler, and each warp's instruction buffer.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/types.h"
#include "isa/program.h"
#include "machine/frontend/instruction_cache.h"
#include "machine/interconnect/packet.h"
#include "machine/warp_slots.h"

namespace raddle {
class StatGroup;
}

namespace raddle::machine {

struct FrontendConfig;  // frontend/config.h
struct FrontendStats;   // frontend/frontend.cpp

/// A warp's buffer holds the group of instructions from which it issues, and the next group, which
/// is fetched when the warp enters the first. A warp that leaves both by a branch discards them and
/// waits for a fetch of the target: at least until the port is free. A line that is in no cache
/// must come from the L2 cache, like any other packet of the network. The simulator works once for
/// each group, not for each instruction.
class Frontend {
 public:
  /// `buffers`: one for each path of a warp. `port`: of the multiprocessor, shared with its data
  /// caches; not owned.
  Frontend(const FrontendConfig& config, unsigned schedulers, unsigned buffers, unsigned sm,
           MemoryPort& port, StatGroup& parent);

  /// Lanes of `program` start on this path, with an empty buffer.
  void start(PathId path, const isa::Program& program) {
    buffers_[path] = {};
    buffers_[path].base = program.code_base;
    buffers_[path].words = program.words;
  }

  /// Whether instruction `pc` (an index in Program::code) is in the path's buffer. It stays there
  /// until the path calls ready() for an instruction that is not there.
  bool holds(PathId path, std::uint32_t pc) const { return buffers_[path].current.holds(pc); }
  /// `now` if it is there, else the cycle in which to ask again; kNever: ask when receive() has
  /// returned that a line has come.
  Cycle ready(PathId path, std::uint32_t pc, Cycle now) {
    return holds(path, pc) ? now : refill(path, pc, now);
  }

  /// Empties the caches; the buffers of warps stay.
  void flush() {
    for (InstructionCache& cache : first_level_) cache.drop_all();
    if (second_level_) second_level_->drop_all();
  }

  /// Whether lines are missing; then receive() and send() must be called each cycle.
  bool fetching() const { return !missing_.empty(); }
  /// Takes a line that has come; true when there was one.
  bool receive(Cycle now);
  /// Requests a line from the L2 cache, if there is room in the network's queue.
  void send(Cycle now);
  /// Whether send() has work in the next cycle.
  bool can_send() const { return unsent_ != 0 && port_.requests.can_send(); }

 private:
  /// Instructions [first, first + count).
  struct Group {
    std::uint32_t first = 0, count = 0;
    bool holds(std::uint32_t pc) const { return pc - first < count; }
  };
  struct Buffer {
    Group current;         // can be issued
    Group next;            // is being fetched
    Group line;            // instructions in the line of the latest fetch
    Cycle next_ready = 0;  // when `next` arrives
    Cycle line_ready = 0;
    Cycle asked = 0;                       // when the port served the latest fetch
    Address awaited = kNever;              // its line, while the time of arrival is unknown
    Address base = 0;                      // of the program's code
    std::span<const std::uint32_t> words;  // Program::words
  };

  Cycle refill(PathId path, std::uint32_t pc, Cycle now);
  void request(Buffer& buffer, unsigned scheduler, std::uint32_t pc, Cycle now);
  Cycle find_line(unsigned scheduler, Address line, Cycle now);
  void prefetch(InstructionCache& cache, Address line, Cycle now);
  Cycle next_level(Address line, Cycle now);
  Cycle from_network(Address line);
  /// Lines [first, last].
  struct Lines {
    Address first = 0, last = 0;
  };
  Lines locate(Buffer& buffer, std::uint32_t pc) const;
  Lines locate_sequence(Buffer& buffer, std::uint32_t pc) const;

  unsigned instruction_bytes_, control_every_, fetch_width_, line_bytes_;
  unsigned l1_latency_, prefetch_;
  unsigned schedulers_, sm_;
  std::vector<InstructionCache> first_level_;     // an L0 for each scheduler, or only the L1
  std::optional<InstructionCache> second_level_;  // the L1, behind L0 caches
  std::vector<Cycle> port_free_;                  // [scheduler]
  Cycle l1_port_free_ = 0;
  std::vector<Buffer> buffers_;  // [path]
  MemoryPort& port_;
  std::vector<Address> missing_;  // lines that have not come; the last unsent_ are not requested
  std::size_t unsent_ = 0;
  FrontendStats& stats_;
};

}  // namespace raddle::machine
