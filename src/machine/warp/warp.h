// A warp: its registers, the splits into which divergence has cut it, and the step from one
// instruction to the next. The same for the functional and for the timed machine.
//
// Splits. Lanes that run together form a split with one pc. A branch whose lanes disagree makes
// its split a parent that waits at the branch's reconvergence point, with a child for each path; a
// child which reaches that point dissolves into the parent, and the parent goes on when all its
// children have. Always running the youngest split is the SIMT stack with immediate
// post-dominator reconvergence (Fung et al. 2007; irregular-control-flow section 2); letting the
// others have their turn is independent thread scheduling (Volta and later).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"

namespace raddle::machine {

enum class Divergence : std::uint8_t { simt_stack, independent_threads };

/// What one step of a warp did.
struct Step {
  enum class Then : std::uint8_t {
    proceed,   // the warp may go on
    barrier,   // waits at a block barrier: WarpContext::event tells which (barrier.h)
    exited,    // all lanes have ended
    fault,     // WarpContext::fault tells
    blocked,   // no split can run until another warp or time moves it (only with independent threads)
  } then = Then::proceed;
  const isa::Instruction* instruction = nullptr;  // nullptr: nothing was executed
  LaneMask lanes = 0;                             // that executed it
};

class Warp {
 public:
  /// Makes this a warp of `block` at the first instruction of `kernel`; storage is reused.
  void start(const isa::Program& program, const isa::Function& kernel, isa::BlockContext& block,
             std::uint32_t warp_in_block, isa::GlobalPort& global, Divergence divergence);

  /// The instruction which step() will execute next, nullptr when there is none.
  const isa::Instruction* next() const { return next_; }
  /// Its index in Program::code.
  std::uint32_t pc() const { return pc_; }
  /// Its lanes before the guard.
  LaneMask lanes() const { return lanes_; }

  /// Executes next(). The caller sets context().now before.
  Step step();

  /// Lets the lanes that wait at the block barrier go on.
  void release_barrier();

  bool finished() const { return context_.live == 0; }
  isa::WarpContext& context() { return context_; }
  const isa::WarpContext& context() const { return context_; }
  const isa::Program& program() const { return *program_; }

  // H3 completes this class: splits, call frames, register storage.
 private:
  const isa::Instruction* next_ = nullptr;
  std::uint32_t pc_ = 0;
  LaneMask lanes_ = 0;
  isa::WarpContext context_;
  const isa::Program* program_ = nullptr;
};

}  // namespace raddle::machine
