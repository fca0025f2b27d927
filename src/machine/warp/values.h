// The values of a warp's lanes: registers, predicates, and the function activations to which they
// belong. The positions of lanes are in LaneControl.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/block_context.h"
#include "isa/program.h"
#include "isa/warp_context.h"
#include "machine/warp/register_storage.h"

namespace raddle::machine {

/// Later warps reuse the storage. All references are indices, so that the object can be moved while
/// its warp is not being executed.
class WarpValues {
 public:
  static constexpr std::uint32_t kNoFrame = ~std::uint32_t{0};

  /// Lanes have read memory that others may change, since this was last set to false.
  bool saw_synchronization = false;

 private:
  std::uint32_t shown_ = kNoFrame;  // read at each step, like the first members of the context
  isa::WarpContext context_;

 public:
  /// An activation of a function by lanes that called it together.
  struct Frame {
    std::uint32_t function = 0, caller = kNoFrame, call = 0, return_pc = 0;
    std::uint32_t depth = 0;                 // calls between the kernel and this frame
    std::uint32_t rows = 0, predicates = 0;  // where its registers begin
    std::uint32_t local = 0;                 // where its local memory begins, bytes
    std::uint32_t users = 0;                 // groups of lanes and frames that refer to it
  };

  /// Resets the values for a new warp of `block`, with zeroed registers. Returns the kernel's
  /// frame, which has no users yet.
  std::uint32_t start(const isa::Program& program, const isa::Function& kernel,
                      isa::BlockContext& block, std::uint32_t warp_in_block,
                      isa::GlobalPort& global);

  isa::WarpContext& context() { return context_; }
  const isa::WarpContext& context() const { return context_; }
  const isa::Program& program() const { return *program_; }
  const Frame& frame(std::uint32_t index) const { return frames_[index]; }

  /// Makes the context show this frame's registers and local memory.
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

  /// Registers by their number in the warp's storage (Frame::rows, Frame::predicates). They may
  /// move at function calls.
  std::byte* row(std::uint32_t index) { return storage_.row(index); }
  LaneMask* predicate(std::uint32_t index) { return storage_.predicate(index); }

  /// The frame that the context shows.
  std::uint32_t shown() const { return shown_; }

  void use(std::uint32_t frame) { ++frames_[frame].users; }
  /// Drops a use of the frame. A frame without users ends, and with it its use of its caller.
  void release(std::uint32_t frame);

  /// `lanes` of `caller` call `function` at call site `call`, from the instruction before
  /// `return_pc`; their arguments are copied. Returns the new frame, without users; kNoFrame: a
  /// thread's local memory has no room for it. The registers may move: the caller must call
  /// activate().
  std::uint32_t enter(std::uint32_t function, std::uint32_t call, std::uint32_t caller,
                      std::uint32_t return_pc, LaneMask lanes);
  /// `lanes` return from `callee`: copies their results to its caller. Users do not change.
  void copy_results(std::uint32_t callee, LaneMask lanes);

  /// A hash of all registers and predicates, of all activations.
  std::uint64_t state_hash() const;
  /// Size of the state that is saved when the warp leaves its multiprocessor: registers and
  /// predicates of all activations, in bytes.
  std::uint64_t state_bytes() const {
    return std::uint64_t{rows_used_} * isa::kRowBytes +
           std::uint64_t{predicates_used_} * sizeof(LaneMask);
  }

 private:
  /// Where a function's registers are at one depth of calls. Two functions never share rows at the
  /// same depth: their lanes may be active at the same time, and lane 0 of a wide register lies
  /// where lanes 0 and 1 of a narrow one lie. Lanes that came to the same function by different
  /// ways share them, so that they can exchange values.
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
