// What a task sees of itself: its threads, blocks, shared memory, barrier; and how it fails or
// spawns others.
#pragma once

#include <cstdint>

#include "buddy.cuh"
#include "table.cuh"

namespace raddle::tasks {
namespace detail {

/// A task that a MasterKernel block runs: what its executors need of the entry, in shared memory.
/// Where its blocks share no memory and meet at no barrier, executors take its warps one by one;
/// otherwise teams of executors take its blocks.
struct Active {
  const unsigned char* arguments;
  std::uint32_t entry;
  std::uint32_t kernel, threads, blocks;
  std::uint32_t next;     // warp, of all blocks, or block that nobody has taken
  std::uint32_t holders;  // executors or teams at work, and the scheduler while it gives it out
  std::uint32_t spawned;  // whether it has spawned tasks
  std::uint32_t code;     // of its failure
  // Of what its warps move (moves.cuh): transfers; chunks of inputs that warps have taken, and that have come;
  // warps that have run; chunks of results that warps have taken.
  std::uint16_t ins, outs;
  std::uint32_t bringing, brought, worked, taking;
};

/// Executors that run blocks of a task together, with what the blocks share.
struct Team {
  std::uint32_t active;             // index
  std::uint32_t block;              // within the task
  std::uint32_t warps_left;         // that have not ended
  std::uint32_t come;               // warps, to the ends of blocks
  std::uint16_t first_leaf, order;  // shared memory, if it has any
  std::uint8_t has_shared, sync;    // sync: the task may use the barrier
  std::uint8_t barrier;             // 0: none
};

/// What a warp that runs a block knows of it: each word is one load for the task's kernel.
struct alignas(16) Post {
  std::uint32_t first_thread;  // of the warp, in the block
  std::uint32_t threads, block, blocks;
  std::uint32_t team, active;  // indices; kAlone: in no team
  std::uint32_t barrier;
  std::uint32_t shared;  // the block's memory: its address in the shared window, or kNoShared
};
inline constexpr std::uint32_t kAlone = ~0u, kNoShared = ~0u;

inline constexpr unsigned kActives = 2 * kRows;  // one for each row, then those of subtasks
inline constexpr unsigned kTeams = 32;           // bits of a word
// Named barriers: 0 is __syncthreads(), at 1 and 2 idle executors wait, the others are handed out.
inline constexpr unsigned kYard = 1, kFirstBarrier = 3, kBarriers = 16;

/// What a task's functions look at, in the MasterKernel as in a Batch.
struct Desk {
  Post posts[kExecutors + 1];            // by warp, while it runs a block
  std::uint32_t* codes[kExecutors + 1];  // by warp: where its task's failure is told
  std::uint32_t list;  // of the runtime's kernels, which kernels that spawn must name
};

/// A MasterKernel block's own state. `exec` and `warp_in_block` are the WarpTable (Table 2).
struct State {
  alignas(512) unsigned char pool[kSharedBytes];
  Active active[kActives];
  Team teams[kTeams];
  std::uint32_t exec[kExecutors + 1];           // by warp: its order, see kFirstActive; 0: none
  std::uint32_t warp_in_block[kExecutors + 1];  // of a team
  long long began[kExecutors + 1];              // by warp: the clock when its task began
  unsigned long long busy;                      // clock cycles of all warps with tasks
  std::uint32_t yard;   // bit w - 1: executor w waits; bit 31: at which of the two barriers
  std::uint32_t ended;  // bit t: teams[t] has ended, and what it held can be freed
  std::uint32_t ended_subtasks;  // bit s: active[kRows + s] has ended
  Table table;
};
// Orders: 1 + team, kFirstActive + active: warps of that task, or kLeave.
inline constexpr std::uint32_t kFirstActive = kTeams + 1;
inline constexpr std::uint32_t kLeave = 0xff;

__device__ inline State& state() {
  __shared__ State one;
  return one;
}
__device__ inline Desk& desk() {
  __shared__ Desk one;
  return one;
}
/// Of the calling thread in the MasterKernel block, looked up at each use: an index that is known to
/// be the same all along, and what follows from it, would occupy registers while tasks run.
__device__ inline unsigned master_thread() {
  unsigned index = 0;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(index));
  return index;
}
__device__ inline unsigned warp() { return master_thread() / kWarp; }
__device__ inline unsigned lane() { return master_thread() % kWarp; }
__device__ inline const Post& my_post() { return desk().posts[warp()]; }
__device__ inline Active& my_task() { return state().active[my_post().active]; }

/// In the shared window, 32 bits wide.
__device__ inline std::uint32_t shared_address(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

template <class T>
__device__ T fresh(const T& value) {  // past the L1 cache, which need not see what others write
  return *static_cast<const volatile T*>(&value);
}
/// Sixteen bytes, likewise.
__device__ inline uint4 fresh_quad(const void* at) {
  uint4 quad;
  asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "l"(at)
               : "memory");
  return quad;
}
template <class T>
__device__ void put(T& value, T to) {
  *static_cast<volatile T*>(&value) = to;
}

/// The first `threads` of a warp.
__host__ __device__ constexpr unsigned lanes_of(unsigned threads) {
  return threads >= kWarp ? ~0u : (1u << threads) - 1;
}

/// A nap where the hardware has one: polling then leaves issue slots to tasks.
__device__ inline void nap([[maybe_unused]] Idle idle, [[maybe_unused]] unsigned nanoseconds) {
#if __CUDA_ARCH__ >= 700
  if (idle == Idle::sleep) __nanosleep(nanoseconds);
#endif
}

}  // namespace detail

