// What all parts of a forest agree on.
#pragma once

#include <cstdint>
#include <stdexcept>

#ifdef __CUDACC__
#define RADDLE_LOCALITY_BOTH __host__ __device__
#else
#define RADDLE_LOCALITY_BOTH
#endif

namespace raddle::locality {

/// The memory that a task is expected to read, as a number: the same for tasks that read the same,
/// near for tasks that read what lies near. A node's index is one, where nodes lie in the order of a
/// depth-first walk.
using Domain = std::uint64_t;

/// No iteration has this number.
inline constexpr std::uint32_t kNoIteration = 0xffffffff;

/// A call that runs on the GPU, with all that it spawns: of iteration `iteration` of the loop around
/// the trees.
template <class Argument>
struct Task {
  std::uint32_t iteration;
  Argument argument;
};

/// CUDA failed, or a function does what it must not: what() says which, and what to do.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// When a call is no longer executed by the host but becomes a task.
struct Threshold {
  enum class Kind { automatic, depth, footprint, tasks, levels };
  Kind kind = Kind::automatic;
  std::uint64_t value = 0;
  std::uint64_t calls =
      ~std::uint64_t{0};  // of an iteration that the host executes at most (tasks(), levels())

  /// Whole levels, until there are an eighth as many tasks as the GPU holds threads (as many, if there
  /// are fewer than 32 iterations), at least one for each iteration, or the host has executed as many
  /// calls: each costs the host what a short task costs the GPU (docs/locality.md has the measurement).
  static Threshold automatic() { return {}; }
  /// Calls that are `levels` spawns below the root; 0: the root itself, so that each iteration is a
  /// task (data parallelism alone).
  static Threshold depth(unsigned levels) { return {Kind::depth, levels}; }
  /// Calls whose Function::footprint() is at most so many bytes.
  static Threshold footprint(std::uint64_t bytes) { return {Kind::footprint, bytes}; }
  /// All calls that wait as soon as an iteration has `count` of them, or the host has executed `calls` of
  /// it: its tree is expanded level by level.
  static Threshold tasks(std::uint64_t count, std::uint64_t calls = ~std::uint64_t{0}) {
    return {Kind::tasks, count, calls};
  }
  /// The same at the end of a level: no task is a level above the others, which would be as long as
  /// all tasks that it could have been made into, and the GPU would wait for it.
  static Threshold levels(std::uint64_t count, std::uint64_t calls = ~std::uint64_t{0}) {
    return {Kind::levels, count, calls};
  }
};

/// In which order tasks lie in the queue that the GPU gets.
enum class Grouping {
  automatic,  // by domain, where the function has domain(), else by footprint where it writes no
              // memory (kReadsOnly) and arguments can be told apart (hash()), else none
  domain,     // by Function::domain()
  footprint,  // by what sampled tasks have read, which the host executes once more (kReadsOnly)
  none        // in the order in which the host has met them: locality-agnostic
};

struct Options {
  Threshold threshold;
  Grouping grouping = Grouping::automatic;
  unsigned strip = 1;          // tasks that a thread of the GPU executes, one after the other
  unsigned block = 128;        // threads of a block: whole warps
  unsigned host_threads = 1;   // that expand iterations; results are the same for any number
  unsigned samples = 4;        // Grouping::footprint: tasks of the same argument that are tried
  unsigned sample_calls = 64;  // ... and calls of each of them
};

/// What a run took, in microseconds. The host's parts are measured by its clock; the GPU's is
/// CUDA's, which is simulated time in the simulator. Memory, which the first run allocates and the forest
/// keeps, is in none of them.
struct Times {
  double expand_us = 0;  // trees expanded, tasks put into queues
  double merge_us = 0;   // queues put into one; footprints sampled
  double gpu_us = 0;     // from the first copy's begin to the last one's end
  double kernel_us = 0;  // of it, the kernel
  double reduce_us = 0;  // results of tasks put into those of iterations

  double total_us() const { return expand_us + merge_us + gpu_us + reduce_us; }
};

/// What a run has made of the trees.
struct Counts {
  std::uint64_t calls = 0;    // that the host has executed
  std::uint64_t tasks = 0;    // that the GPU has
  std::uint64_t domains = 0;  // queues that these came from
  std::uint64_t threads = 0;  // of the GPU
};

}  // namespace raddle::locality
