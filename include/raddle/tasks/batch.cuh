// Tasks that are all known before the first runs: one kernel takes them from a queue, with no MasterKernel. Their
// kernels are those of a Runtime, with all that tasks see of themselves but tasks::spawn().
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

#include "block.cuh"
#include "joined_copies.h"
#include "request.h"
#include "run_kernel.cuh"
#include "table.cuh"

namespace raddle::tasks {

namespace detail {

/// The queue, in device memory. `blocks`: the task of each block, in turn; null: each task has one. An entry's
/// `sequence` is the place of its first block in that.
struct Queue {
  const Entry* tasks;
  const std::uint32_t* blocks;
  std::uint32_t count;   // blocks of all tasks
  std::uint32_t* next;   // that nobody has taken
  std::uint32_t* codes;  // [task] of its failure
};

/// What the calling warp's functions look at, of a block of a task.
__device__ inline void begin_block(const Queue& queue, std::uint32_t task, std::uint32_t block,
                                   void* shared) {
  const unsigned me = warp();
  if (lane() == 0) {
    const Entry& entry = queue.tasks[task];
    Post post{me * kWarp, entry.threads, block, entry.blocks, kAlone, 0, 0, kNoShared};
    if (entry.sync != 0) post.barrier = 1;
    if (entry.shared != 0) post.shared = shared_address(shared);
    desk().posts[me] = post;
    desk().codes[me] = &queue.codes[task];
  }
  __syncwarp();
}

template <auto... Fs>
__global__ void __launch_bounds__(kMasterThreads) batch(Queue queue) {
  extern __shared__ uint4 raddle_tasks_pool[];
  __shared__ std::uint32_t taken;
  if (threadIdx.x == 0) desk().list = 0;  // tasks that spawn others trap
  while (true) {
    if (threadIdx.x == 0) taken = atomicAdd(queue.next, 1u);
    __syncthreads();
    const std::uint32_t mine = taken;
    if (mine >= queue.count) return;
    const std::uint32_t task = queue.blocks == nullptr ? mine : queue.blocks[mine];
    const Entry& entry = queue.tasks[task];
    begin_block(queue, task, mine - entry.sequence, raddle_tasks_pool);
    if (threadIdx.x < entry.threads) run_one_of<Fs...>(entry.kernel, entry.arguments);
    __syncthreads();
  }
}

/// Memory on both sides that grows. Pinned and of the present device.
class GrowingMemory {
 public:
  GrowingMemory() = default;
  GrowingMemory(const GrowingMemory&) = delete;
  GrowingMemory& operator=(const GrowingMemory&) = delete;
  ~GrowingMemory() { free(); }

  /// What was in it is lost when it grows; nothing may be under way then.
  cudaError_t hold(std::size_t bytes) {
    if (bytes <= bytes_) return cudaSuccess;
    free();
    const std::size_t more = bytes + bytes / 2;
    cudaError_t status = cudaMallocHost(&host, more);
    if (status == cudaSuccess) status = cudaMalloc(&device, more);
    if (status != cudaSuccess) free();
    bytes_ = status == cudaSuccess ? more : 0;
    return status;
  }

  void *host = nullptr, *device = nullptr;

 private:
  void free() {
    if (host != nullptr) cudaFreeHost(host);
    if (device != nullptr) cudaFree(device);
    host = device = nullptr;
    bytes_ = 0;
  }
  std::size_t bytes_ = 0;
};

}  // namespace detail

/// A batch of tasks, for one host thread. Inputs and results (Moves) are copied by the GPU's copy engines before
/// and after all tasks: those that lie side by side on both sides by one copy, the others by one call from CUDA
/// 12.8 on. Every block of the kernel is as large as the largest of a task, in threads and shared memory: put
/// tasks that differ much into batches of their own.
///
///   raddle::tasks::Batch<smooth, decode> batch;
///   batch.add<smooth>({128}, raddle::tasks::Moves().in(a, host_a, n).out(host_b, b, n), a, b, n);
///   batch.run();
template <auto... Fs>
class Batch {
  static_assert(sizeof...(Fs) != 0, "name the kernels of the tasks");

 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    if (own_ == nullptr) return;
    cudaStreamSynchronize(own_);
    cudaStreamDestroy(own_);
  }

  /// Adds a task, as Runtime::spawn() does; cudaErrorInvalidConfiguration when `how` is out of bounds.
  template <auto F, class... A>
  cudaError_t add(const Launch& how, const A&... arguments) {
    return add_one<F>(how, Moves(), arguments...);
  }
  template <auto F, class... A>
  cudaError_t add(const Launch& how, const Moves& moves, const A&... arguments) {
    return add_one<F>(how, moves, arguments...);
  }
  std::size_t size() const { return tasks_.size(); }

  /// Copies inputs, runs all tasks and copies results, in this stream, which is not the legacy default one; null:
  /// in one of the batch's own. Returns at once. The batch must not change before wait().
  cudaError_t launch(cudaStream_t stream = nullptr) {
    if (tasks_.empty()) return cudaSuccess;
    cudaError_t status = prepare(stream);
    if (status == cudaSuccess) status = copy_all(ins_, cudaMemcpyHostToDevice);
    if (status == cudaSuccess) status = start();
    if (status == cudaSuccess) status = copy_all(outs_, cudaMemcpyDeviceToHost);
    return status;
  }
  /// Until what launch() has asked for is there.
  cudaError_t wait() { return stream_ == nullptr ? cudaSuccess : cudaStreamSynchronize(stream_); }
  cudaError_t run(cudaStream_t stream = nullptr) {
    const cudaError_t status = launch(stream);
    return status == cudaSuccess ? wait() : status;
  }
  /// What tasks::fail() was given by the `task`-th that was added, since the latest launch(); 0: nothing. After
  /// wait(). Copies the codes of all at the first call.
  unsigned code_of(std::size_t task) {
    if (codes_.empty() && stream_ != nullptr) {
      codes_.resize(tasks_.size());
      cudaMemcpyAsync(codes_.data(), at_codes(memory_.device), codes_.size() * sizeof(codes_[0]),
                      cudaMemcpyDeviceToHost, stream_);
      cudaStreamSynchronize(stream_);
    }
    return task < codes_.size() ? codes_[task] : 0;
  }
  /// Forgets all tasks; memory is kept for those that are added next.
  void clear() {
    tasks_.clear();
    ins_.clear();
    outs_.clear();
    codes_.clear();
    blocks_ = threads_ = shared_ = 0;
    stream_ = nullptr;
  }

