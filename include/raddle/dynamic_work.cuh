// Work that launches work, written once for three kinds of GPU: with device launches (CUDA Dynamic
// Parallelism), with aggregated groups (dtbl), and with neither. A piece of work is a struct of
// parameters. A thread block executes it:
//
//   struct Expand {
//     const int* neighbours;
//     int count;
//     template <class At>
//     __device__ void operator()(const At& at) const {
//       const unsigned i = at.block.x * at.threads.x + at.thread.x;   // as blockIdx, blockDim ...
//       ...
//     }
//   };
//   struct Visit {
//     template <class At>
//     __device__ void operator()(const At& at) const {
//       if (count > threshold) at.launch((count + 127) / 128, 128, Expand{first, count});
//     }
//   };
//
//   raddle::dynamic::Launcher<Visit, Expand> launcher(how, 128);
//   launcher.run(blocks, 128, Visit{...});      // and all that it launches; asynchronous
//
// If the build has a device runtime (`raddle cc`, nvcc -rdc=true), at.launch() is a launch of
// dynamic.cuh. If it has none, or with -DRADDLE_DYNAMIC_PERSISTENT, as many blocks as fit stay on
// the GPU and take blocks of work from a queue in global memory until it is empty (persistent
// threads, Gupta et al. 2012).
#pragma once

#include <raddle/dynamic.cuh>

#include <cstring>
#include <type_traits>

#if !defined(RADDLE_DYNAMIC_LAUNCH) && !defined(RADDLE_DYNAMIC_PERSISTENT)
#define RADDLE_DYNAMIC_PERSISTENT 1
#endif

namespace raddle::dynamic {

#if !defined(RADDLE_DYNAMIC_PERSISTENT)

namespace detail {

template <class Work>
__global__ void run_work(Launch how, Work work);
// A member, because clang refuses a kernel's address within device code.
template <class Work>
struct KernelOf {
  static constexpr void (*kRun)(Launch, Work) = &run_work<Work>;
};

/// Where a thread is, and what it can do there.
struct KernelBlock {
  Launch how;
  uint3 block = blockIdx, thread = threadIdx;
  dim3 blocks = gridDim, threads = blockDim;

  /// Launches blocks of work, independent of other work. Returns
  /// cudaErrorLaunchPendingCountExceeded when too many launches are pending.
  template <class Work>
  __device__ cudaError_t launch(dim3 grid, dim3 size, const Work& work) const {
    return dynamic::launch(how, KernelOf<Work>::kRun, grid, size, 0, how, work);
  }
  /// A barrier for all threads of the block.
  __device__ void sync() const { __syncthreads(); }
};

template <class Work>
__global__ void run_work(Launch how, Work work) {
  work(KernelBlock{how});
}

}  // namespace detail

/// Runs pieces of work. They may launch others; all types must be among `Works`.
template <class... Works>
class Launcher {
 public:
  /// `max_threads`: the largest block, in threads; `capacity`: the most launches of one run. Only
  /// builds without a device runtime use them.
  explicit Launcher(Launch how, unsigned /*max_threads*/ = 256, unsigned /*capacity*/ = 1 << 16)
      : how_(how) {}

  template <class Work>
  cudaError_t run(dim3 grid, dim3 block, const Work& work, cudaStream_t stream = nullptr) {
    static_assert((std::is_same_v<Work, Works> || ...), "name it among the Launcher's Works");
    detail::run_work<Work><<<grid, block, 0, stream>>>(how_, work);
    return cudaGetLastError();
  }

 private:
  Launch how_;
};

#else

namespace detail {

/// An entry of the queue; the work's parameters follow it.
struct alignas(64) Item {
  unsigned run;  // written last: the run that the entry belongs to
  unsigned next_block, blocks;
  unsigned tag;  // index of its type among the Works
  uint3 grid, size;
};

struct Counters {
  unsigned pushed;   // entries claimed; more than the capacity after an overflow
  unsigned front;    // the first entry that may have blocks to take
  unsigned pending;  // blocks of work that have not ended
};

inline constexpr unsigned kNothing = ~0u;

template <class Work, class First, class... Rest>
__host__ __device__ constexpr unsigned tag_of() {
  if constexpr (std::is_same_v<Work, First>) {
    return 0;
  } else {
    static_assert(sizeof...(Rest) != 0, "name it among the Launcher's Works");
    return 1 + tag_of<Work, Rest...>();
  }
}

/// Reads a value that other blocks write. Bypasses the L1 cache, which may hold an old value.
__device__ inline unsigned fresh(const unsigned& value) {
  return *static_cast<const volatile unsigned*>(&value);
}

template <class... Works>
struct Queue {
  static constexpr size_t max_bytes() {
    size_t most = 0;
    ((most = sizeof(Works) > most ? sizeof(Works) : most), ...);
    return aligned(most, alignof(Item));
  }
  static constexpr size_t kStride = sizeof(Item) + max_bytes();

