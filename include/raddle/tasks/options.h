// What a runtime can be told, and what it tells of itself.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace raddle::tasks {

/// By which way tasks reach the GPU, and their ends the host. Who copies inputs by copy_in() need not
/// wait for them in either way.
enum class Transport {
  mapped,  // the table is in host memory, which the GPU reads over the bus
  copies   // the table has a mirror in host memory; one copy a task (the paper's way)
};

/// How executor warps wait: automatic is `park` before compute capability 7.0, `sleep` since.
enum class Waiting { automatic, park, sleep, poll };

struct Options {
  Transport transport = Transport::mapped;
  Waiting waiting = Waiting::automatic;
  unsigned subtasks =
      4096;  // queue of tasks that tasks spawn; a power of two from 2, or 0. Its entries
             // are used in turn: full while the oldest task in it has not ended
  unsigned most_masters = ~0u;  // MasterKernel blocks; by default as many as fit, two a
                                // multiprocessor
  // A task that none follows for as long runs all the same (section 4.2.1), for which a host thread
  // looks; 0: it waits for the next call of spawn(), check(), wait() or flush(). With `mapped` only
  // tasks whose inputs are still being copied wait for a call.
  std::chrono::microseconds flush_after{0};
  // Ends that take_ended() and wait_ended() have not told yet; a task with which there would be more
  // is refused. 0: they tell none.
  std::size_t most_ends = 0;
  // Only with `mapped`: what copy_in() is asked for while a copy is under way waits for its end, and all of it is
  // copied together: neighbours by one copy, from CUDA 12.8 on all by one call. Host memory must stay as it is,
  // pinned or not, until the task has begun; what CUDA refuses shows as error(). false: each by a call of its own.
  bool gather = false;
  // Counts how long warps are busy (Counts::busy_cycles); costs each of a task's warps two looks at
  // the clock.
  bool occupancy = false;
};

/// What the runtime has done, for those who measure it.
struct Counts {
  std::uint64_t tasks = 0;    // spawned by the host
  std::uint64_t empty = 0;    // updates that only release the last tasks
  std::uint64_t failed = 0;   // of them, those that have failed
  std::uint64_t refused = 0;  // not spawned: their Ids are false
  std::uint64_t refresh = 0;  // times that ends were copied back
  std::uint64_t full = 0;     // times that a spawn found the table full
  // Clock cycles of all warps that ran tasks, when the runtime has been shut down (Options::occupancy).
  std::uint64_t busy_cycles = 0;
};

}  // namespace raddle::tasks
