// Tasks as GeMTC runs them (S. Krieder et al., "Design and Evaluation of the GeMTC Framework for GPU-enabled
// Many-Task Computing", HPDC 2014, sections 3 and 4): a SuperKernel stays on the GPU and takes tasks from one
// queue in device memory; the host pushes a task and polls for a result one at a time, with copies that it waits
// for, under a lock. A task is one block.
#pragma once

#include <cstdint>
#include <mutex>

#include "compare_tools.cuh"
#include "work.cuh"

namespace raddle::tasks::detail {

/// In device memory. Numbers of tasks grow without end; their places are taken in turn.
template <class... Works>
struct GemtcQueue {
  const Packed<Works...>* tasks;  // [number % capacity]
  std::uint32_t* results;  // [number % capacity]: tasks in the order in which they have ended
  std::uint32_t capacity;
  // Tasks that blocks have taken, that the host has pushed; results that have a place, that are there; 1: end.
  std::uint32_t *head, *tail, *placed, *rear, *stop;
};

inline constexpr std::uint32_t kNoTask = ~0u;

/// By one thread of a block: the next task, when there is one; kNoTask when none will come.
template <class... Works>
__device__ std::uint32_t gemtc_take(const GemtcQueue<Works...>& queue) {
  const std::uint32_t mine = atomicAdd(queue.head, 1u);
  while (static_cast<std::int32_t>(fresh(*queue.tail) - mine) <= 0) {
    if (fresh(*queue.stop) != 0) return kNoTask;
    nap(Idle::sleep, 2000);
  }
  __threadfence();
  return mine;
}
template <class... Works>
__device__ void gemtc_tell(const GemtcQueue<Works...>& queue, std::uint32_t task) {
  const std::uint32_t place = atomicAdd(queue.placed, 1u);
  put(queue.results[place % queue.capacity], task);
  __threadfence();
  while (fresh(*queue.rear) != place) nap(Idle::sleep, 200);
  put(*queue.rear, place + 1);
}

template <class... Works>
__global__ void gemtc(GemtcQueue<Works...> queue) {
  __shared__ std::uint32_t taken;
  while (true) {
    if (threadIdx.x == 0) taken = gemtc_take(queue);
    __syncthreads();
    const std::uint32_t task = taken;
    if (task == kNoTask) return;
    run_shared(queue.tasks[task % queue.capacity], 0);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) gemtc_tell(queue, task);
  }
}

/// The host's side. Throws std::runtime_error when CUDA fails.
template <class... Works>
class Gemtc {
 public:
  Gemtc(std::uint32_t capacity, unsigned blocks, unsigned threads, unsigned shared)
      : tasks_(capacity), results_(capacity), words_(kWords), kernel_(1), copies_(1) {
    for (unsigned i = 0; i < kWords; ++i) words_.host[i] = 0;
    words_.send(kWords, copies_[0]);
    copies_.wait();
    queue_ = {tasks_.device, results_.device, capacity,    word(kHead),
              word(kTail),   word(kPlaced),   word(kRear), word(kEnd)};
    gemtc<Works...><<<blocks, threads, shared, kernel_[0]>>>(queue_);
    must(cudaGetLastError());
  }
  /// The SuperKernel ends, when all tasks have.
  ~Gemtc() {
    words_.host[kEnd] = 1;
    cudaMemcpyAsync(queue_.stop, &words_.host[kEnd], sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                    copies_[0]);
    cudaStreamSynchronize(copies_[0]);
    cudaStreamSynchronize(kernel_[0]);
  }
  Gemtc(const Gemtc&) = delete;
  Gemtc& operator=(const Gemtc&) = delete;

  /// gemtcMemcpyHostToDevice() and back.
  void copy(const Transfer& what, cudaMemcpyKind kind) {
    const std::lock_guard<std::mutex> lock(mutex_);
    copy_now(what.to, what.from, what.bytes, kind);
  }
  /// gemtcPush(). There must be room.
  void push(const Packed<Works...>& task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint32_t place = words_.host[kTail]++ % queue_.capacity;
    tasks_.host[place] = task;
    copy_now(tasks_.device + place, tasks_.host + place, sizeof task, cudaMemcpyHostToDevice);
    copy_now(queue_.tail, &words_.host[kTail], sizeof(std::uint32_t), cudaMemcpyHostToDevice);
  }
  /// gemtcPoll(): the number of a task that has ended, each once; kNoTask: none yet.
  std::uint32_t poll() {
    const std::lock_guard<std::mutex> lock(mutex_);
    copy_now(&words_.host[kRear], queue_.rear, sizeof(std::uint32_t), cudaMemcpyDeviceToHost);
    if (words_.host[kRear] == polled_) return kNoTask;
    const std::uint32_t place = polled_++ % queue_.capacity;
    copy_now(results_.host + place, results_.device + place, sizeof(std::uint32_t),
             cudaMemcpyDeviceToHost);
    return results_.host[place];
  }

 private:
  enum : unsigned { kHead, kTail, kPlaced, kRear, kEnd, kWords };

  std::uint32_t* word(unsigned which) const { return words_.device + which; }
  void copy_now(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return;
    must(cudaMemcpyAsync(to, from, bytes, kind, copies_[0]));
    must(cudaStreamSynchronize(copies_[0]));
  }

  PinnedAndDevice<Packed<Works...>> tasks_;
  PinnedAndDevice<std::uint32_t> results_, words_;
  Streams kernel_, copies_;
  GemtcQueue<Works...> queue_ = {};
  std::uint32_t polled_ = 0;
  std::mutex mutex_;
};

}  // namespace raddle::tasks::detail