 private:
  template <auto F, class... A>
  cudaError_t add_one(const Launch& how, const Moves& moves, const A&... arguments) {
    using Kind = detail::Signature<decltype(F)>;
    static_assert(sizeof...(A) == Kind::kCount, "as many arguments as the kernel takes");
    typename Kind::Pack pack;
    detail::fill(pack, arguments...);
    const std::uint32_t blocks = blocks_ + how.blocks;
    if (!detail::is_valid(how) || moves.too_many() || blocks < blocks_) {
      return cudaErrorInvalidConfiguration;
    }
    tasks_.emplace_back();
    detail::Request{detail::index_of<F, Fs...>(), how, nullptr, &pack, Kind::kBytes}.fill(
        tasks_.back());
    tasks_.back().sequence = blocks_;
    blocks_ = blocks;
    threads_ = how.threads > threads_ ? how.threads : threads_;
    shared_ = how.shared > shared_ ? how.shared : shared_;
    for (unsigned i = 0; i < moves.size(); ++i)
      (i < moves.ins() ? ins_ : outs_).push_back(moves[i]);
    return cudaSuccess;
  }

  bool single_blocks() const { return blocks_ == tasks_.size(); }
  // One behind the other: entries, the first block that nobody has taken, codes, the task of each block.
  std::size_t entry_bytes() const { return tasks_.size() * sizeof(detail::Entry); }
  std::uint32_t* at_next(void* memory) const {
    return reinterpret_cast<std::uint32_t*>(static_cast<char*>(memory) + entry_bytes());
  }
  std::uint32_t* at_codes(void* memory) const { return at_next(memory) + 1; }
  std::uint32_t* at_blocks(void* memory) const { return at_codes(memory) + tasks_.size(); }

  cudaError_t prepare(cudaStream_t stream) {
    codes_.clear();
    stream_ = stream;
    if (stream == nullptr && own_ == nullptr) {
      const cudaError_t made = cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking);
      if (made != cudaSuccess) return made;
    }
    if (stream == nullptr) stream_ = own_;
    bytes_ = entry_bytes() + (1 + tasks_.size()) * sizeof(std::uint32_t);
    if (!single_blocks()) bytes_ += blocks_ * sizeof(std::uint32_t);
    if (const cudaError_t held = memory_.hold(bytes_); held != cudaSuccess) return held;
    std::memcpy(memory_.host, tasks_.data(), entry_bytes());
    std::memset(at_next(memory_.host), 0, (1 + tasks_.size()) * sizeof(std::uint32_t));
    for (std::uint32_t task = 0; task < tasks_.size() && !single_blocks(); ++task) {
      std::uint32_t* const first = at_blocks(memory_.host) + tasks_[task].sequence;
      for (std::uint32_t block = 0; block < tasks_[task].blocks; ++block) first[block] = task;
    }
    return cudaMemcpyAsync(memory_.device, memory_.host, bytes_, cudaMemcpyHostToDevice, stream_);
  }

  cudaError_t start() {
    int device = 0, multiprocessors = 0, resident = 0;
    const auto kernel = detail::batch<Fs...>;
    const unsigned threads = (threads_ + detail::kWarp - 1) / detail::kWarp * detail::kWarp;
    if (threads != asked_threads_ || shared_ != asked_shared_) {
      cudaGetDevice(&device);
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
      const cudaError_t asked = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &resident, kernel, static_cast<int>(threads), shared_);
      if (asked != cudaSuccess) return asked;
      most_ = static_cast<unsigned>(resident * multiprocessors);
      asked_threads_ = threads;
      asked_shared_ = shared_;
    }
    detail::Queue queue = {static_cast<const detail::Entry*>(memory_.device),
                           single_blocks() ? nullptr : at_blocks(memory_.device), blocks_,
                           at_next(memory_.device), at_codes(memory_.device)};
    void* arguments[] = {&queue};
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel),
                            dim3(blocks_ < most_ ? blocks_ : most_), dim3(threads), arguments,
                            shared_, stream_);
  }

  cudaError_t copy_all(const std::vector<Transfer>& all, cudaMemcpyKind kind) {
    for (const Transfer& one : all) copies_.add(one);
    return copies_.issue(kind, stream_);
  }

  std::vector<detail::Entry> tasks_;
  std::vector<Transfer> ins_, outs_;
  std::vector<std::uint32_t> codes_;
  std::uint32_t blocks_ = 0, threads_ = 0, shared_ = 0;  // of all; the most of a task
  unsigned asked_threads_ = 0, asked_shared_ = ~0u,
           most_ = 0;  // blocks that a GPU holds of so many
  detail::GrowingMemory memory_;
  std::size_t bytes_ = 0;
  detail::JoinedCopies copies_;
  cudaStream_t own_ = nullptr, stream_ = nullptr;
};

}  // namespace raddle::tasks
