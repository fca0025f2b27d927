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

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"
#include "machine/warp/barrier.h"
#include "machine/warp/divergence.h"
#include "machine/warp/register_storage.h"

namespace raddle::machine {

/// What one step of a warp did.
struct Step {
  enum class Then : std::uint8_t {
    proceed,  // the warp may go on
    barrier,  // all its lanes wait at block barriers: see BlockBarriers::take_released()
    exited,   // all lanes have ended
    fault,    // WarpContext::fault tells; the warp stays at the instruction
    blocked,  // by a builtin, until WarpContext::waits_until is changed
  } then = Then::proceed;
  const isa::Instruction* instruction = nullptr;  // nullptr: nothing was executed
  LaneMask lanes = 0;                             // that executed it
};

class Warp {
 public:
  /// Makes this a warp of `block` at the first instruction of `kernel`; storage is reused.
  void start(const isa::Program& program, const isa::Function& kernel, isa::BlockContext& block,
             std::uint32_t warp_in_block, isa::GlobalPort& global, Divergence divergence,
             BlockBarriers& barriers);

  /// The instruction which step() will execute next, nullptr when there is none.
  const isa::Instruction* next() const { return next_; }
  /// Its index in Program::code.
  std::uint32_t pc() const { return pc_; }
  /// Its lanes before the guard.
  LaneMask lanes() const { return lanes_; }

  /// Executes next(). The caller sets context().now before.
  Step step() {
    const isa::Instruction& i = *next_;
    isa::WarpContext& w = context_;
    const LaneMask active = lanes_ & (w.predicates[i.guard] ^ i.guard_flip);
    w.active = active;
    if (i.kind == isa::Kind::compute) {
      if (active != 0) i.execute(w, i);
    } else if (i.kind == isa::Kind::memory) {
      w.access.lanes = 0;
      if (active != 0) i.execute(w, i);
      saw_synchronization_ |= w.access.bypass_l1;
      if (w.fault.kind != isa::Fault::Kind::none) return {Step::Then::fault, &i, active};
    } else {
      return step_control(i);
    }
    pc_ = pc_ + 1;
    next_ = &i + 1;
    if (pc_ == stop_pc_) [[unlikely]]
      return after_move(&i, active);
    return {Step::Then::proceed, &i, active};
  }

  /// Passes over an instruction that faulted (--keep-going): lanes whose access to memory is at
  /// fault have no part in it, any other instruction has no effect. Clears the fault.
  Step skip_faulting();

  bool finished() const { return context_.live == 0; }
  isa::WarpContext& context() { return context_; }
  const isa::WarpContext& context() const { return context_; }
  const isa::Program& program() const { return *program_; }

  /// For reports: a line for each group of lanes, where they are and what they wait for; `doing`
  /// follows those that wait for none of the others.
  std::string why_waiting(const char* doing = " could go on") const;
  /// A later turn of lanes that this split kept from running was forced this often.
  std::uint64_t forced_turns() const { return forced_turns_; }

 private:
  friend class BlockBarriers;

  static constexpr unsigned kMaxSplits = 64;
  static constexpr std::uint8_t kNoSplit = 255;
  static constexpr std::uint32_t kNoFrame = ~std::uint32_t{0};

  enum class State : std::uint8_t { free, ready, reconverging, at_barrier, at_sync };

  struct Split {
    State state = State::free;
    std::uint8_t parent = kNoSplit;
    std::uint8_t barrier = 0;
    LaneMask lanes = 0;
    LaneMask pending = 0;    // reconverging: lanes that have not come yet
    LaneMask sync_mask = 0;  // at_sync: lanes that must come
    std::uint32_t pc = 0, stop = isa::kNoReconvergence;
    std::uint32_t frame = 0;
    std::uint32_t born = 0;  // later = greater
  };

  /// A function's activation by the lanes of a split.
  struct Frame {
    std::uint32_t function = 0, caller = kNoFrame, call = 0, return_pc = 0;
    std::uint32_t depth = 0;                 // calls between the kernel and it
    std::uint32_t rows = 0, predicates = 0;  // where its registers begin
    std::uint32_t local = 0;                 // where its local memory begins, bytes
    std::uint32_t users = 0;                 // splits and frames that refer to it
  };

