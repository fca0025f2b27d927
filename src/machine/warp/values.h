// What the lanes of a warp compute with: registers, predicates, and the activations of functions
// that they belong to. Knows nothing of where lanes are: that is LaneControl's.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"
#include "machine/warp/register_storage.h"

namespace raddle::machine {

/// Storage is reused by the warps that come one after the other. Everything is found by index, so
/// that it can be moved while its warp is not being executed.
class WarpValues {
 public:
  static constexpr std::uint32_t kNoFrame = ~std::uint32_t{0};

  /// Since this was last set to false, lanes have looked at memory that others may change.
  bool saw_synchronization = false;

 private:
  std::uint32_t shown_ = kNoFrame;  // read at each step, like what the context begins with
  isa::WarpContext context_;

 public:
  /// A function's activation by lanes that called it together.
  struct Frame {
    std::uint32_t function = 0, caller = kNoFrame, call = 0, return_pc = 0;
    std::uint32_t depth = 0;                 // calls between the kernel and it
    std::uint32_t rows = 0, predicates = 0;  // where its registers begin
    std::uint32_t local = 0;                 // where its local memory begins, bytes
    std::uint32_t users = 0;                 // groups of lanes and frames that refer to it
  };

  /// Makes this the values of a new warp of `block`, with zeroed registers; returns the kernel's
  /// frame, which has no users yet.
  std::uint32_t start(const isa::Program& program, const isa::Function& kernel,
                      isa::BlockContext& block, std::uint32_t warp_in_block,
                      isa::GlobalPort& global);

  isa::WarpContext& context() { return context_; }
  const isa::WarpContext& context() const { return context_; }
  const isa::Program& program() const { return *program_; }
  const Frame& frame(std::uint32_t index) const { return frames_[index]; }

  /// The context shows this frame's registers and local memory from now on.
  void activate(std::uint32_t frame) {
    const Frame& shown = frames_[frame];
    shown_ = frame;
    const isa::Function& function = program_->functions[shown.function];
    context_.rows = storage_.row(shown.rows);
    context_.predicates = storage_.predicate(shown.predicates);
    context_.constants = function.constants.data();
    context_.local_frame = shown.local;
    context_.local_end = shown.local + function.frame_end;
  }

  /// Registers by their number in the warp's storage (Frame::rows, Frame::predicates); they move
  /// when functions are called.
  std::byte* row(std::uint32_t index) { return storage_.row(index); }
  LaneMask* predicate(std::uint32_t index) { return storage_.predicate(index); }

  /// The frame that the context shows.
  std::uint32_t shown() const { return shown_; }

  void use(std::uint32_t frame) { ++frames_[frame].users; }
  /// A frame that nobody uses is gone, and with it its use of its caller.
  void release(std::uint32_t frame);

  /// `lanes` of `caller` call `function` from the instruction before `return_pc`, by the call site
  /// `call`; their arguments are copied. Returns the new frame, without users; kNoFrame: a thread's
  /// local memory has no room for it. May move the registers: activate() is to follow.
  std::uint32_t enter(std::uint32_t function, std::uint32_t call, std::uint32_t caller,
                      std::uint32_t return_pc, LaneMask lanes);
  /// `lanes` return from `callee`: their results are copied to its caller. Users do not change.
  void copy_results(std::uint32_t callee, LaneMask lanes);

  /// Of all registers and predicates, of all activations.
  std::uint64_t state_hash() const;
  /// What has to be saved when the warp leaves its multiprocessor: registers and predicates of all
  /// activations, in bytes.
  std::uint64_t state_bytes() const {
    return std::uint64_t{rows_used_} * isa::kRowBytes +
           std::uint64_t{predicates_used_} * sizeof(LaneMask);
  }

 private:
  /// Where a function's registers are at one depth of calls. Two functions never share rows there:
  /// their lanes may be active at the same time, and lane 0 of a wide register lies where lanes 0
  /// and 1 of a narrow one do. Lanes that came to the same function by different ways do share
  /// them, so that they can exchange values.
  struct RegisterPlace {
    std::uint32_t function, rows, predicates;
  };

  std::uint32_t new_frame();
  void place_registers(Frame& frame);
  void copy_frame_bytes(const std::vector<isa::CallCopy>& copies, LaneMask lanes,
                        std::uint32_t caller, std::uint32_t callee, bool to_caller);

  const isa::Program* program_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> free_frames_;
  std::vector<std::vector<RegisterPlace>> places_;     // [depth - 1]
  std::uint32_t rows_used_ = 0, predicates_used_ = 0;  // by the kernel and all places
  RegisterStorage storage_;
};

}  // namespace raddle::machine
