// Whether a thread may launch what it asks for. Programs seldom ask in kernels whether a launch has
// failed: the user is told, once for each kernel and error.
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
  bool second = false;       // by the second version of the calls, "__cudaCDP2..."
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

  /// Whether a machine can run it: makes the launch of it, without its parameters.
  Error check(const isa::BlockContext& block, const Request& request, machine::Launch& launch);
  /// That, and whether there is room for it at its depth, in a stream that exists. It then has its
  /// parameters, and counts against the limit until its grid or group ends; one that goes to the
  /// virtual pool is `ready` later. If it fails, its parameter buffer is given back.
  Error admit(const isa::BlockContext& block, const Request& request, machine::Launch& launch,
              Cycle& ready);
  /// Levels below a grid from the host. A tail comes after its grid and nests no deeper: a chain of
  /// them can be of any length.
  unsigned depth_of(const isa::BlockContext& block, const Request& request) const;
  /// Tells the user why the kernel cannot be launched; returns `error`.
  Error explain(const std::string& kernel, Error error, const std::string& why);

 private:
  Error check_room(const std::string& kernel, const Request& request, unsigned depth, Cycle& ready);
  /// Whether the launch is of the second version of dynamic parallelism, the only one from compute
  /// capability 9.0 on. Kernels may nest as deep there as launches may be pending.
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