  /// Where a function's registers are at one depth of calls. Two functions never share rows there:
  /// their lanes may be active at the same time, and lane 0 of a wide register lies where lanes 0
  /// and 1 of a narrow one do. Lanes that came to the same function by different ways do share
  /// them, so that they can exchange values.
  struct RegisterPlace {
    std::uint32_t function, rows, predicates;
  };

  // step.cpp: what is not compute or memory.
  Step step_control(const isa::Instruction& i);
  Step step_branch(const isa::Instruction& i);
  Step step_branch_table(const isa::Instruction& i);
  Step turned_back(const isa::Instruction& i, Step step);
  Step step_exit(const isa::Instruction& i);
  Step step_barrier(const isa::Instruction& i);
  Step step_sync(const isa::Instruction& i);
  Step fault(isa::Fault::Kind kind, const isa::Instruction& i);
  Step move_to(std::uint32_t pc, const isa::Instruction* executed, LaneMask lanes);
  Step after_move(const isa::Instruction* executed, LaneMask lanes);

  // frames.cpp
  Step step_call(const isa::Instruction& i);
  Step step_return(const isa::Instruction& i);
  bool enter_function(std::uint32_t function, std::uint32_t call);
  std::uint32_t new_frame();
  void place_registers(Frame& frame);
  void release_frame(std::uint32_t frame);
  void use_frame(std::uint32_t frame);
  void copy_frame_bytes(const std::vector<isa::CallCopy>& copies, std::uint32_t caller,
                        std::uint32_t callee, bool to_caller);

  // splits.cpp
  struct Path {
    std::uint32_t pc;
    LaneMask lanes;
  };
  void diverge(const Path* paths, unsigned count, std::uint32_t reconverge);
  std::uint8_t new_split(LaneMask lanes, std::uint32_t pc, std::uint8_t parent, std::uint32_t stop,
                         std::uint32_t frame);
  void free_split(std::uint8_t split);
  void arrive_at_parent(std::uint8_t split);
  void lanes_leave_pending(std::uint8_t parent, LaneMask lanes);
  void lanes_leave(std::uint8_t parent, LaneMask lanes);
  void park(State state);
  bool run_next();
  std::uint8_t choose() const;
  void load(std::uint8_t split);
  bool let_arrived_go_on();
  void take_turns();
  bool spins_forever();
  bool complete_syncs();
  void run_sync_group(std::uint8_t first);
  Step sync_fault(const isa::Instruction* executed, LaneMask lanes);
  Step settle(const isa::Instruction* executed, LaneMask lanes);

  /// Called by BlockBarriers: lanes at `barrier` go on. True when the whole warp had been waiting.
  bool release_barrier(unsigned barrier, const BlockBarriers& result);
  void deliver_reduction(const isa::Instruction& i, LaneMask lanes, const BlockBarriers& result);

  const isa::Instruction* next_ = nullptr;
  std::uint32_t pc_ = 0;
  std::uint32_t stop_pc_ = isa::kNoReconvergence;  // of the running split
  LaneMask lanes_ = 0;
  isa::WarpContext context_;

  const isa::Program* program_ = nullptr;
  BlockBarriers* barriers_ = nullptr;
  Divergence divergence_ = Divergence::simt_stack;
  std::uint8_t current_ = kNoSplit;
  std::uint64_t used_ = 0, ready_ = 0;  // splits
  std::uint32_t born_ = 0;
  std::uint32_t run_length_ = 0;      // branches backwards since lanes last took turns
  bool saw_synchronization_ = false;  // since then: looked at memory that others may change
  std::uint64_t forced_turns_ = 0;
  std::array<Split, kMaxSplits> splits_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> free_frames_;
  std::vector<std::vector<RegisterPlace>> places_;     // [depth - 1]
  std::uint32_t rows_used_ = 0, predicates_used_ = 0;  // by the kernel and all places
  RegisterStorage storage_;
};

}  // namespace raddle::machine
