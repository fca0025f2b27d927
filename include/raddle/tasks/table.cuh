// What host and GPU share: the TaskTable (Pagoda, section 4.2), its words, and the list of kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace raddle::tasks {

/// How a task is launched. `shared` and `sync` are what its blocks get: bytes of shared memory, and
/// a barrier for sync_block(). Blocks have 1 to 992 threads, those with `sync` a multiple of 32; a
/// task has at most kMaxBlocks. Made of integers of any type, as what stands between <<< and >>> is;
/// those that are negative or too large are refused as any others that are too large.
struct Launch {
  unsigned threads = 128;  // of each block
  unsigned blocks = 1;
  unsigned shared = 0;  // bytes for each block, at most kSharedBytes
  bool sync = false;

  Launch() = default;
  template <class T, class B = unsigned, class S = unsigned>
  __host__ __device__ constexpr Launch(T threads_, B blocks_ = 1, S shared_ = 0, bool sync_ = false)
      : threads(bounded(threads_)),
        blocks(bounded(blocks_)),
        shared(bounded(shared_)),
        sync(sync_) {}

 private:
  template <class T>
  __host__ __device__ static constexpr unsigned bounded(T value) {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                  "numbers of threads, blocks and bytes");
    const auto number = static_cast<unsigned long long>(value);  // of negative ones a large one
    return number > ~0u ? ~0u : static_cast<unsigned>(number);
  }
};

inline constexpr unsigned kMaxThreads = 992;         // 31 executor warps
inline constexpr unsigned kMaxBlocks = 1u << 26;     // of a task: its warps fit in 31 bits
inline constexpr unsigned kSharedBytes = 32 * 1024;  // that a MasterKernel block hands out
inline constexpr unsigned kMaxArgumentBytes = 224;   // of a task; more go through a pointer

/// Bytes that a task needs on the GPU before it runs, or that the host needs after it; host memory
/// is pinned. None when bytes is 0.
struct Transfer {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

/// What a task's own warps move, without a call of CUDA: in(...) from pinned host memory to the GPU's before any
/// thread of the task runs, out(...) to pinned memory when all have run, before the host hears of its end.
///
///   runtime.spawn<f>({128}, tasks::Moves().in(a, host_a, bytes).out(host_b, b, bytes), a, b);
///
/// Host memory stays as it is until the task has ended. Moved 16 bytes a thread where both places are aligned
/// to 16. What a task's spawned tasks write is not taken away with its results.
class Moves {
 public:
  static constexpr unsigned kMost = 8;  // each takes 24 of the task's 224 bytes of arguments

  Moves& in(void* to, const void* from, std::size_t bytes) {
    return add(ins_, {to, from, bytes}, ins_count_);
  }
  Moves& out(void* to, const void* from, std::size_t bytes) {
    return add(outs_, {to, from, bytes}, outs_count_);
  }
  unsigned ins() const { return ins_count_; }
  unsigned outs() const { return outs_count_; }
  /// Inputs, then results.
  const Transfer& operator[](unsigned i) const {
    return i < ins_count_ ? ins_[i] : outs_[i - ins_count_];
  }
  unsigned size() const { return ins_count_ + outs_count_; }
  bool too_many() const { return too_many_; }

 private:
  Moves& add(Transfer* to, const Transfer& one, unsigned& count) {
    if (one.bytes == 0) return *this;
    too_many_ |= size() == kMost;
    if (!too_many_) to[count++] = one;
    return *this;
  }

  Transfer ins_[kMost], outs_[kMost];
  unsigned ins_count_ = 0, outs_count_ = 0;
  bool too_many_ = false;
};

namespace detail {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kMasterThreads = 1024;
inline constexpr unsigned kExecutors = kMasterThreads / kWarp - 1;  // the rest is the scheduler
inline constexpr unsigned kRows = 32;                               // of a column of the table
inline constexpr unsigned kNone = 0xffff;

__host__ __device__ inline bool is_valid(const Launch& how) {
  return how.threads != 0 && how.threads <= kMaxThreads && how.blocks != 0 &&
         how.blocks <= kMaxBlocks && how.shared <= kSharedBytes &&
         (!how.sync || how.threads % kWarp == 0);
}

/// The word by which an entry arrives at the scheduler of its column: the paper's `ready` field.
/// It comes in the same copy as the entry's parameters, of which it says nothing; it says that the
/// copy before, of the entry `previous`, is complete, and that task may run (section 4.2.1). It
/// also names the row in which the column's next entry will arrive, so that a scheduler need look
/// at one word only. Zero: nothing has arrived.
struct Arrival {
  static constexpr unsigned kArrived = 1u << 31;
  static constexpr unsigned kEmpty = 1u << 30;  // no task: an update that only releases another

