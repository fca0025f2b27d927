// Stress: any number of tasks of random sizes, from several host threads and from tasks, on the
// runtime alone. None may be lost, run twice, or see another's shared memory.
#pragma once

#include <raddle/tasks.cuh>
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
enum Failure : unsigned { kForeignMemory = 1, kWrongSize = 2 };

/// Drawn from the task's number alone.
struct Size {
  unsigned threads, blocks;
  bool shared, spawns;  // uses shared memory and the barrier; spawns another task
};
inline __host__ __device__ Size size_of(unsigned task) {
  unsigned random = task * 2654435761u;
  random = (random ^ random >> 15) * 2246822519u;
  random ^= random >> 13;
  Size size;
  size.shared = random % 4 == 0;
  size.spawns = random % 16 == 1;
  // Most have a few warps; one in 64 has up to 31.
  const unsigned most = (random >> 8) % 64 == 0 ? 31 : 4;
  const unsigned warps = 1 + (random >> 14) % most;
  size.threads = size.shared ? 32 * warps : 32 * warps - (random >> 20) % 32;
  size.blocks = 1 + (random >> 26) % 3;
  return size;
}

__device__ inline void leave_trace(Trace* traces, unsigned task) {
  const Size size = size_of(task);
  if (tasks::block_size() != size.threads || tasks::blocks() != size.blocks)
    tasks::fail(kWrongSize);
  if (size.shared) {
    auto* const mine = tasks::shared<unsigned>();
    const unsigned i = tasks::thread(), n = tasks::block_size(), key = 3 * task + tasks::block();
    mine[i] = key + i;
    tasks::sync_block();
    if (mine[n - 1 - i] != key + n - 1 - i) tasks::fail(kForeignMemory);
  }
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
          size.shared ? size.threads * static_cast<unsigned>(sizeof(unsigned)) : 0, size.shared};
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
      : setting_(setting), traces_(2 * setting.count), ids_(setting.count) {
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
    for (tasks::Id id : ids_) failed_ += !id;
    failed_ += runtime.counts().failed;
    tasks::detail::must(cudaMemcpy(traces_.host, traces_.device, 2 * setting_.count * sizeof(Trace),
                                   cudaMemcpyDeviceToHost));
    return runtime.counts();
  }

  bool check() const {
    unsigned long wrong = failed_, ran = 0, refused = 0;
    for (unsigned task = 0; task < 2 * setting_.count; ++task) {
      const Trace found = traces_.host[task];
      const bool spawned = task < setting_.count || size_of(task - setting_.count).spawns;
      if (spawned && task >= setting_.count && found.threads == kRefused) {
        ++refused;
        continue;
      }
      const Size size = size_of(task);
      const unsigned threads = spawned ? size.threads * size.blocks : 0;
      const Trace expected{threads, threads * (threads - 1) / 2};
      ran += spawned ? 1 : 0;
      wrong += found.threads != expected.threads || (spawned && found.sum != expected.sum);
    }
    std::printf(
        "tasks: %s (%lu tasks, of which tasks spawned %lu; %lu more found no room; %lu lost or "
        "wrong)\n",
        wrong == 0 ? "right" : "WRONG", ran, ran - setting_.count, refused, wrong);
    return wrong == 0;
  }

 private:
  /// Of one host thread; now and then it waits for a task.
  void spawn(Runtime& runtime, unsigned spawner) {
    for (unsigned task = spawner; task < setting_.count; task += setting_.spawners) {
      ids_[task] =
          size_of(task).spawns
              ? runtime.spawn<root>(launch_of(task), traces_.device, task, task + setting_.count)
              : runtime.spawn<leaf>(launch_of(task), traces_.device, task);
      if (!ids_[task]) return;
      if (task % 4096 == spawner && runtime.wait(ids_[task]) != cudaSuccess) return;
    }
  }

  Setting setting_;
  Buffers<Trace> traces_;  // of tasks that the host spawns, then of those that tasks spawn
  std::vector<tasks::Id> ids_;
  unsigned long failed_ = 0;
};

}  // namespace raddle::workloads::narrow::stress
