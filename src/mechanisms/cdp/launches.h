// Launches of grids by kernels, from the buffer for their parameters to their first block (CUDA C++
// Programming Guide, "CUDA Dynamic Parallelism", Device-side Launch from PTX).
#pragma once

#include <unordered_map>

#include "mechanisms/cdp/admission.h"

namespace raddle::mechanisms::cdp {

/// `block` is that of the calling thread. A launch reaches the kernel management unit at cycle
/// `ready`.
class Launches {
 public:
  Launches(const Environment& environment, Admission& admission, ParameterPool& pool,
           Families& families, DeviceStreams& streams)
      : environment_(environment),
        admission_(admission),
        pool_(pool),
        families_(families),
        streams_(streams) {}

  /// cudaGetParameterBuffer: 0 when device memory is full.
  Address parameter_buffer(std::uint64_t bytes);
  /// cudaGetParameterBufferV2: remembers the launch that is to come with `buffer`.
  Error parameter_buffer(const isa::BlockContext& block, Request request, Address& buffer);
  Error launch(const isa::BlockContext& block, Request request, Cycle ready);
  /// Of a buffer that the block got with a request.
  Error launch_prepared(const isa::BlockContext& block, Address buffer, std::uint64_t stream,
                        Cycle ready);
  /// The buffer is launched otherwise than by launch_prepared().
  void forget_prepared(const isa::BlockContext& block, Address buffer);
  /// Counts a launch that fails with `error`, which it returns.
  Error refused(Error error);

  /// For a mechanism that launches in another way: an admitted launch whose waiting, from cycle
  /// `launched` on, is already known to `child`, and whose record is stored already.
  void launch_for(Child child, machine::Launch launch, Address parameters, Cycle launched,
                  Cycle ready);
  /// When the launch with these parameters began: with asking for the buffer.
  Cycle since(Address parameters) const { return pool_.since(parameters, environment_.path.now()); }

  /// The dispatch of every launch takes so much longer.
  void delay_dispatch(unsigned cycles) { dispatch_delay_ = cycles; }

  // As machine::Mechanism has them.
  void grid_started(const machine::Grid& grid);
  void block_ended(const isa::BlockContext& block);

 private:
  /// A launch begins to wait.
  void add_pending(const machine::Launch& launch);
  /// Its record lies behind its parameters.
  void store_record(Address parameters);
  /// The times of Table 3 were measured on a K20c: the user of another GPU is told, once.
  void tell_whose_times();
  /// Hands it to the machine.
  void start(machine::Launch launch, LaunchedGrid grid, Cycle ready);

  const Environment& environment_;
  Admission& admission_;
  ParameterPool& pool_;
  Families& families_;
  DeviceStreams& streams_;
  std::uint64_t pending_ = 0;    // launches that have not started
  unsigned dispatch_delay_ = 0;  // SM cycles
  bool told_whose_times_ = false;
  PerBlock<std::unordered_map<Address, Request>> prepared_;  // by buffer
};

}  // namespace raddle::mechanisms::cdp