  static unsigned make(unsigned previous, unsigned next_row, bool empty) {
    return kArrived | (empty ? kEmpty : 0) | next_row << 16 | previous;
  }
  __host__ __device__ static unsigned previous(unsigned word) { return word & 0xffff; }
  __host__ __device__ static unsigned next_row(unsigned word) { return word >> 16 & 31; }
};

/// An entry of the TaskTable. The host fills it, or a task that spawns another.
struct alignas(256) Entry {
  std::uint32_t arrival;
  std::uint16_t kernel;  // index in the list of kernels
  std::uint16_t sync;
  std::uint32_t threads, blocks, shared;
  std::uint32_t sequence;  // of entries that tasks fill: whose turn it is (see Subtasks)
  std::uint16_t ins,
      outs;  // transfers (Moves): they stand at the end of the arguments, the first last
  std::uint32_t unused;
  unsigned char arguments[kMaxArgumentBytes];
};
static_assert(sizeof(Entry) == 256);

/// How a task in an entry is related to others; in device memory.
struct Family {
  std::uint32_t parent;    // entry of the task that spawned it
  std::uint32_t children;  // that have not ended; kEnded is added when the task itself has
  std::uint32_t code;      // of the failures of its children
};

inline constexpr std::uint32_t kNobody = ~0u;
inline constexpr std::uint32_t kEnded = 1u << 31;

/// The queue of tasks that tasks spawn, in entries that follow the table's: a bounded queue for
/// several producers and consumers (D. Vyukov). An entry whose sequence is t is free for the t-th
/// task, t + 1 when that task is in it, t + capacity when it has ended.
struct Subtasks {
  std::uint32_t capacity;  // a power of two; 0: tasks spawn none
  std::uint32_t* head;     // the next to be taken
  std::uint32_t* tail;     // the next to be spawned
};

/// How executor warps wait for work.
enum class Idle : int {
  park,   // at a named barrier, without issuing anything
  sleep,  // they look at their flag between naps (compute capability 7.0 and later)
  poll    // they look at their flag all the time, as in the paper
};

/// What the MasterKernel is told. Lives in kernel parameters.
struct Table {
  Entry* rows;              // [column][row], filled by the host
  Entry* spawned;           // [subtasks.capacity], filled by tasks; their numbers follow
  Family* families;         // of both
  std::uint32_t* released;  // [column] bit r: the entry in row r may run; all ones: stop
  std::uint32_t* ended;     // [column][row] tasks that have ended there * 256 + code of the last
  std::uint32_t columns;
  Subtasks subtasks;
  Idle idle;
  int system;                // `rows` and `ended` are in host memory: fences have system scope
  unsigned char* arguments;  // then, in device memory: [entry] those of tasks that run (Scheduler)
  unsigned long long* busy;  // clock cycles of executor warps with a task; null: not counted

  __host__ __device__ std::uint32_t first_spawned() const { return columns * kRows; }
  __host__ __device__ Entry& entry(std::uint32_t number) const {
    return number < first_spawned() ? rows[number] : spawned[number - first_spawned()];
  }
};

inline constexpr std::uint32_t kStop = ~0u;

/// Parameters one behind the other: each from its alignment on, the rest from that of the widest of
/// the rest, so that the widest first take the least.
template <class... P>
struct Arguments;
template <>
struct Arguments<> {};
template <class Last>
struct Arguments<Last> {
  Last first;
};
template <class First, class Second, class... Rest>
struct Arguments<First, Second, Rest...> {
  First first;
  Arguments<Second, Rest...> rest;
};

template <class... P>
constexpr std::size_t bytes_of_arguments() {
  if constexpr (sizeof...(P) == 0) {
    return 0;
  } else {
    return sizeof(Arguments<P...>);
  }
}

inline __host__ __device__ void fill(Arguments<>&) {}
template <class Last, class A>
__host__ __device__ void fill(Arguments<Last>& to, const A& a) {
  to.first = a;
}
template <class First, class Second, class... Rest, class A, class... As>
__host__ __device__ void fill(Arguments<First, Second, Rest...>& to, const A& a, const As&... as) {
  to.first = a;
  fill(to.rest, as...);
}

/// What a kernel takes: `__device__ void kernel(P...)`.
template <class F>
struct Signature {
  static_assert(sizeof(F) == 0,
                "a task's kernel is a __device__ function, not __global__, that returns nothing");
};
template <class... P>
struct Signature<void (*)(P...)> {
  using Pack = Arguments<std::decay_t<P>...>;
  static constexpr std::size_t kBytes = bytes_of_arguments<std::decay_t<P>...>();
  static constexpr unsigned kCount = sizeof...(P);
  static_assert((std::is_trivially_copyable_v<std::decay_t<P>> && ...),
                "arguments are copied to the GPU as bytes");
  static_assert((!std::is_reference_v<P> && ...), "the task runs later: pass values and pointers");
  static_assert(kBytes <= kMaxArgumentBytes,
                "at most 224 bytes of arguments, with the gaps of their alignments: the widest "
                "first, or a pointer to them");
};
template <class... P>
struct Signature<void (*)(P...) noexcept> : Signature<void (*)(P...)> {};

template <auto F>
struct Value {};

/// The place of kernel `F` among `Fs`.
template <auto F, auto First, auto... Rest>
constexpr unsigned index_of() {
  if constexpr (std::is_same_v<Value<F>, Value<First>>) {
    return 0;
  } else {
    static_assert(sizeof...(Rest) != 0, "name it among the Runtime's kernels");
    return 1 + index_of<F, Rest...>();
  }
}

}  // namespace detail

/// A list of task kernels: __device__ functions that return nothing.
template <auto... Fs>
struct Kernels {};

namespace detail {

/// Tells lists apart, by the names of their kernels (a hash of FNV-1a).
template <auto... Fs>
__host__ __device__ constexpr std::uint32_t number_of_list(Kernels<Fs...>) {
  std::uint32_t hash = 2166136261u;
  for (const char* c = __PRETTY_FUNCTION__; *c != 0; ++c) {
    hash = (hash ^ static_cast<unsigned char>(*c)) * 16777619u;
  }
  return hash;
}

}  // namespace detail

}  // namespace raddle::tasks
