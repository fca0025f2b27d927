// Launches of grids by kernels, from the buffer for their parameters to their first block (CUDA C++
// Programming Guide, "CUDA Dynamic Parallelism", Device-side Launch from PTX).
#pragma once

#include <unordered_map>

#include "mechanisms/cdp/admission.h"

namespace raddle::mechanisms::cdp {

/// `block` is the block of the calling thread. A launch reaches the kernel management unit in cycle
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

  /// cudaGetParameterBuffer. Returns 0 when device memory is full.
  Address parameter_buffer(std::uint64_t bytes);
  /// cudaGetParameterBufferV2. Remembers the request; launch_prepared() with `buffer` launches it.
  Error parameter_buffer(const isa::BlockContext& block, Request request, Address& buffer);
  Error launch(const isa::BlockContext& block, Request request, Cycle ready);
  /// Launches the request with which the block got this buffer.
  Error launch_prepared(const isa::BlockContext& block, Address buffer, std::uint64_t stream,
                        Cycle ready);
  /// The buffer is launched by another call than launch_prepared().
  void forget_prepared(const isa::BlockContext& block, Address buffer);
  /// Counts a launch that fails with `error`. Returns `error`.
  Error refused(Error error);

  /// For a mechanism that launches in another way. The launch is admitted, waits since cycle
  /// `launched`, is already counted as `child`, and its record is already stored.
  void launch_for(Child child, machine::Launch launch, Address parameters, Cycle launched,
                  Cycle ready);
  /// The cycle in which the launch with these parameters began: the cycle of the request for the
  /// buffer.
  Cycle since(Address parameters) const { return pool_.since(parameters, environment_.path.now()); }

  /// Adds this number of SM cycles to the dispatch of every launch.
  void delay_dispatch(unsigned cycles) { dispatch_delay_ = cycles; }

  // See machine::Mechanism.
  void grid_started(const machine::Grid& grid);
  void block_ended(const isa::BlockContext& block);

 private:
  /// Counts a launch that begins to wait.
  void add_pending(const machine::Launch& launch);
  /// The record lies behind the parameters.
  void store_record(Address parameters);
  /// Tells the user of another GPU, once, that the times of Table 3 were measured on a K20c.
  void tell_whose_times();
  /// Hands the launch to the machine.
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
