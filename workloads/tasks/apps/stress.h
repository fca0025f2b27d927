// Stress: any number of tasks of random sizes, from several host threads and from tasks, on the
// runtime alone. None may be lost, run twice, see another's shared memory, meet at another's barrier,
// or be said to have ended before it has; and failures are those that were meant.
#pragma once

#include <atomic>
#include <raddle/tasks.cuh>
#include <raddle/tasks/compare_tools.cuh>
#include <stdexcept>
#include <thread>
#include <vector>

#include "common/generators.h"
#include "tasks/shape.h"

namespace raddle::workloads::narrow::stress {

/// What threads leave behind, by task: how many ran, and the sum of their numbers.
struct Trace {
  unsigned threads, sum;
};

inline constexpr unsigned kRefused = ~0u;  // for `threads`: there was no room for the task
enum Failure : unsigned { kMeant = 1, kForeignMemory = 2, kWrongSize = 3 };  // the largest counts

/// Drawn from the task's number alone.
struct Size {
  unsigned threads, blocks;
  unsigned stride;             // of shared memory, in words for each thread
  bool shared, spawns, fails;  // uses shared memory and the barrier; spawns another task; says so
};
inline __host__ __device__ Size size_of(unsigned task) {
  unsigned random = task * 2654435761u;
  random = (random ^ random >> 15) * 2246822519u;
  random ^= random >> 13;
  Size size;
  size.shared = random % 4 == 0;
  size.spawns = random % 16 == 1;
  size.fails = (random >> 4) % 128 == 0;
  size.stride = 1u << (random >> 28) % 4;
  // Most have a few warps and blocks; one in 64 has up to 31 warps, one in 64 as many blocks.
  const unsigned most = (random >> 8) % 64 == 0 ? 31 : 4;
  const unsigned warps = 1 + (random >> 14) % most;
  size.threads = size.shared ? 32 * warps : 32 * warps - (random >> 20) % 32;
  size.blocks = 1 + (random >> 26) % ((random >> 19) % 64 == 0 ? 31 : 3);
  return size;
}

__device__ inline void dawdle() {
  for (unsigned round = 0; round < 100; ++round) asm volatile("membar.cta;" ::: "memory");
}

__device__ inline void leave_trace(Trace* traces, unsigned task) {
  const Size size = size_of(task);
  if (tasks::block_size() != size.threads || tasks::blocks() != size.blocks)
    tasks::fail(kWrongSize);
  if (size.shared) {
    auto* const mine = tasks::shared<unsigned>();
    const unsigned i = tasks::thread(), n = tasks::block_size(), key = 3 * task + tasks::block();
    if (i / 32 == task % (n / 32)) dawdle();  // those who meet the wrong ones do not wait for it
    mine[i * size.stride] = key + i;
    tasks::sync_block();
    if (mine[(n - 1 - i) * size.stride] != key + n - 1 - i) tasks::fail(kForeignMemory);
  }
  if (size.fails && tasks::task_thread() == 0) tasks::fail(kMeant);
  atomicAdd(&traces[task].threads, 1u);
  atomicAdd(&traces[task].sum, tasks::task_thread());
}

__device__ void leaf(Trace* traces, unsigned task);
__device__ void root(Trace* traces, unsigned task, unsigned spawned);
using List = tasks::Kernels<leaf, root>;
using Runtime = tasks::Runtime<leaf, root>;

inline __host__ __device__ tasks::Launch launch_of(unsigned task) {
  const Size size = size_of(task);
  return {size.threads, size.blocks,
          size.shared ? size.threads * size.stride * static_cast<unsigned>(sizeof(unsigned)) : 0,
          size.shared};
}

__device__ inline void leaf(Trace* traces, unsigned task) { leave_trace(traces, task); }

/// Spawns task `spawned` as well, if the queue of such tasks has room.
__device__ inline void root(Trace* traces, unsigned task, unsigned spawned) {
  if (tasks::task_thread() == 0) {
    const bool taken = tasks::spawn<List, leaf>(launch_of(spawned), traces, spawned);
    if (!taken) traces[spawned].threads = kRefused;
  }
  leave_trace(traces, task);
}

struct Setting {
  unsigned count = 512, spawners = 1;
  tasks::Options runtime;
};

class Stress {
 public:
  explicit Stress(const Setting& setting)
      : setting_(setting),
        traces_(2 * setting.count),
        seen_(setting.spawners),
        ids_(setting.count) {
    std::fill(traces_.host, traces_.host + 2 * setting.count, Trace{0, 0});
    traces_.send(2 * setting.count, nullptr);
    tasks::detail::must(cudaDeviceSynchronize());
  }