  Counters* counters;
  char* items;
  unsigned capacity, run, max_threads;

  __host__ __device__ Item& item(unsigned index) const {
    return *reinterpret_cast<Item*>(items + index * kStride);
  }

  template <class Work>
  __device__ cudaError_t push(dim3 grid, dim3 size, const Work& work) const {
    static_assert(std::is_trivially_copyable_v<Work>, "parameters are copied as bytes");
    const unsigned blocks = grid.x * grid.y * grid.z;
    const unsigned threads = size.x * size.y * size.z;
    if (blocks == 0 || threads == 0 || threads > max_threads) return cudaErrorInvalidConfiguration;
    const unsigned index = atomicAdd(&counters->pushed, 1u);
    if (index >= capacity) return cudaErrorLaunchPendingCountExceeded;
    Item& made = item(index);
    made.next_block = 0;
    made.blocks = blocks;
    made.tag = tag_of<Work, Works...>();
    made.grid = {grid.x, grid.y, grid.z};
    made.size = {size.x, size.y, size.z};
    std::memcpy(&made + 1, &work, sizeof work);
    atomicAdd(&counters->pending, blocks);
    __threadfence();
    atomicExch(&made.run, run);
    return cudaSuccess;
  }

  /// Takes one block of the first entry that has one. Returns the entry and the block's index in
  /// it, or kNothing when all work has ended.
  __device__ uint2 take() const {
    for (unsigned nap = 100;; nap = nap < 2000 ? 2 * nap : nap) {
      const unsigned front = fresh(counters->front);
      if (front < capacity && fresh(item(front).run) == run) {
        __threadfence();
        Item& first = item(front);
        const unsigned blocks = fresh(first.blocks);
        if (fresh(first.next_block) < blocks) {
          const unsigned block = atomicAdd(&first.next_block, 1u);
          if (block + 1 >= blocks) atomicMax(&counters->front, front + 1);
          if (block < blocks) return {front, block};
        }
      } else if (fresh(counters->pending) == 0) {
        return {kNothing, 0};
      }
#if __CUDA_ARCH__ >= 700
      __nanosleep(nap);  // thousands of blocks may look for work
#endif
    }
  }

  __device__ void ended() const {
    __threadfence();
    atomicSub(&counters->pending, 1u);
  }
};

/// Where a thread is, and what it can do there; the same interface as KernelBlock.
template <class... Works>
struct LoopBlock {
  Queue<Works...> queue;
  uint3 block, thread;
  dim3 blocks, threads;

