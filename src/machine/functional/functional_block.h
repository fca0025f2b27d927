// A thread block of the functional machine: its warps run in turns, as far as barriers let them.
#pragma once

#include <memory>
#include <vector>

#include "isa/global_port.h"
#include "machine/dispatch/grid.h"
#include "machine/profile.h"
#include "machine/warp/warp.h"
#include "machine/whereabouts.h"

namespace raddle::machine {

class FunctionalBlock {
 public:
  /// Makes this the block `index` of `grid`; storage is reused. `counts`: the profile of its
  /// program, or nullptr.
  void start(Grid& grid, const Dim3& index, std::uint32_t sm, isa::GlobalPort& port,
             Divergence divergence, CodeCounts* counts);

  enum class Outcome : std::uint8_t { ended, more, waits, fault };
  /// Executes up to `budget` warp instructions and takes them off; `now` counts them, as %clock
  /// does. `waits`: all warps that have not ended wait at barriers. `fault`: see fault_warp().
  Outcome run(std::uint64_t& budget, Cycle& now, double ns_per_cycle);

  Grid& grid() { return *grid_; }
  const isa::BlockContext& context() const { return context_; }
  /// The warp that faulted, at the instruction that did it.
  Warp& fault_warp() { return *warps_[fault_warp_]; }
  /// Lets a warp go on that a builtin has blocked.
  void wake_warp(unsigned warp) { runnable_ |= 1u << warp; }
  /// Passes over the faulting instruction.
  void skip_fault();
  /// Adds a line for each warp that waits, at most `most` in all.
  void describe_waiting(std::string& text, unsigned& lines, unsigned most) const;
  /// Adds each warp that has not ended.
  void add_to(Whereabouts& all) const;

 private:
  template <bool kProfiled>
  Step::Then run_warp(Warp& warp, std::uint64_t& budget, Cycle& now, double ns_per_cycle);
  void settle(unsigned warp, Step::Then then);

  Grid* grid_ = nullptr;
  CodeCounts* counts_ = nullptr;
  isa::BlockContext context_;
  BlockBarriers barriers_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::uint32_t runnable_ = 0;  // a bit for each warp of the block
  unsigned left_ = 0;           // warps that have not ended
  unsigned turn_ = 0;
  unsigned fault_warp_ = 0;
  std::vector<std::byte> shared_, local_;
};

}  // namespace raddle::machine