/// Index of the calling thread in its block.
__device__ inline unsigned thread() { return detail::my_post().first_thread + detail::lane(); }
/// Threads of a block of the calling task.
__device__ inline unsigned block_size() { return detail::my_post().threads; }
/// Index of the calling thread's block in its task, and the number of these blocks.
__device__ inline unsigned block() { return detail::my_post().block; }
__device__ inline unsigned blocks() { return detail::my_post().blocks; }
/// Index of the calling thread in its task.
__device__ inline unsigned task_thread() { return block() * block_size() + thread(); }

/// The lanes of the calling thread's warp that are threads of its block: the mask for __shfl_sync() and
/// the like. Others of the warp are elsewhere, where a kernel's would not exist: a mask that names
/// them (~0u in a block of 100 threads) is an error: a GPU may wait for ever, or trap.
__device__ inline unsigned lanes() {
  const detail::Post& post = detail::my_post();
  return detail::lanes_of(post.threads - post.first_thread);
}
/// Threads of the calling warp meet: __syncwarp() for blocks of any size.
__device__ inline void sync_warp() { __syncwarp(lanes()); }

/// The block's shared memory, Launch::shared bytes; aligned to 512 bytes. Traps if these are none.
template <class T = char>
__device__ T* shared() {
  const std::uint32_t begin = detail::my_post().shared;
  if (begin == detail::kNoShared) __trap();
  return static_cast<T*>(__cvta_shared_to_generic(begin));
}

/// All threads of the block meet, and see what the others have written. The task must have been
/// launched with `sync`.
__device__ inline void sync_block() {
  const detail::Post& post = detail::my_post();
  const unsigned threads = post.threads, barrier = post.barrier;
  if (threads <= detail::kWarp) {
    __syncwarp(detail::lanes_of(threads));
  } else if (barrier == 0) {
    __trap();
  } else {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
  }
}

/// The calling task has failed: the host gets `code`, 1 to 255, from Runtime::code_of(). The
/// largest code of all threads counts, and of the tasks that the task has spawned.
__device__ inline void fail(unsigned code) {
  atomicMax(detail::desk().codes[detail::warp()], code < 255 ? code : 255u);
}