  template <class Work>
  __device__ cudaError_t launch(dim3 grid, dim3 size, const Work& work) const {
    return queue.push(grid, size, work);
  }
  /// Threads with an index beyond the block's size do not reach the barrier. The block's own
  /// threads must be whole warps.
  __device__ void sync() const {
    const unsigned here = threads.x * threads.y * threads.z;
    if (here % 32 != 0) __trap();
    asm volatile("bar.sync 1, %0;" ::"r"(here) : "memory");
  }
};

__device__ inline uint3 index_in(const uint3& size, unsigned at) {
  return {at % size.x, at / size.x % size.y, at / size.x / size.y};
}

template <class Work, class... Works>
__device__ void run_as(const LoopBlock<Works...>& at, const Item& item) {
  constexpr size_t kWords = (sizeof(Work) + 3) / 4;
  unsigned words[kWords];
  const auto* from = reinterpret_cast<const unsigned*>(&item + 1);
  for (size_t i = 0; i < kWords; ++i) words[i] = fresh(from[i]);
  alignas(Work) char bytes[sizeof(Work)];
  std::memcpy(bytes, words, sizeof bytes);
  (*reinterpret_cast<const Work*>(bytes))(at);
}

template <class... Works>
__device__ void run_block(const Queue<Works...>& queue, unsigned index, unsigned block) {
  const Item& item = queue.item(index);
  const uint3 grid = {fresh(item.grid.x), fresh(item.grid.y), fresh(item.grid.z)};
  const uint3 size = {fresh(item.size.x), fresh(item.size.y), fresh(item.size.z)};
  if (threadIdx.x >= size.x * size.y * size.z) return;
  const LoopBlock<Works...> at{queue, index_in(grid, block), index_in(size, threadIdx.x),
                               dim3(grid.x, grid.y, grid.z), dim3(size.x, size.y, size.z)};
  const unsigned tag = fresh(item.tag);
  ((tag == tag_of<Works, Works...>() ? run_as<Works>(at, item) : void()), ...);
}

template <class... Works>
__global__ void run_queue(Queue<Works...> queue) {
  __shared__ uint2 taken;
  for (;;) {
    if (threadIdx.x == 0) taken = queue.take();
    __syncthreads();
    const uint2 mine = taken;
    if (mine.x == kNothing) return;
    run_block(queue, mine.x, mine.y);
    __syncthreads();
    if (threadIdx.x == 0) queue.ended();
  }
}

}  // namespace detail

/// Runs pieces of work. They may launch others; all types must be among `Works`. All runs use one
/// queue: call run() again only in the same stream, or after the run before has ended.
template <class... Works>
class Launcher {
 public:
  /// `max_threads`: the largest block, in threads; `capacity`: the most launches of one run. After
  /// that many, launch() returns cudaErrorLaunchPendingCountExceeded.
  explicit Launcher(Launch /*how*/, unsigned max_threads = 256, unsigned capacity = 1 << 16) {
    queue_.capacity = capacity;
    queue_.max_threads = max_threads;
    queue_.run = 0;
    const size_t bytes = capacity * Queue::kStride;
    error_ = cudaMalloc(reinterpret_cast<void**>(&queue_.counters), sizeof(detail::Counters));
    if (error_ == cudaSuccess) error_ = cudaMalloc(reinterpret_cast<void**>(&queue_.items), bytes);
    if (error_ == cudaSuccess) error_ = cudaMemset(queue_.items, 0, bytes);
  }
  ~Launcher() {
    cudaFree(queue_.counters);
    cudaFree(queue_.items);
  }
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  template <class Work>
  cudaError_t run(dim3 grid, dim3 block, const Work& work, cudaStream_t stream = nullptr) {
    if (error_ != cudaSuccess) return error_;
    ++queue_.run;
    const unsigned blocks = grid.x * grid.y * grid.z;
    const unsigned threads = block.x * block.y * block.z;
    if (blocks == 0 || threads == 0 || threads > queue_.max_threads) {
      return cudaErrorInvalidConfiguration;
    }
    first_.counters = {1, 0, blocks};
    first_.item = {queue_.run,
                   0,
                   blocks,
                   detail::tag_of<Work, Works...>(),
                   {grid.x, grid.y, grid.z},
                   {block.x, block.y, block.z}};
    std::memcpy(first_.work, &work, sizeof work);
    int device = 0, multiprocessors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, detail::run_queue<Works...>, static_cast<int>(queue_.max_threads), 0);
    const auto copy = [&](void* to, const void* from, size_t bytes) {
      if (error == cudaSuccess) {
        error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
      }
    };
    copy(queue_.counters, &first_.counters, sizeof first_.counters);
    copy(queue_.items, &first_.item, sizeof first_.item + sizeof work);
    if (error != cudaSuccess) return error;
    detail::run_queue<Works...>
        <<<multiprocessors * resident, queue_.max_threads, 0, stream>>>(queue_);
    return cudaGetLastError();
  }

 private:
  using Queue = detail::Queue<Works...>;
  struct First {
    detail::Counters counters;
    detail::Item item;
    char work[Queue::max_bytes()];
  };
  Queue queue_ = {};
  First first_ = {};
  cudaError_t error_ = cudaSuccess;
};

#endif

}  // namespace raddle::dynamic
