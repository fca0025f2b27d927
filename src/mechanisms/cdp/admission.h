// Checks whether a thread may make the launch that it requests. Kernels seldom check whether a
// launch failed, so the simulator tells the user, once for each kernel and error.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "mechanisms/cdp/device_streams.h"

namespace raddle::mechanisms::cdp {

/// A launch as a thread asks for it.
struct Request {
  std::uint64_t kernel = 0;  // address
  Address parameters = 0;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::uint64_t stream = 0;  // handle
  bool second = false;       // requested by the second version of the calls, "__cudaCDP2..."
};

class Admission {
 public:
  Admission(const Environment& environment, ParameterPool& pool, LaunchLimit& limit,
            const Families& families, const DeviceStreams& streams)
      : environment_(environment),
        pool_(pool),
        limit_(limit),
        families_(families),
        streams_(streams) {}

  /// Checks whether the machine can run the launch. Fills in `launch`, except its parameters.
  Error check(const isa::BlockContext& block, const Request& request, machine::Launch& launch);
  /// check(), and also whether there is room for the launch at its depth, and whether its stream
  /// exists. An admitted launch has its parameters, and counts against the limit until its grid or
  /// group ends. A launch that goes to the virtual pool becomes `ready` later. On failure the
  /// parameter buffer is given back.
  Error admit(const isa::BlockContext& block, const Request& request, machine::Launch& launch,
              Cycle& ready);
  /// Levels below a grid from the host. A tail launch runs after its grid and is not one level
  /// deeper, so a chain of tails can have any length.
  unsigned depth_of(const isa::BlockContext& block, const Request& request) const;
  /// Tells the user why the kernel cannot be launched; returns `error`.
  Error explain(const std::string& kernel, Error error, const std::string& why);

 private:
  Error check_room(const std::string& kernel, const Request& request, unsigned depth, Cycle& ready);
  /// Whether the launch uses the second version of dynamic parallelism, which is the only version
  /// from compute capability 9.0 on. There, the nesting depth is limited only by the number of
  /// pending launches.
  bool of_second_version(const Request& request) const;
  Error read_parameters(const Request& request, machine::Launch& launch);

  const Environment& environment_;
  ParameterPool& pool_;
  LaunchLimit& limit_;
  const Families& families_;
  const DeviceStreams& streams_;
  std::set<std::pair<std::string, Error>> told_;
};

}  // namespace raddle::mechanisms::cdp