namespace detail {

/// A free entry for each thread's task; kNobody when there is none. Threads of a warp that come here
/// together take entries in a row, by one operation on the queue's tail.
__device__ inline std::uint32_t claim_subtask(const Table& table, std::uint32_t* ticket) {
  const Subtasks& queue = table.subtasks;
  const unsigned me = lane();
  while (queue.capacity != 0) {
    const unsigned group = __activemask(), first = __ffs(static_cast<int>(group)) - 1;
    std::uint32_t tail = me == first ? fresh(*queue.tail) : 0;
    tail = __shfl_sync(group, tail, first);
    const std::uint32_t mine = tail + __popc(group & ((1u << me) - 1));
    const std::uint32_t at = mine & (queue.capacity - 1);
    const std::uint32_t sequence = fresh(table.spawned[at].sequence);
    const bool full = __shfl_sync(group, static_cast<std::int32_t>(sequence - mine) < 0, first);
    if (full) return kNobody;  // the task of a round ago has not ended
    // Lanes before the first whose entry is not free.
    const unsigned busy = __ballot_sync(group, sequence != mine);
    const unsigned takers = busy == 0 ? group : group & ((busy & (0 - busy)) - 1);
    std::uint32_t found = tail;
    if (me == first && takers != 0) found = atomicCAS(queue.tail, tail, tail + __popc(takers));
    found = __shfl_sync(group, found, first);
    if (found == tail && (takers >> me & 1) != 0) {
      __threadfence();  // what the entry's last task has read of it was before it was free
      *ticket = mine;
      return table.first_spawned() + at;
    }
  }
  return kNobody;
}

template <class List, auto F>
struct IndexIn;
template <auto... Fs, auto F>
struct IndexIn<Kernels<Fs...>, F> {
  static constexpr unsigned kIndex = index_of<F, Fs...>();
};

}  // namespace detail

/// Spawns a task from a task, one for each thread that calls it. `List` are the runtime's Kernels, in
/// its order; traps if they are not.
/// The calling task ends, for the host, when the spawned ones have ended. False when the queue of
/// such tasks (Options::subtasks) is full or `how` is wrong: then the caller does the work itself, or
/// fails.
template <class List, auto F, class... A>
__device__ bool spawn(const Launch& how, const A&... arguments) {
  using detail::Entry;
  using Kind = detail::Signature<decltype(F)>;
  static_assert(sizeof...(A) == Kind::kCount, "as many arguments as the kernel takes");
  if (!detail::is_valid(how)) return false;
  constexpr std::uint32_t kList = detail::number_of_list(List{});
  if (detail::desk().list != kList) __trap();  // its numbers would mean other kernels
  const detail::Table& table = detail::state().table;
  std::uint32_t ticket = 0;
  const std::uint32_t index = detail::claim_subtask(table, &ticket);
  if (index == detail::kNobody) return false;
  Entry& entry = table.entry(index);
  entry.kernel = detail::IndexIn<List, F>::kIndex;
  entry.sync = how.sync;
  entry.threads = how.threads;
  entry.blocks = how.blocks;
  entry.shared = how.shared;
  detail::Active& mine = detail::my_task();
  table.families[index] = {mine.entry, 0, 0};
  if constexpr (Kind::kBytes != 0) {
    typename Kind::Pack pack;
    detail::fill(pack, arguments...);
    std::memcpy(entry.arguments, &pack, sizeof pack);
  }
  detail::put(mine.spawned, 1u);
  atomicAdd(&table.families[mine.entry].children, 1u);
  __threadfence();
  detail::put(entry.sequence, ticket + 1);
  return true;
}

// The paper's names (Table 1).
__device__ inline unsigned getTid() { return task_thread(); }
__device__ inline void syncBlock() { sync_block(); }
__device__ inline char* getSMPtr() { return shared<char>(); }

}  // namespace raddle::tasks
