// Work in streams. All times are nanoseconds on the host's virtual clock.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "machine/gpu.h"

namespace raddle::cuda {

using Nanoseconds = double;
inline constexpr Nanoseconds kForever = std::numeric_limits<double>::infinity();

/// A point in a stream: reached when all work before it has ended.
struct Completion {
  bool done = false;
  Nanoseconds time = 0;
  std::vector<std::uint32_t> waiters;  // streams whose next command waits for it
  std::string failure;                 // why a copy could not be carried out; "" when it could
};
using CompletionPtr = std::shared_ptr<Completion>;

/// Which unit carries a command out.
enum class Engine : std::uint8_t {
  none,       // takes no unit: markers, host functions
  sms,        // a kernel
  to_device,  // copy engines
  to_host,
  on_device,  // memset and copies within device memory
};

struct Command {
  Engine engine = Engine::none;
  Nanoseconds earliest = 0;          // when it may start: not before it is put in
  Nanoseconds lead = 0;              // from when it is put in to when its unit may begin
  Nanoseconds arrives = 0;           // a kernel: when the GPU's launch unit has it
  Nanoseconds duration = 0;          // of its unit; kernels take what they take
  Nanoseconds begun = -1;            // not negative: the device puts it in, at this moment
  std::vector<CompletionPtr> after;  // beyond the commands before it in its stream
  std::function<void()> action;      // its effect, carried out when it ends
  machine::Launch launch;            // kernels
  // For timelines:
  const char* name = "";
  std::uint64_t bytes = 0;   // copied or filled
  std::uint32_t thread = 0;  // of the host: who put it in,
  Nanoseconds call = 0;      // in a call that began then
  CompletionPtr completion = std::make_shared<Completion>();
};

}  // namespace raddle::cuda
