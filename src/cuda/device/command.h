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

/// A point in a stream, reached when all work before it has ended.
struct Completion {
  bool done = false;
  Nanoseconds time = 0;
  std::vector<std::uint32_t> waiters;  // streams whose next command waits for it
  std::string failure;                 // why a copy was not possible; "" when it was
};
using CompletionPtr = std::shared_ptr<Completion>;

/// The unit that carries a command out.
enum class Engine : std::uint8_t {
  none,       // takes no unit: markers, host functions
  sms,        // a kernel
  to_device,  // copy engines
  to_host,
  on_device,  // memset and copies within device memory
};

struct Command {
  Engine engine = Engine::none;
  Nanoseconds earliest = 0;          // earliest start: not before the host puts it in
  Nanoseconds lead = 0;              // from putting it in to the earliest start of its unit
  Nanoseconds arrives = 0;           // of a kernel: when the GPU's launch unit has it
  Nanoseconds duration = 0;          // time on its unit; unused for kernels
  Nanoseconds begun = -1;            // if not negative: the device puts it in at this time
  std::vector<CompletionPtr> after;  // predecessors besides the commands before it in its stream
  std::function<void()> action;      // its effect, applied when it ends
  machine::Launch launch;            // kernels
  // For timelines:
  const char* name = "";
  std::uint64_t bytes = 0;   // copied or filled
  std::uint32_t thread = 0;  // the host's thread that put it in,
  Nanoseconds call = 0;      // in a call that began at this time
  CompletionPtr completion = std::make_shared<Completion>();
};

}  // namespace raddle::cuda