  tasks::Counts run() {
    Runtime runtime(setting_.runtime);
    tasks::detail::must(runtime.error());
    std::vector<std::thread> spawners;
    for (unsigned s = 0; s < setting_.spawners; ++s) {
      spawners.emplace_back([this, s, &runtime] { spawn(runtime, s); });
    }
    for (std::thread& one : spawners) one.join();
    tasks::detail::must(runtime.shut_down());
    for (tasks::Id id : ids_) wrong_ += !id;
    tasks::detail::must(cudaMemcpy(traces_.host, traces_.device, 2 * setting_.count * sizeof(Trace),
                                   cudaMemcpyDeviceToHost));
    check_failures(runtime);
    return runtime.counts();
  }

  bool check() const {
    unsigned long wrong = wrong_, ran = 0, refused = 0;
    for (unsigned task = 0; task < 2 * setting_.count; ++task) {
      const Trace found = traces_.host[task];
      const bool spawned = task < setting_.count || size_of(task - setting_.count).spawns;
      if (spawned && task >= setting_.count && found.threads == kRefused) {
        ++refused;
        continue;
      }
      ran += spawned ? 1 : 0;
      wrong += spawned ? !complete(task, found) : found.threads != 0;
    }
    std::printf(
        "tasks: %s (%lu tasks, of which tasks spawned %lu; %lu more found no room; %lu lost or "
        "wrong)\n",
        wrong == 0 ? "right" : "WRONG", ran, ran - setting_.count, refused, wrong);
    return wrong == 0;
  }

 private:
  static bool complete(unsigned task, const Trace& found) {
    const Size size = size_of(task);
    const unsigned threads = size.threads * size.blocks;
    return found.threads == threads && found.sum == threads * (threads - 1) / 2;
  }

  /// Codes of the tasks that were meant to fail, or have spawned one that was; of no others. (The
  /// runtime keeps those of the latest.)
  void check_failures(Runtime& runtime) {
    const unsigned kept = 1u << 16;
    unsigned long expected = 0;
    for (unsigned task = 0; task < setting_.count; ++task) {
      const unsigned child = task + setting_.count;
      const bool spawned = size_of(task).spawns && traces_.host[child].threads != kRefused;
      const bool fails = size_of(task).fails || (spawned && size_of(child).fails);
      expected += fails;
      if (setting_.count <= kept) wrong_ += runtime.code_of(ids_[task]) != (fails ? kMeant : 0u);
    }
    wrong_ += runtime.counts().failed != expected;
  }

  /// The host has been told that the task has ended: it has, with the one that it has spawned.
  bool has_run(unsigned task, Trace* pinned, cudaStream_t apart) const {
    bool all = true;
    for (const unsigned which : {task, task + setting_.count}) {
      if (which != task && !size_of(task).spawns) continue;
      tasks::detail::must(cudaMemcpyAsync(pinned, traces_.device + which, sizeof(Trace),
                                          cudaMemcpyDeviceToHost, apart));
      tasks::detail::must(cudaStreamSynchronize(apart));
      all &= complete(which, *pinned) || (which != task && pinned->threads == kRefused);
    }
    return all;
  }

  /// Of one host thread; now and then it waits for a task, or asks whether it has ended.
  void spawn(Runtime& runtime, unsigned spawner) {
    const tasks::detail::Streams apart(1);
    unsigned long early = 0, turn = 0;
    for (unsigned task = spawner; task < setting_.count; task += setting_.spawners, ++turn) {
      ids_[task] =
          size_of(task).spawns
              ? runtime.spawn<root>(launch_of(task), traces_.device, task, task + setting_.count)
              : runtime.spawn<leaf>(launch_of(task), traces_.device, task);
      if (!ids_[task]) break;
      if (turn % 64 == 32 && runtime.check(ids_[task]))
        early += !has_run(task, &seen_.host[spawner], apart[0]);
      if (turn % 512 != 0) continue;
      if (runtime.wait(ids_[task]) != cudaSuccess) break;
      early += !has_run(task, &seen_.host[spawner], apart[0]) || !runtime.check(ids_[task]);
    }
    wrong_ += early;
  }

  Setting setting_;
  Buffers<Trace> traces_;  // of tasks that the host spawns, then of those that tasks spawn
  Buffers<Trace> seen_;    // by spawner: a trace while tasks run
  std::vector<tasks::Id> ids_;
  std::atomic<unsigned long> wrong_ = 0;
};

}  // namespace raddle::workloads::narrow::stress
